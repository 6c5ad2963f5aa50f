"""Rows that a comparison found wrong are brought back to what the source has.

Runs in the driver; writes dead letters to the first shard. The stream's run repairs the rows.
"""
