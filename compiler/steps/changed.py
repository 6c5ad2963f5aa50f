"""`write: changed`: which columns of a row the events of a batch changed, so that an update leaves the others as they stand.

For tables that others write on the target too. `21-merge` makes one mark a target column, 1 or 0, over all events of the
row: a column that changed and changed back counts as changed, since the shards may have seen the first half already. An
insert marks all. The marks cross as one text after the row's values and stand in the stage as `sw_changed`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from shardwright.compiler.columns.mapping import MappedColumn
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill

CHANGED = "sw_changed"
"""The stage's last column, for tables with `write: changed` only."""

_MARKS = "ARRAY_JOIN(ARRAY(hole_marks), '')"
_MARK = "IF(BOOL_OR(op <> 'U' OR NOT (hole_same)), '1', '0')"
_WRITTEN = "IF(hole_is_changed, hole_ours, hole_theirs)"
_IS_CHANGED = "SUBSTRING(s.sw_changed, hole_position, 1) = '1'"


def columns_behind(mapped: Sequence[MappedColumn], groups: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """For each target column the source columns whose change has it written: those it is made of, and those of the
    columns it is grouped with. `groups` are of source names; no column stands in two."""
    behind = [set(item.mapping.reads()) for item in mapped]
    for group in groups:
        members = [reads for item, reads in zip(mapped, behind, strict=True) if item.column.source in group]
        union: set[str] = set().union(*members)
        for reads in members:
            reads |= union
    return tuple(tuple(sorted(reads)) for reads in behind)


def marks(behind: Sequence[Sequence[str]]) -> exp.Expr:
    """Spark, over the events of one row: the text of marks."""
    return fill(_MARKS, "spark", marks=[_mark(names) for names in behind])


def _mark(names: Sequence[str]) -> exp.Expr:
    same = [exp.NullSafeEQ(this=sql.column(name, "before"), expression=sql.column(name, "after")) for name in names]
    return fill(_MARK, "spark", same=sql.all_of(same) if same else exp.true())


def assignments(table: TablePlan) -> list[exp.Expr]:
    """MySQL: what UPDATE sets in row `t` from the staged row `s`."""
    names = [column.target for column in table.columns]
    if table.write == "rows":
        return [sql.same_column(name, "t", "s") for name in names]
    return [sql.equal(sql.column(name, "t"), _written(name, position)) for position, name in enumerate(names, start=1)]


def _written(name: str, position: int) -> exp.Expr:
    ours, theirs = sql.column(name, "s"), sql.column(name, "t")
    return fill(_WRITTEN, "mysql", is_changed=_is_changed(position), ours=ours, theirs=theirs)


def _is_changed(position: int) -> exp.Expr:
    return fill(_IS_CHANGED, "mysql", position=sql.number(position))


def any_changed(table: TablePlan, names: Sequence[str]) -> tuple[exp.Expr, ...]:
    """MySQL: a condition that one of the columns is written; none where all always are."""
    if table.write == "rows":
        return ()
    positions: Mapping[str, int] = {column.target: at for at, column in enumerate(table.columns, start=1)}
    return (sql.paren(sql.any_of([_is_changed(positions[name]) for name in names])),)
