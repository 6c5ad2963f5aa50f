"""A staged batch takes effect: sub-steps in order, each shard's share in one transaction, ledger row first (contract
C4, C7).

Runs in the driver; the statements run on the shards. Also the limits on deletes and the end of tombstones.
"""
