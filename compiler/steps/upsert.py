"""Guarded upsert of a batch into one physical table, in one transaction with its ledger row.

No REPLACE, no INSERT IGNORE, no ON DUPLICATE KEY UPDATE: each of them can hit a row by another unique key than the one
that was meant (hazard D12). Instead, in this order:

  forget_tombstones  of the keys that come back
  defer              [unique keys] rows that need the value of a row which is about to leave this table get action
                     'deferred'; repeated until it finds none, because a row may need the value of a deferred one
  free_values        [unique keys, in the deferred sub-step only] deletes the leaving rows whose values the deferred
                     ones need, and no others: those leave in the order of weights
  event_N            field groups with on_change: event, see `groups`
  delete_early       [unique keys] rows that the batch deletes are deleted now where their value is needed; the other
                     deletes come later
  stash              [unique keys] rows whose unique values change are kept whole in a temporary table and deleted
                     (`remove_stashed`), so that swaps cannot collide (C6). Whole are all columns that take values,
                     which the server is asked for (`written_columns`): no generated ones, and invisible ones too
  restore            [unique keys] they come back with their new values (`update_stash`); columns that only the target
                     has keep theirs
  yield_to_stream    [unique keys, while copying] rows that a chunk copied from a later position free the value (C4)
  make_room          [unique keys of `beginnings`, while copying] the same, once the server has refused a statement
  insert_new         rows that do not exist, as far as the batch knows: the server refuses all of them if one exists,
                     and `insert` finds out which
  insert             rows that do not exist
  update             rows that exist (also those a chunk inserted a moment ago), unless the version guard says otherwise

A unique key over how values begin or over an expression has statements of its own, with a number: `defer_1` and so on,
see `beginnings`.
Where several source tables make one, `owner_conflicts` and `batch_conflicts` come before all of these, `set_owner`
after them: see `owners`.

Insert comes before update on purpose: a row that appears in between is then found by the update.
"""

from __future__ import annotations

from functools import lru_cache

from sqlglot import exp

from shardwright.compiler.plan.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.printer import share
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.beginnings import beginnings, collisions_inside
from shardwright.compiler.steps.groups import assignments, group_events
from shardwright.compiler.steps.keys import own_key, physical_table, same_key, unique_part
from shardwright.compiler.steps.lookup import OBSOLETE, is_collapsed_by_server
from shardwright.compiler.steps.owners import after_upsert, before_upsert, same_tombstone
from shardwright.compiler.steps.whole_values import THIS, whole_values

_FORGET = f"DELETE t FROM hole_tombstone AS t JOIN hole_stage AS s ON t.sw_part = s.sw_part AND hole_came WHERE {THIS}"

_WRITTEN_COLUMNS = """
SELECT column_name FROM information_schema.columns
WHERE table_schema = hole_schema AND table_name = hole_name AND COALESCE(generation_expression, '') = ''
ORDER BY ordinal_position
"""

_STASH_TABLE = """
CREATE TEMPORARY TABLE hole_stash (PRIMARY KEY (hole_key)) AS SELECT `${columns}` FROM hole_target LIMIT 0
"""

_STASH = f"""
INSERT INTO hole_stash
SELECT t.`${{columns}}` FROM hole_target AS t JOIN hole_stage AS s ON hole_same
WHERE {THIS} AND hole_changes AND hole_fresh
"""

_REMOVE_STASHED = "DELETE t FROM hole_target AS t JOIN hole_stash AS p ON hole_same"

_UPDATE_STASH = f"UPDATE hole_stash AS t JOIN hole_stage AS s ON hole_same SET hole_assignments WHERE {THIS}"

_RESTORE = "INSERT INTO hole_target (`${columns}`) SELECT `${columns}` FROM hole_stash"

_DROP_STASH_TABLE = "DROP TEMPORARY TABLE hole_stash"

_INSERT_NEW = f"INSERT INTO hole_target (hole_names) SELECT hole_values FROM hole_stage AS s WHERE {THIS}"

_INSERT = f"{_INSERT_NEW} AND NOT EXISTS (SELECT 1 FROM hole_target AS t WHERE hole_same)"

_UPDATE = f"""
UPDATE hole_target AS t JOIN hole_stage AS s ON hole_same
SET hole_assignments
WHERE {THIS} AND hole_fresh
"""

_OBSOLETE = """
EXISTS (
  SELECT 1 FROM hole_stage AS y
  WHERE y.sw_batch = @sw_batch AND y.sw_part = @sw_part AND y.sw_action = hole_obsolete
    AND hole_same AND y.sw_version_before <=> hole_theirs
)
"""

_FRESH = "NOT (hole_theirs > hole_ours AND NOT hole_theirs_again <=> s.sw_version_before)"


def upsert(table: TablePlan) -> Step:
    """The statements above; which of them exist depends on the table's unique keys and delete policy."""
    target, stage, stash = (
        physical_table(table),
        sql.table(table.ours.stage),
        sql.table(table.ours.stash + "${suffix}"),
    )
    same = same_key(table, "t", "s")
    names = [column.target for column in table.physical_columns]
    written = assignments(table)
    fresh = _fresh(table)
    made: list[tuple[str, str, exp.Expr]] = []
    if table.deletes.are_remembered:
        came = same_tombstone(table, "t", "s")
        forget = fill(_FORGET, "mysql", tombstone=sql.table(table.ours.tombstone), stage=stage, came=came)
        made.append(("forget_tombstones", "Rows that come back need no tombstone any more.", forget))
    if table.identity.every_unique_key:
        made += _unique_key_statements(table, target=target, stage=stage, stash=stash, fresh=fresh, assignments=written)
    born = {} if table.own is None else table.own.born
    row: dict[str, list[exp.Expr]] = {
        "names": [sql.identifier(name) for name in (*names, *born)],
        "values": [*(sql.column(name, "s") for name in names), *map(sql.text, born.values())],
    }
    insert_new = fill(_INSERT_NEW, "mysql", target=target, stage=stage, **row)
    insert = fill(_INSERT, "mysql", target=target, stage=stage, same=same, **row)
    update = fill(_UPDATE, "mysql", target=target, stage=stage, same=same, assignments=written, fresh=fresh)
    made.append(
        (
            "insert_new",
            "When no row exists, as far as the batch knows: the server refuses all of them if one does.",
            insert_new,
        )
    )
    made.append(("insert", "Rows that do not exist.", insert))
    made.append(("update", "Rows that exist, unless the target has a newer version.", update))
    statements = tuple(Statement(name, comment, sql.to_sql(tree, "mysql")) for name, comment, tree in made)
    # Not before `defer` has chosen the rows that come later; not after any row is deleted.
    numbers = (number for number, item in enumerate(statements, start=1) if item.name.startswith("defer"))
    before = max(numbers, default=0)
    events = group_events(table, target=target, stage=stage, fresh=fresh)
    statements = (*before_upsert(table), *statements[:before], *events, *statements[before:], *after_upsert(table))
    return Step(table.logical, StepName.UPSERT, statements)


def _unique_key_statements(
    table: TablePlan,
    *,
    target: exp.Expr,
    stage: exp.Expr,
    stash: exp.Expr,
    fresh: exp.Expr,
    assignments: list[exp.Expr],
) -> list[tuple[str, str, exp.Expr]]:
    schema = sql.text("${database}") if table.names_database else exp.Anonymous(this="SCHEMA")
    same = same_key(table, "t", "s")
    changed = {part for key in table.identity.every_unique_key for part in key.parts}
    changes = exp.not_(
        sql.paren(
            sql.all_of(
                exp.NullSafeEQ(this=unique_part(*part, "t"), expression=unique_part(*part, "s"))
                for part in sorted(changed)
            )
        )
    )
    stash_rows = fill(_STASH, "mysql", stash=stash, target=target, stage=stage, same=same, changes=changes, fresh=fresh)
    remove_stashed = fill(_REMOVE_STASHED, "mysql", stash=stash, target=target, same=same_key(table, "t", "p"))
    update_stash = fill(_UPDATE_STASH, "mysql", stash=stash, stage=stage, same=same, assignments=assignments)
    whole = whole_values(table, target=target, stage=stage) if table.identity.unique_keys else {}
    numbered = beginnings(table, target=target, stage=stage)
    numbered["collision_inside"] = collisions_inside(table, target=target, stage=stage)

    def of_keys(name: str, comment: str) -> list[tuple[str, str, exp.Expr]]:
        own = [(name, comment, whole[name])] if name in whole else []
        found = enumerate(numbered.get(name, ()), start=1)
        return own + [(f"{name}_{number}", comment, tree) for number, tree in found]

    return [
        *of_keys(
            "defer",
            "Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.",
        ),
        *of_keys("delete_early", "Rows that the batch deletes, where another row needs their unique value."),
        *of_keys("free_values", "For the deferred rows: the leaving rows whose values they need are deleted."),
        ("written_columns", "Before the transaction: `${columns}`, all that the table has and that take values.",
         fill(_WRITTEN_COLUMNS, "mysql", schema=schema, name=sql.text(table.physical))),
        ("stash_table", "Before the transaction: a table for whole rows, without their other unique keys.",
         fill(_STASH_TABLE, "mysql", stash=stash, target=target, key=[sql.identifier(n) for n in own_key(table)])),
        ("stash", "Rows whose unique values change: kept whole in the stash.", stash_rows),
        ("remove_stashed", "Stashed rows are deleted.", remove_stashed),
        *of_keys(
            "yield_to_stream",
            "While copying: a row copied from a later position is deleted; its own event restores it.",
        ),
        *of_keys("make_room", "The same, after the server has refused a statement for such a row."),
        ("update_stash", "Stashed rows get their new values.", update_stash),
        ("restore", "Stashed rows are inserted again.", fill(_RESTORE, "mysql", target=target, stash=stash)),
        ("drop_stash_table", "After the transaction.", fill(_DROP_STASH_TABLE, "mysql", stash=stash)),
        *of_keys(
            "collision", "When the server reports a duplicate: which of our rows collides with which foreign one."
        ),
        *of_keys("collision_inside", "The same question about two rows of the batch."),
    ]  # fmt: skip


def _fresh(table: TablePlan) -> exp.Expr:
    """Our row may overwrite: the target's version is not newer, or it is the version we started from (C2). That version
    may be in a change that is obsolete: the row's first one in this batch, under another spelling of its key."""
    if table.writes.version_column is None:
        return exp.true()
    fresh = _not_newer(table.writes.version_column)
    if not is_collapsed_by_server(table):
        return fresh
    obsolete = fill(
        _OBSOLETE,
        "mysql",
        stage=sql.table(table.ours.stage),
        obsolete=sql.text(OBSOLETE),
        same=same_key(table, "y", "t"),
        theirs=sql.column(table.writes.version_column, "t"),
    )
    return sql.paren(sql.any_of([fresh, obsolete]))


@lru_cache(maxsize=1024)
def _not_newer(version: str) -> exp.Expr:
    theirs, ours = sql.column(version, "t"), sql.column(version, "s")
    return share(fill(_FRESH, "mysql", theirs=theirs, theirs_again=theirs, ours=ours))
