"""A second proof that a table which took a followed one's name has the same rows, for a swap whose other table is dropped already (hazard
E17). Runs in the driver; reads the source and the shards.

The stream stands right before the statement: the shards have just the rows that the followed table had then. When the table that has its
name now holds the same ones, the statement changed no row, and what was written to it since is in the log behind the statement."""

from __future__ import annotations

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.verify.result import Verdict
from shardwright.runtime.verify.verify import verify


def has_the_rows_of_the_shards(plan: Plan, servers: Servers, logical: str) -> bool:
    """False also where it cannot be told, as while the table is written to."""
    patient = servers.patient()
    (found,) = verify(plan, source=patient.connect_source, shard=patient.connect_shard, tables=[logical]).tables
    return found.verdict is Verdict.EQUAL
