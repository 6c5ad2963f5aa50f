"""Which columns of a row a batch changed: the marks of tables with `write: changed`, and the events of field groups.

`write: changed` is for tables that others write on the target too: an update leaves the columns that did not change as
they are. `21-merge` makes one mark a target column, 1 or 0, over all events of the row: a column that changed and
changed back counts as changed, since the shards may have seen the first half already. An insert marks all. The marks
cross as one text after the row's values and are in the stage as `sw_changed`.

Field groups make an event for every row of a batch in which a column of the group changes, in the row's own
transaction. All columns of a row are written whenever one changed, so a group is never half new. The event says that it
changed: what is on the shard is compared with what the batch writes, before it is written. A row that is new there
counts as changed. Rows that the snapshot copies make no events, and neither do deletes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from shardwright.compiler.columns.mapping import MappedColumn
from shardwright.compiler.plan.plan import Statement, TablePlan
from shardwright.compiler.plan.table_parts import EventGroup
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.keys import same_key

CHANGED = "sw_changed"
"""The stage's last column, for tables with `write: changed` only."""

_MARKS = "ARRAY_JOIN(ARRAY(hole_marks), '')"
_MARK = "IF(BOOL_OR(op <> 'U' OR NOT (hole_same)), '1', '0')"
_WRITTEN = "IF(hole_is_changed, hole_ours, hole_theirs)"
_IS_CHANGED = "SUBSTRING(s.sw_changed, hole_position, 1) = '1'"


def columns_that_trigger(
    mapped: Sequence[MappedColumn], groups: Sequence[Sequence[str]]
) -> tuple[tuple[str, ...], ...]:
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
    names = [column.target for column in table.physical_columns]
    if table.own is not None:
        kept = [sql.same_column(name, "t", "t") for name in table.own.keep_on_update]
        return [*(sql.same_column(name, "t", "s") for name in names), *kept]
    if not table.writes.marks_columns:
        return [sql.same_column(name, "t", "s") for name in names]
    return [
        sql.equal(sql.column(name, "t"), _value_to_write(name, position))
        for position, name in enumerate(names, start=1)
    ]


def _value_to_write(name: str, position: int) -> exp.Expr:
    ours, theirs = sql.column(name, "s"), sql.column(name, "t")
    return fill(_WRITTEN, "mysql", is_changed=_is_changed(position), ours=ours, theirs=theirs)


def _is_changed(position: int) -> exp.Expr:
    return fill(_IS_CHANGED, "mysql", position=sql.number(position))


def any_changed(table: TablePlan, names: Sequence[str]) -> tuple[exp.Expr, ...]:
    """MySQL: a condition that one of the columns is written; none where all always are."""
    if not table.writes.marks_columns:
        return ()
    positions: Mapping[str, int] = {column.target: at for at, column in enumerate(table.columns, start=1)}
    return (sql.paren(sql.any_of([_is_changed(positions[name]) for name in names])),)


EVENTS_TABLE = """
CREATE TABLE IF NOT EXISTS hole_name (
  sw_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  sw_group VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  sw_part INT NOT NULL,
  hole_columns,
  sw_batch BIGINT NOT NULL,
  sw_file BIGINT NOT NULL,
  sw_offset BIGINT NOT NULL,
  sw_row INT NOT NULL
) ENGINE=InnoDB
"""

_EVENTS = """
INSERT INTO hole_events (sw_group, sw_part, hole_names, sw_batch, sw_file, sw_offset, sw_row)
SELECT hole_group, s.sw_part, hole_values, s.sw_batch, s.sw_file, s.sw_offset, s.sw_row
FROM hole_stage AS s LEFT JOIN hole_target AS t ON hole_same
WHERE s.sw_batch = @sw_batch AND s.sw_part = @sw_part AND s.sw_action = @sw_action AND (hole_absent OR hole_changed)
"""


def group_events(table: TablePlan, *, target: exp.Expr, stage: exp.Expr, fresh: exp.Expr) -> tuple[Statement, ...]:
    """One statement for each group with `on_change: event`. `fresh` says whether our row may overwrite `t`."""
    return tuple(
        Statement(
            f"event_{number}",
            f"Field group '{group.name}': rows of which a column changes, or that are new here.",
            sql.to_sql(_events(table, group, target=target, stage=stage, fresh=fresh), "mysql"),
        )
        for number, group in enumerate(table.writes.event_groups, start=1)
    )


def _events(table: TablePlan, group: EventGroup, *, target: exp.Expr, stage: exp.Expr, fresh: exp.Expr) -> exp.Expr:
    assert table.ours.events is not None
    same = [exp.NullSafeEQ(this=sql.column(n, "t"), expression=sql.column(n, "s")) for n in group.columns]
    changed = sql.all_of([exp.not_(exp.paren(sql.all_of(same))), *any_changed(table, group.columns), fresh])
    return fill(
        _EVENTS,
        "mysql",
        events=sql.table(table.ours.events),
        stage=stage,
        target=target,
        names=[sql.identifier(name) for name in table.key],
        values=[sql.column(name, "s") for name in table.key],
        group=sql.text(group.name),
        same=same_key(table, "t", "s"),
        absent=exp.Is(this=sql.column(table.key[0], "t"), expression=exp.Null()),
        changed=exp.paren(changed),
    )
