"""Rows that a target refuses: their keys are quarantined as dead letters, the batch goes on without them.

Runs in the driver and, as Spark SQL, in tasks; writes the dead letters' table on the first shard.
"""
