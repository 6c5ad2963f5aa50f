"""The statements of step 29-batch for one table: each placeholder takes the table's own statement. Pure; used by the
runtime and by tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from shardwright.compiler.plan.plan import EVERY_TABLE, Plan, StepName
from shardwright.compiler.sql.sql_text import spark_text

_PLACEHOLDER: Final = re.compile(r"`\$\{(\w+)\}`")


def batch_sql(
    plan: Plan,
    name: str,
    logical: str = EVERY_TABLE,
    *,
    held: bool = False,
    route: str = "",
    snapshot_open: bool = False,
) -> str:
    """Statement `name` for table `logical`, if it has to do with one. `held`: decode leaves out the events of
    quarantined keys, which view `dead_keys` has. `route`: the lookup table whose route counts, instead of the table's
    own; of quarantined keys it leaves out only what is older than the row that was read again."""

    def part(placeholder: re.Match[str]) -> str:
        match placeholder[1]:
            case "decode" if held:
                return f"({batch_sql(plan, 'admitted_places' if route else 'admitted', logical)})"
            case "decode":
                return f"({plan.step(logical, StepName.DECODE).statement('decode')})"
            case "merge":
                return f"({plan.step(logical, StepName.MERGE).statement('merge')})"
            case "route":
                return f"({plan.step(route or logical, StepName.ROUTE).statement('route')})"
            case "filter":
                return f"({plan.step(logical, StepName.FILTER).statement('filter')})"
            case "logical":
                return spark_text(logical)
            case "snapshot_open":
                return str(snapshot_open).upper()
            case other:
                raise KeyError(f"step {StepName.BATCH} has no placeholder {other}")

    return _PLACEHOLDER.sub(part, plan.step(EVERY_TABLE, StepName.BATCH).statement(name))


def together_sql(plan: Plan, logicals: Iterable[str], *, snapshot_open: bool) -> str:
    """The changes of several tables (`merges_together`) decided by one merge."""
    packed = union_all(
        f"WITH `decoded` AS (\n{plan.step(logical, StepName.DECODE).statement('decode')}\n)\n"
        f"{plan.step(logical, StepName.ROUTE).statement('packed')}"
        for logical in logicals
    )
    parts = {"packed": f"({packed})", "snapshot_open": str(snapshot_open).upper()}
    text = plan.step(EVERY_TABLE, StepName.BATCH).statement("together")
    return _PLACEHOLDER.sub(lambda placeholder: parts[placeholder[1]], text)


def merges_together(plan: Plan, logical: str) -> bool:
    """Whether the table's changes may be decided together with other tables'."""
    return plan.step(logical, StepName.ROUTE).has("packed")


def union_all(queries: Iterable[str]) -> str:
    """Several tables' queries as one: Spark would analyse each DataFrame made in between again, which costs more than
    running a small batch."""
    return "\nUNION ALL\n".join(f"({query})" for query in queries)
