"""One batch: opened in the ledger, decided by Spark, staged, applied, closed; and what is done with an open one after a
crash.

Runs in the driver; writes the batch journal on the first shard.
"""
