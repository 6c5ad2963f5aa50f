"""A batch's decisions for one shard, written durably before any of them takes effect (contract C1).

Runs in Spark tasks; each writes to its shards' stage tables, in one transaction per shard.
"""
