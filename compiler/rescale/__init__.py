"""From the spec of one migration to the spec of the next, whose source are the shards: its rules for another number of
databases and tables, its schema file, and which rows change their place. It runs offline and writes nothing.
"""
