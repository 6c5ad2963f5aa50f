"""Rows that stand in the target tables already, judged by each table's policy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.summary import few
from shardwright.runtime.mysql.check import Check, Fault, Verdict, judged
from shardwright.runtime.run.existing_rows import REMOVED, objections, standing
from shardwright.runtime.run.preflight.context import Context

_NAME = "existing data"
_LATER = {
    "keep": ("are kept", "the stream's later changes are applied to them; verify names those that only the target has"),
    "replace": ("will be removed", "existing_rows: keep or refuse, when they are needed"),
}


def existing_rows(context: Context, connection: Connection[Any], shard: int, where: str) -> Iterator[Check]:
    """Of one target database of a migration that has not begun, which `connection` is in."""
    found = list(standing(context.plan, connection, shard))
    may_remove = not context.protected or REMOVED in context.allowed
    faults = [Fault(*objection) for item in found for objection in objections(item, may_remove=may_remove)]
    if faults or not found:
        otherwise = f"none in {context.plan.databases[shard]}"
        yield from judged(_NAME, where, iter(faults), otherwise=otherwise)
        return
    for item in found:
        becomes, way_out = _LATER[item.policy]
        said = f"rows of {item.database}.{few(item.names)} {becomes}"
        yield Check(_NAME, where, Verdict.WARNING, said, way_out)
