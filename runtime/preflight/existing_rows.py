"""Rows that stand in the target tables already, judged by each table's policy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan_summary import few
from shardwright.runtime.existing_rows import ALLOW, IN_THE_WAY, REMOVED, Standing, standing
from shardwright.runtime.preflight.check import Check, Fault, Verdict, judged
from shardwright.runtime.preflight.context import Context

_NAME = "existing data"
_LATER = {
    "keep": ("are kept", "the stream's later changes are applied to them; verify names those that only the target has"),
    "replace": ("will be removed", "existing_rows: keep or refuse, when they are needed"),
}


def existing_rows(context: Context, connection: Connection[Any], shard: int, where: str) -> Iterator[Check]:
    """Of one target database of a migration that has not begun, which `connection` is in."""
    found = list(standing(context.plan, connection, shard))
    faults = [fault for item in found for fault in _faults(context, item)]
    if faults or not found:
        otherwise = f"none in {context.plan.databases[shard]}"
        yield from judged(_NAME, where, iter(faults), otherwise=otherwise)
        return
    for item in found:
        becomes, way_out = _LATER[item.policy]
        said = f"rows of {item.database}.{few(item.names)} {becomes}"
        yield Check(_NAME, where, Verdict.WARNING, said, way_out)


def _faults(context: Context, item: Standing) -> Iterator[Fault]:
    for name in item.names:
        if item.policy == "refuse":
            found = f"{item.database}.{name} holds rows already and this migration has not begun"
            yield Fault(IN_THE_WAY, found, "empty it first")
        elif item.policy == "replace" and context.protected and REMOVED not in context.allowed:
            yield Fault(REMOVED, f"{item.database}.{name} holds rows that would be removed", ALLOW)
