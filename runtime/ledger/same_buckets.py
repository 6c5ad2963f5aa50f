"""Is a row still in the bucket in which the triggers of both sides have it?

Used in the driver by whatever asks for the side of a row while both sides take writes; reads the first shard.
"""

from __future__ import annotations

from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.steps.writers import bucket_digest
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.cutover_state import read_cutover


def require_same_buckets(home: Connection[Any], plan: Plan) -> None:
    """`plan`: that of the way to the shards. `home` is to the first shard. Raises Refused (SW8934) where the expression
    of buckets, or the list of tables, was edited since both sides take writes: a row would be another side's than its
    writers know."""
    recorded = read_cutover(home, plan.migration).detail.buckets
    if recorded != bucket_digest(plan):
        raise Refused(
            "SW8934",
            f"the buckets of {plan.migration} are others than those that move: `buckets` of a sharding rule, or the "
            "list of tables, was edited since the first of them moved. Put it back and compile; it may change once one "
            "side takes all writes",
        )
