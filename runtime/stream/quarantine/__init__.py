"""Rows that a target refuses: their keys are quarantined as dead letters, and the batch continues without them.

Runs in the driver and, as Spark SQL, in tasks; writes the dead letters' table on the first shard.
"""
