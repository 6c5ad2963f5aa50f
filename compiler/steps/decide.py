"""Stream, fourth step: what each routed change means against the rows that are on the target, and why. One statement
for all tables of a plan: where they differ, it names them.

The look-up feeds the filter; the filter narrows the work and names the decision. It never has the last word: the
guarded statements of `upsert` and `delete` decide again inside the shard's transaction, so a row that changes between
look-up and write cannot be overwritten.

`why` says in a few words which rule decided. A batch does not ask for it, and Spark does not compute it then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp

from shardwright.compiler.plan.plan import EVERY_TABLE, READ_AGAIN, Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.printer import share
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.lookup import is_collapsed_by_server

_DECIDED = """
SELECT
  `table`,
  source_table,
  shard,
  part,
  action,
  key,
  position,
  committed_at,
  `row`,
  version_before,
  hole_decision AS decision,
  hole_why AS why
FROM looked_up
"""
_OF_TABLES = "hole_condition AND `table` IN (hole_names)"
_IN_SEVERAL = """
MIN(source_table) OVER (PARTITION BY `table`, key) <> MAX(source_table) OVER (PARTITION BY `table`, key)
OR (found AND NOT found_home <=> source_table)
"""
_ELSEWHERE = f"op <> hole_again AND ({_IN_SEVERAL})"
_STALE = "found AND hole_target > hole_ours AND NOT hole_target_again <=> hole_first"


@dataclass(frozen=True, slots=True)
class _Rule:
    """The first rule whose condition holds decides. `why` is for people."""

    condition: exp.Expr
    decision: str
    why: str


@dataclass(frozen=True, slots=True)
class _Tables:
    """All tables of a plan, which the rules are written for."""

    all: Sequence[TablePlan]

    def rule(
        self, tables: Collection[TablePlan], condition: str | exp.Expr, decision: str, why: str
    ) -> Iterator[_Rule]:
        """Of some tables, which it names unless all are meant; none where there are none."""
        if not tables:
            return
        holds = fill(condition, "spark") if isinstance(condition, str) else condition
        if len(tables) < len(self.all):
            names = [sql.text(name) for name in sorted(table.logical for table in tables)]
            holds = fill(_OF_TABLES, "spark", names=names, condition=sql.paren(holds))
        yield _Rule(holds, decision, why)


def decide_changes(tables: Sequence[TablePlan]) -> Step:
    """Reads view `looked_up` (routed changes with found, found_version, snapshot_open), yields `decided`. The look-up
    finds rows by the spelling of their keys: where there may be others, nothing is left out for what it found."""
    of = _Tables(tables)
    keyless = [table for table in tables if table.identity.counts_rows]
    rules = [
        *of.rule(keyless, "action = 'delete'", "delete", "one row less"),
        *of.rule(keyless, "action <> 'delete'", "insert", "one row more"),
        *of.rule(
            [table for table in tables if table.deletes.are_remembered],
            "action <> 'upsert' AND snapshot_open",
            "defer",
            "deleted while rows are copied",
        ),
        *of.rule(tables, "action <> 'upsert' AND found", "delete", "the row is there"),
        *of.rule(tables, "action <> 'upsert' AND snapshot_open", "delete", "the row may be copied yet"),
        *_rules_without_row(of),
        *_stale_rules(of),
        *_rules_of_upserts(of),
    ]
    comment = "The decision per change: insert, update, delete, skip (stale or nothing there), defer (tombstone first)."
    return _step(rules, comment)


def decide_changes_back(tables: Sequence[TablePlan], *, with_home: Collection[str]) -> Step:
    """Reads view `looked_up` (with found and found_home), yields `decided`. The logs of different shards have no order
    between them. So an event counts as it is where the row at the source belongs to the shard that the event comes
    from, or where no row is there, and where no other shard has an event of the row in this batch. Otherwise the row
    is read again from the shards, and what exists there decides: it comes with the operation READ_AGAIN. `with_home`:
    tables whose rows are spread over several.

    A delete may be one half of a move whose other half is in a later batch, since the other log is late. A row of the
    source that has columns which no row of the shards brings must not be deleted and inserted again: so the shards are
    asked for the keys of their deletes. The row is deleted unless a shard has it: then it is read again."""
    of = _Tables(tables)
    spread = [table for table in tables if table.logical in with_home]
    rules = [
        *of.rule(
            spread,
            fill(_ELSEWHERE, "spark", again=sql.text(READ_AGAIN)),
            "reread",
            "events of several shards have no order",
        ),
        *of.rule(
            [table for table in spread if table.keeps_columns],
            "op = 'D' AND found",
            "delete_if_gone",
            "the source's row has columns that no shard brings",
        ),
        *of.rule(tables, "action <> 'upsert' AND found", "delete", "the row is there"),
        *_rules_without_row(of),
        *_rules_of_upserts(of),
    ]
    decisions = "insert, update, delete, skip (nothing there), reread (from the shards, by key)"
    if any(rule.decision == "delete_if_gone" for rule in rules):
        decisions += ", delete_if_gone (delete, unless a shard has the row: then reread)"
    return _step(rules, f"The decision per change: {decisions}.")


def _rules_without_row(of: _Tables) -> Iterator[_Rule]:
    spelt = [table for table in of.all if is_collapsed_by_server(table)]
    yield from of.rule(spelt, "action <> 'upsert'", "delete", "the row's key may be spelt differently")
    if len(spelt) < len(of.all):
        yield from of.rule(of.all, "action <> 'upsert'", "skip", "no row is there")


def _rules_of_upserts(of: _Tables) -> Iterator[_Rule]:
    yield from of.rule(of.all, "found", "update", "the row is there")
    yield from of.rule(of.all, "op = 'U'", "insert", "no row, update becomes insert")


def _stale_rules(of: _Tables) -> Iterator[_Rule]:
    """The target's row has a newer version than the change, and not the one that the change began from."""
    kinds: dict[bool, list[TablePlan]] = {}
    for table in of.all:
        version = next((c.type for c in table.columns if c.target == table.writes.version_column), None)
        if version is not None and not is_collapsed_by_server(table):
            kinds.setdefault(version.is_integer, []).append(table)
    for is_number, tables in sorted(kinds.items()):
        yield from of.rule(tables, _stale(is_number=is_number), "skip", "newer on the target")


@lru_cache(maxsize=2)
def _stale(*, is_number: bool) -> exp.Expr:
    def comparable(name: str) -> exp.Expr:
        """Temporal text of one precision orders as text; numbers are compared as numbers."""
        return sql.cast(sql.column(name), "DECIMAL(38, 0)") if is_number else sql.column(name)

    condition = fill(
        _STALE,
        "spark",
        target=comparable("found_version"),
        ours=comparable("version"),
        target_again=comparable("found_version"),
        first=comparable("version_before"),
    )
    return share(condition)


def _step(rules: Sequence[_Rule], comment: str) -> Step:
    def case(values: Sequence[str], otherwise: str) -> exp.Expr:
        ifs = [exp.If(this=rule.condition, true=sql.text(value)) for rule, value in zip(rules, values, strict=True)]
        return exp.Case(ifs=ifs, default=sql.text(otherwise))

    tree = fill(
        _DECIDED,
        "spark",
        decision=case([rule.decision for rule in rules], "insert"),
        why=case([rule.why for rule in rules], "a new row"),
    )
    return Step(EVERY_TABLE, StepName.FILTER, (Statement("filter", comment, sql.to_sql(tree, "spark")),))
