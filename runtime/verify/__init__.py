"""Comparison of source and shards, pushed down into the servers; `repair` brings wrong rows back.

Runs in the driver; invariants are Spark jobs. Reads source and shards; writes reports, and repairs as dead letters for
the stream.
"""
