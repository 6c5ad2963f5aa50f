"""The backward plan: the same steps turned round, from the shards' physical tables to the source's own tables.

It is compiled from the spec and the forward plan's tables. It makes no target tables, copies nothing and routes no DDL:
it begins at positions that a cutover records.
"""
