"""The snapshot: primary-key chunks, read at the source, routed by Spark, inserted only where no row exists (contract
C4).

The driver plans chunks and keeps their ledger. A Spark task reads, routes and writes each one, in one transaction per
shard. Knows nothing of the stream but the positions that the ledger has.
"""
