"""The proof that a table which took a followed one's name has the same rows (hazard E17). Runs in the driver; reads the source and the shards.

The stream stands right before the statement: the shards have just the rows that the followed table had then. When the table that has its
name now holds the same ones, the statement changed no row, and what was written to it since is in the log behind the statement."""

from __future__ import annotations

from shardwright.compiler.plan import Plan
from shardwright.compiler.source_ddl.logged_change import CannotFollow
from shardwright.runtime.connections import Servers
from shardwright.runtime.verify.result import TableResult, Verdict
from shardwright.runtime.verify.verify import verify

_LOOKS = 3
"""A write between two of its reads makes a comparison fail that the next one may pass."""


def require_same_rows(plan: Plan, servers: Servers, source: str, logical: str) -> None:
    """Raises CannotFollow (SW8552) when `source`, which is `logical` on the shards, has other rows than these, or nobody can tell."""
    patient = servers.patient()
    for _ in range(_LOOKS):
        (found,) = verify(plan, source=patient.connect_source, shard=patient.connect_shard, tables=[logical]).tables
        if found.verdict is Verdict.EQUAL:
            return
    raise CannotFollow("SW8552", f"another table took the name of {source}, and {_why(found)}")


def _why(found: TableResult) -> str:
    if not found.mismatches:
        return f"its rows cannot be told to be those of the shards: {found.problem or 'it is being written to'}"
    first = found.mismatches[0]
    return (
        f"its rows are not those that the shards have: {len(found.mismatches):,} differ, the first is {first.kind.value} "
        f"(key {first.key_text})"
    )
