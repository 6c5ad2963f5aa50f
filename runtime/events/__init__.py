"""What a command reports while it works: typed events with named fields, each with its sentence. Listeners make lines
for a terminal and JSON of them.
"""
