"""What do the plan's rules decide about a change, and why? The rules are the plan's own (`24-filter`). A server
computes them, over what the logs and the ledger show of the row.

Runs in the process of the command; a shard's server computes, and no table is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import sqlglot
from sqlglot import exp

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.runtime.history.facts import Decision
from shardwright.runtime.verify.sessions import Sessions, ask

_NOT_KNOWN: Final = "not recorded: it depends on what the shard had then"


@dataclass(frozen=True, slots=True)
class Case:
    """What the rules look at, of one change. Values as in the plan's look-up."""

    op: str
    """I, U or D."""
    found: bool
    """Whether the row is there."""
    snapshot_open: bool
    """Whether rows are being copied."""
    source_table: str
    """Where the change is from."""
    found_home: str | None = None
    """On the way back: the shards' table where the row that is there belongs."""
    version: str | None = None
    """Of the changed row."""
    version_before: str | None = None
    """Of the row before."""
    found_version: str | None = None
    """Of the row that is there."""

    @property
    def action(self) -> str:
        return "delete" if self.op == "D" else "upsert"


@dataclass
class Rules:
    """The rules of one table. Each case is computed once."""

    plan: Plan
    table: TablePlan
    sessions: Sessions
    _known: dict[Case, tuple[str, str]] = field(default_factory=dict)
    _sql: str = ""

    def decide(self, cases: Iterable[Case], *, in_batch: bool) -> Decision:
        """`cases`: what may have been, where not all is known. `in_batch`: they are of the batch that had the
        change."""
        found = {self._ask(case) for case in cases}
        if len(found) == 1:
            ((decision, why),) = found
            return Decision(decision, why, "batch" if in_batch else "rules")
        words = " or ".join(sorted(f"{decision} ({why})" for decision, why in found))
        return Decision(None, f"{_NOT_KNOWN}: {words}", "none")

    def _ask(self, case: Case) -> tuple[str, str]:
        if case not in self._known:
            self._sql = self._sql or _statement(self.plan, self.table)
            values = {
                "sw_table": self.table.logical,
                "sw_source_table": case.source_table,
                "sw_op": case.op,
                "sw_action": case.action,
                "sw_found": int(case.found),
                "sw_found_home": case.found_home,
                "sw_found_version": case.found_version,
                "sw_snapshot_open": int(case.snapshot_open),
                "sw_version": case.version,
                "sw_version_before": case.version_before,
            }
            with self.sessions.at(0) as connection:
                ((decision, why),) = ask(connection, self._sql, values, where=self.plan.databases[0])
            self._known[case] = str(decision), str(why)
        return self._known[case]


_COLUMNS: Final = (
    "table", "source_table", "op", "action", "found", "found_home", "found_version", "snapshot_open", "version",
    "version_before",
)  # fmt: skip


def _statement(plan: Plan, table: TablePlan) -> str:
    """MySQL: the two columns of the plan's statement that decide, over one row of user variables."""
    tree = sqlglot.parse_one(plan.step(table.logical, StepName.FILTER).statement("filter"), dialect="spark")
    assert isinstance(tree, exp.Select)
    decided = [item for item in tree.selects if item.alias_or_name in ("decision", "why")]
    row = exp.select(*(sql.alias(exp.Parameter(this=exp.Var(this=f"sw_{name}")), name) for name in _COLUMNS))
    key = sql.alias(sql.number(1), "key")
    return exp.select(*decided).from_(row.select(key).subquery("looked_up")).sql("mysql", identify=True)
