"""Every table of ours in the target databases: what each shard has applied, and where the whole migration stands (contract C1).

Used in the driver and in Spark tasks, in the transaction of the rows that a ledger row speaks of. Writes to shards only, as the writer
that holds the fencing token. Knows positions, but not how they are read.
"""
