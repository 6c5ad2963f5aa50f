"""How a target column's value comes from the source's columns: copies, casts, defaults, masks, derived columns, and
the row filter. Each in three forms: Spark SQL over canonical texts, MySQL SQL over the source's columns, Python.
"""
