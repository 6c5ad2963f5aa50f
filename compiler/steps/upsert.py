"""Guarded upsert of a batch into one physical table, in one transaction with its ledger row.

No REPLACE, no INSERT IGNORE, no ON DUPLICATE KEY UPDATE: each of them can hit a row by another unique key than the one
that was meant (hazard D12). Instead, in this order:

  forget    tombstones of the keys that come back
  late      [unique keys] rows that wait for a row which is about to leave this table, set aside as action 'late';
            repeated until it finds none, because rows may wait for a row that waits itself
  make_room [unique keys, in the late sub-step only] the leaving rows that the late ones wait for are taken out, and no
            others: those leave in the order of weights
  event_N   field groups with on_change: event, see `groups`
  clear     [unique keys] rows that the batch deletes go now where their value is wanted; the other deletes come later
  park      [unique keys] rows whose unique values change are taken out, whole, so that swaps cannot collide (C6)
  unpark    [unique keys] and put back with their new values; columns only the target has keep theirs
  give_way  [unique keys, while copying] rows that a chunk copied from a later position free the unique value (C4)
  insert_new  rows that are not there, as far as the batch knows: the server refuses them all if one is, and `insert` finds out which
  insert    rows that are not there
  update    rows that are there (also those a chunk put there a moment ago), unless the version guard says otherwise

Where several source tables make one, `meets` and `twins` come before all of these, `own` after them: see `owners`.

Insert comes before update on purpose: a row that appears in between is then found by the update.
"""

from __future__ import annotations

from functools import lru_cache

from sqlglot import exp

from shardwright.compiler.plan.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.printer import shared
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.filter import YIELDED, is_settled_by_server
from shardwright.compiler.steps.groups import assignments, group_events
from shardwright.compiler.steps.keys import same_columns, same_key
from shardwright.compiler.steps.owners import after_upsert, before_upsert

_THIS = "s.sw_batch = @sw_batch AND s.sw_part = @sw_part AND s.sw_action = @sw_action"

_FORGET = f"DELETE t FROM hole_tombstone AS t JOIN hole_stage AS s ON t.sw_part = s.sw_part AND hole_same WHERE {_THIS}"

_LATE = """
UPDATE hole_stage AS s
JOIN hole_stage_again AS v
  ON v.sw_batch = s.sw_batch AND v.sw_part = s.sw_part AND v.sw_action IN ('vacate', 'late')
JOIN hole_target AS t ON hole_holding
SET s.sw_action = 'late'
WHERE s.sw_batch = @sw_batch AND s.sw_part = @sw_part AND s.sw_action = 'upsert' AND hole_collides
"""

_CLEAR = f"""
DELETE t FROM hole_target AS t
JOIN hole_stage AS s ON hole_same_value
JOIN hole_stage_again AS v ON hole_leaving
WHERE {_THIS}
  AND v.sw_batch = @sw_batch AND v.sw_part = @sw_part AND v.sw_action = 'delete'
  AND NOT (hole_same)
"""

_MAKE_ROOM = f"""
DELETE t FROM hole_target AS t
JOIN hole_stage AS s ON hole_same_value
JOIN hole_stage_again AS v ON hole_leaving
WHERE {_THIS} AND v.sw_batch = @sw_batch AND v.sw_part = @sw_part AND v.sw_action = 'vacate'
"""

_PARK_TABLE = "CREATE TEMPORARY TABLE hole_park AS SELECT * FROM hole_target LIMIT 0"

_PARK = f"""
INSERT INTO hole_park
SELECT t.* FROM hole_target AS t JOIN hole_stage AS s ON hole_same
WHERE {_THIS} AND hole_changes AND hole_fresh
"""

_TAKE_OUT = "DELETE t FROM hole_target AS t JOIN hole_park AS p ON hole_same"

_REFRESH = f"UPDATE hole_park AS t JOIN hole_stage AS s ON hole_same SET hole_assignments WHERE {_THIS}"

_PUT_BACK = "INSERT INTO hole_target SELECT * FROM hole_park AS p"

_UNPARK_TABLE = "DROP TEMPORARY TABLE hole_park"

_GIVE_WAY = f"""
DELETE t FROM hole_target AS t JOIN hole_stage AS s ON hole_same_value
WHERE {_THIS} AND NOT (hole_same)
"""

_COLLISION = f"""
SELECT hole_ours, hole_theirs FROM hole_stage AS s JOIN hole_target AS t ON hole_same_value
WHERE {_THIS} AND NOT (hole_same)
  AND NOT EXISTS (
    SELECT 1 FROM hole_stage_again AS b
    WHERE b.sw_batch = @sw_batch AND b.sw_part = @sw_part AND hole_in_batch
  )
LIMIT 10
"""

_INSERT_NEW = f"INSERT INTO hole_target (hole_names) SELECT hole_values FROM hole_stage AS s WHERE {_THIS}"

_INSERT = f"{_INSERT_NEW} AND NOT EXISTS (SELECT 1 FROM hole_target AS t WHERE hole_same)"

_UPDATE = f"""
UPDATE hole_target AS t JOIN hole_stage AS s ON hole_same
SET hole_assignments
WHERE {_THIS} AND hole_fresh
"""

_YIELDED = """
EXISTS (
  SELECT 1 FROM hole_stage AS y
  WHERE y.sw_batch = @sw_batch AND y.sw_part = @sw_part AND y.sw_action = hole_yielded
    AND hole_same AND y.sw_version_before <=> hole_theirs
)
"""

_FRESH = "NOT (hole_theirs > hole_ours AND NOT hole_theirs_again <=> s.sw_version_before)"


def upsert(table: TablePlan) -> Step:
    """The statements above; which of them exist depends on the table's unique keys and delete policy."""
    target, stage, park = (
        sql.table(table.logical + "${suffix}"),
        sql.table(table.stage_table),
        sql.table(table.park_table + "${suffix}"),
    )
    same = same_key(table, "t", "s")
    names = [column.target for column in table.columns]
    written = assignments(table)
    fresh = _fresh(table)
    made: list[tuple[str, str, exp.Expr]] = []
    if table.remembers_deletes:
        forget = fill(_FORGET, "mysql", tombstone=sql.table(table.tombstone_table), stage=stage, same=same)
        made.append(("forget", "Rows that come back need no tombstone any more.", forget))
    if table.unique_keys:
        made += _unique_key_statements(table, target=target, stage=stage, park=park, fresh=fresh, assignments=written)
    row: dict[str, list[exp.Expr]] = {
        "names": [sql.identifier(name) for name in names],
        "values": [sql.column(name, "s") for name in names],
    }
    insert_new = fill(_INSERT_NEW, "mysql", target=target, stage=stage, **row)
    insert = fill(_INSERT, "mysql", target=target, stage=stage, same=same, **row)
    update = fill(_UPDATE, "mysql", target=target, stage=stage, same=same, assignments=written, fresh=fresh)
    made.append(
        ("insert_new", "When no row is there, as far as the batch knows: the server refuses all if one is.", insert_new)
    )
    made.append(("insert", "Rows that are not there.", insert))
    made.append(("update", "Rows that are there, unless a newer version stands.", update))
    statements = tuple(Statement(name, comment, sql.to_sql(tree, "mysql")) for name, comment, tree in made)
    # Not before `late` has set rows aside, whose turn comes later; not after anything is taken out.
    ahead = next((number for number, item in enumerate(statements, start=1) if item.name == "late"), 0)
    events = group_events(table, target=target, stage=stage, fresh=fresh)
    statements = (*before_upsert(table), *statements[:ahead], *events, *statements[ahead:], *after_upsert(table))
    return Step(table.logical, StepName.UPSERT, statements)


def _unique_key_statements(
    table: TablePlan, *, target: exp.Expr, stage: exp.Expr, park: exp.Expr, fresh: exp.Expr, assignments: list[exp.Expr]
) -> list[tuple[str, str, exp.Expr]]:
    same = same_key(table, "t", "s")
    uniques = [key.columns for key in table.unique_keys]
    same_value = sql.any_of(sql.paren(same_columns(columns, "t", "s")) for columns in uniques)
    same_value = sql.paren(same_value) if len(uniques) > 1 else same_value
    changed = {name for columns in uniques for name in columns}
    changes = exp.not_(
        sql.paren(
            sql.all_of(exp.NullSafeEQ(this=sql.column(n, "t"), expression=sql.column(n, "s")) for n in sorted(changed))
        )
    )
    ours = [sql.named(sql.column(name, "s"), f"ours_{name}") for name in table.key]
    theirs = [sql.named(sql.column(name, "t"), f"theirs_{name}") for name in table.key]
    late = fill(
        _LATE,
        "mysql",
        stage=stage,
        stage_again=stage,
        target=target,
        holding=same_key(table, "t", "v"),
        collides=same_value,
    )
    clear = fill(
        _CLEAR,
        "mysql",
        target=target,
        stage=stage,
        stage_again=stage,
        same_value=same_value,
        leaving=same_key(table, "t", "v"),
        same=same,
    )
    make_room = fill(
        _MAKE_ROOM,
        "mysql",
        target=target,
        stage=stage,
        stage_again=stage,
        same_value=same_value,
        leaving=same_key(table, "t", "v"),
    )
    park_rows = fill(_PARK, "mysql", park=park, target=target, stage=stage, same=same, changes=changes, fresh=fresh)
    take_out = fill(_TAKE_OUT, "mysql", park=park, target=target, same=same_key(table, "t", "p"))
    refresh = fill(_REFRESH, "mysql", park=park, stage=stage, same=same, assignments=assignments)
    give_way = fill(_GIVE_WAY, "mysql", target=target, stage=stage, same_value=same_value, same=same)
    collision = fill(
        _COLLISION,
        "mysql",
        target=target,
        stage=stage,
        stage_again=stage,
        same_value=same_value,
        same=same,
        in_batch=same_key(table, "t", "b"),
        ours=ours,
        theirs=theirs,
    )
    return [
        ("late", "Rows that need a value of a row which leaves, or waits itself, wait for it. Until none is found.", late),
        ("clear", "Rows that the batch deletes make room.", clear),
        ("make_room", "For the late ones: rows that leave give up the values that are waited for.", make_room),
        ("park_table", "Before the transaction: a place for whole rows, without the unique keys.",
         fill(_PARK_TABLE, "mysql", park=park, target=target)),
        ("park", "Rows whose unique values change ...", park_rows),
        ("take_out", "... are taken out ...", take_out),
        ("give_way", "While copying: a row copied from a later position gives way; its own event restores it.", give_way),
        ("refresh", "... get their new values ...", refresh),
        ("put_back", "... and are put back.", fill(_PUT_BACK, "mysql", target=target, park=park)),
        ("unpark_table", "After the transaction.", fill(_UNPARK_TABLE, "mysql", park=park)),
        ("collision", "Asked when the server reports a duplicate: which of our rows meets which foreign one.", collision),
    ]  # fmt: skip


def _fresh(table: TablePlan) -> exp.Expr:
    """Our row may overwrite: the target's version is not newer, or it is the version we started from (C2). That version
    may stand in a change that yielded: the row's first one in this batch, under another spelling of its key."""
    if table.version_column is None:
        return exp.true()
    fresh = _not_newer(table.version_column)
    if not is_settled_by_server(table):
        return fresh
    yielded = fill(
        _YIELDED,
        "mysql",
        stage=sql.table(table.stage_table),
        yielded=sql.text(YIELDED),
        same=same_key(table, "y", "t"),
        theirs=sql.column(table.version_column, "t"),
    )
    return sql.paren(sql.any_of([fresh, yielded]))


@lru_cache(maxsize=1024)
def _not_newer(version: str) -> exp.Expr:
    theirs, ours = sql.column(version, "t"), sql.column(version, "s")
    return shared(fill(_FRESH, "mysql", theirs=theirs, theirs_again=theirs, ours=ours))
