"""DDL on followed tables, met in the stream: stopped at, brought to every shard, or skipped, exactly at its position.

Runs in the driver; writes the first shard's ledger, and through `ddl/routing` DDL to the shards.
"""
