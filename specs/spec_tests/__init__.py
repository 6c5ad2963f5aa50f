"""Files of spec tests as data: given rows, events, expected rows. What their names and values mean is found out by
the rehearsal.
"""
