"""Field groups: an event for every row of a batch in which a column of the group changes, in the row's own transaction.

All columns of a row are written whenever one changed, so a group is never half new. The event says that it changed: what
stands on the shard is compared with what the batch writes, before it is written. A row that is new there counts as
changed. Rows that the snapshot copies make no events, and neither do deletes.
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.plan.plan import EventGroup, Statement, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.changed import any_changed
from shardwright.compiler.steps.keys import same_key

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
        for number, group in enumerate(table.event_groups, start=1)
    )


def _events(table: TablePlan, group: EventGroup, *, target: exp.Expr, stage: exp.Expr, fresh: exp.Expr) -> exp.Expr:
    assert table.events_table is not None
    same = [exp.NullSafeEQ(this=sql.column(n, "t"), expression=sql.column(n, "s")) for n in group.columns]
    changed = sql.all_of([exp.not_(exp.paren(sql.all_of(same))), *any_changed(table, group.columns), fresh])
    return fill(
        _EVENTS,
        "mysql",
        events=sql.table(table.events_table),
        stage=stage,
        target=target,
        names=[sql.identifier(name) for name in table.key],
        values=[sql.column(name, "s") for name in table.key],
        group=sql.text(group.name),
        same=same_key(table, "t", "s"),
        absent=exp.Is(this=sql.column(table.key[0], "t"), expression=exp.Null()),
        changed=exp.paren(changed),
    )
