"""Which tables' new rows may go in place while their batch is staged (see `new_rows`): where nothing in the batch has to come before them,
and where doing it again does no harm.

* The plan's upsert of the table is an insert and an update, nothing beside: no unique keys but its key, no events, one source, rows that
  are compared exactly. So a new row meets no other one.
* The weight is the lightest of the batch: its upserts come before everything else (C7).
* No shard is asked before the batch is staged: whoever may still refuse it (a ceiling) has nothing to take back.

A batch that may place rows is open as `placing` in the books. When a run ends before all of it is staged, the next batch must reach as far
as this one did (C1: one merged range that ends no earlier); see `recovery`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.runtime.stream.stage.lookup import asks_shards

_PLAIN = frozenset({"forget", "insert_new", "insert", "update"})


def placeable(plan: Plan) -> Mapping[str, tuple[str, ...]]:
    """Logical table -> the suffixes of its physical tables."""
    settled = {step.table for step in plan.steps if step.name is StepName.SETTLE}
    return {
        table.logical: tuple(plan.parts(table))
        for table in plan.tables
        if table.logical not in settled and table.write == "rows" and _is_plain(plan, table)
    }


def placed_now(plan: Plan, known: Collection[str], touched: Collection[str]) -> frozenset[str]:
    """Those of `known`, which are placeable, whose turn comes first in a batch of the tables `touched`."""
    tables = [plan.table(name) for name in touched]
    if any(asks_shards(table) for table in tables):
        return frozenset()
    lightest = min((table.weight for table in tables), default=0)
    return frozenset(table.logical for table in tables if table.weight == lightest and table.logical in known)


def _is_plain(plan: Plan, table: TablePlan) -> bool:
    return {statement.name for statement in plan.step(table.logical, StepName.UPSERT).statements} <= _PLAIN
