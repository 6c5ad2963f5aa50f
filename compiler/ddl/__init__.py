"""Target DDL: CREATE TABLE of physical tables, numbered changes rewritten for each of them, and (`logged`) what a DDL
statement of the source's log means for the targets. Statements in, statements out; asks no server.
"""
