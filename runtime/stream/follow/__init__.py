"""Batch after batch: ranges of all sources, prefetched while the one before takes effect; and what happens between two
batches (rows that are read again after a failover or for a dead letter, messages that are skipped).

Runs in a thread of the driver.
"""
