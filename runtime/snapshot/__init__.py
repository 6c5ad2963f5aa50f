"""The snapshot: primary-key chunks, read at the source, placed by Spark, inserted where nothing stands (contract C4).

The driver plans chunks and keeps their ledger; a Spark task reads, places and writes each one, in one transaction per shard. Knows nothing
of the stream but the positions that the ledger has.
"""
