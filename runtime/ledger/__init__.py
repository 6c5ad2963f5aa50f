"""Every table of ours in the target databases: what each shard has applied, and how far the whole migration is
(contract C1).

Used in the driver and in Spark tasks, in the transaction of the rows that a ledger row records. Writes to shards only,
as the writer that holds the fencing token. Knows positions, but not how sources read them.
"""
