"""Does the plan have a way back? Without one, nothing is cut over. Pure."""

from __future__ import annotations

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused
from shardwright.specs.findings.remedies import START_OVER


def require_way_back(plan: Plan) -> None:
    """Raises Refused (SW8922) with every column for which there is none. `plan` is the forward one."""
    lost = [
        f"{table.logical}.{way.column}" if way.column else table.logical
        for table in plan.tables
        for way in table.way_back
        if way.closes
    ]
    if plan.keyless_tables:
        names = ", ".join(table.logical for table in plan.keyless_tables)
        raise Refused(
            "SW8922",
            f"there is no way back for {names}: rows have no key (`key: all_columns`). Give the source's tables a key, "
            f"or move them by a spec of their own, and {START_OVER}",
        )
    if lost:
        raise Refused(
            "SW8922",
            f"there is no way back for {', '.join(lost)}: say under `backward` of the table in the spec what becomes "
            "of it (values, one_way), and compile; summary.md of the plan has the reasons",
        )
