"""Several source tables that make one: which of them each row of a physical table came from (contract C5).

A key may be in one source table only. Where it goes from one to another, the log has two events, and batches and
chunks may see the second before the first. So every row on the target has an owner. A change from another source is an
ownership conflict: the runtime asks the source, in one snapshot, which of the two tables have the key now. Both: the
run stops and names them. One: its row counts, and the other's insert or delete has no effect.

Chunks and batches are written at the same time. Each writes its rows first and then their owners, so the second of two
transactions with one key waits for the first. A chunk asks for conflicts behind that. A batch has to ask before, since
its rows replace others; it asks again behind (`hold_owner`, `late_conflicts`).
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.plan.plan import Statement, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import key_variable, text_form
from shardwright.compiler.steps.keys import same_columns, same_key

_THIS = "s.sw_batch = @sw_batch AND s.sw_part = @sw_part AND s.sw_action = @sw_action"

_OWNER_CONFLICTS = f"""
SELECT o.sw_source AS current_owner, s.sw_source AS incoming, hole_key
FROM hole_stage AS s JOIN hole_owner AS o ON o.sw_part = s.sw_part AND hole_same
WHERE {_THIS} AND o.sw_source <> s.sw_source
  AND NOT EXISTS (
    SELECT 1 FROM hole_stage_again AS d
    WHERE d.sw_batch = @sw_batch AND d.sw_part = @sw_part AND d.sw_action IN ('delete', 'move_out')
      AND d.sw_source = o.sw_source AND hole_leaving
  )
"""

# Of rows that `hold_owner` has locked: it sees what was committed since the transaction began.
_LATE_CONFLICTS = f"{_OWNER_CONFLICTS} FOR UPDATE"

_BATCH_CONFLICTS = f"""
SELECT v.sw_source AS current_owner, s.sw_source AS incoming, hole_key
FROM hole_stage AS s JOIN hole_stage_again AS v
  ON v.sw_batch = s.sw_batch AND v.sw_part = s.sw_part AND v.sw_source < s.sw_source AND hole_same
WHERE {_THIS} AND v.sw_action IN ('upsert', 'deferred')
"""

_SKIP_INCOMING = """
UPDATE hole_stage AS s SET s.sw_action = 'obsolete'
WHERE s.sw_batch = @sw_batch AND s.sw_part = @sw_part AND s.sw_action IN ('upsert', 'deferred')
  AND s.sw_source = @sw_source AND hole_this
"""

_ENTER_OWNER = f"""
INSERT INTO hole_owner (sw_part, hole_names, sw_source)
SELECT s.sw_part, hole_values, s.sw_source FROM hole_stage AS s WHERE {_THIS}
"""
_SET_OWNER = f"{_ENTER_OWNER} ON DUPLICATE KEY UPDATE sw_source = s.sw_source"
# A row that has an owner stays as it is, and is locked.
_HOLD_OWNER = f"{_ENTER_OWNER} ON DUPLICATE KEY UPDATE sw_part = s.sw_part"

_RELEASE_OWNER = f"""
DELETE o FROM hole_owner AS o JOIN hole_stage AS s ON o.sw_part = s.sw_part AND hole_same
WHERE {_THIS} AND o.sw_source = s.sw_source
"""

_FOREIGN = """
NOT EXISTS (
  SELECT 1 FROM hole_owner AS o WHERE o.sw_part = hole_part AND hole_same AND o.sw_source <> hole_incoming
)
"""

_LEFT_OUT = """
SELECT hole_key, o.sw_source AS current_owner, hole_their_key
FROM (
  SELECT c.* FROM hole_chunk AS c
  WHERE c.sw_part = @sw_part
    AND NOT EXISTS (SELECT 1 FROM hole_target_again AS t WHERE hole_same)
    AND NOT EXISTS (SELECT 1 FROM hole_tombstone AS d WHERE d.sw_part = c.sw_part AND hole_gone)
  LIMIT 10
) AS c
LEFT JOIN hole_target AS u ON hole_same_value
LEFT JOIN hole_owner AS o ON o.sw_part = c.sw_part AND hole_owned
"""
"""The few rows first: whose values they need is asked of several indexes at a time."""

_CHUNK_CONFLICTS = """
SELECT o.sw_source AS current_owner, c.sw_source AS incoming, hole_key
FROM hole_chunk AS c JOIN hole_owner AS o ON o.sw_part = c.sw_part AND hole_same
WHERE c.sw_part = @sw_part AND o.sw_source <> c.sw_source
"""

_CHUNK_SET_OWNER = """
INSERT INTO hole_owner (sw_part, hole_names, sw_source)
SELECT c.sw_part, hole_values, c.sw_source FROM hole_chunk AS c
JOIN hole_target AS t ON hole_same
WHERE c.sw_part = @sw_part
  AND NOT EXISTS (SELECT 1 FROM hole_owner_again AS o WHERE o.sw_part = c.sw_part AND hole_owned)
"""

_RELEASE_ROW = "DELETE FROM hole_target WHERE hole_this"
_CHUNK_RELEASE_OWNER = "DELETE FROM hole_owner WHERE sw_part = @sw_part AND hole_this"


def before_upsert(table: TablePlan) -> tuple[Statement, ...]:
    """Finds and ends ownership conflicts. Nothing for a table with one source."""
    if table.ours.owner is None:
        return ()
    stage = sql.table(table.ours.stage)
    in_batch = fill(
        _BATCH_CONFLICTS,
        "mysql",
        stage=stage,
        stage_again=stage,
        key=_key_text(table, "s"),
        same=same_key(table, "v", "s"),
    )
    back = fill(_SKIP_INCOMING, "mysql", stage=stage, this=_this_key(table, "s"))
    return (
        Statement(
            "owner_conflicts",
            "Keys that come from one source table while another one owns the row.",
            _sql(_conflicts(table, _OWNER_CONFLICTS)),
        ),
        Statement("batch_conflicts", "Keys that come from two source tables in one batch.", _sql(in_batch)),
        Statement(
            "skip_incoming", "The change of a source that does not have the key any more has no effect.", _sql(back)
        ),
    )


def _conflicts(table: TablePlan, template: str) -> exp.Expr:
    stage, owner = sql.table(table.ours.stage), sql.table(table.ours.owner or "")
    return fill(
        template,
        "mysql",
        stage=stage,
        stage_again=stage,
        owner=owner,
        key=_key_text(table, "s"),
        same=same_key(table, "o", "s"),
        leaving=same_key(table, "d", "s"),
    )


def after_upsert(table: TablePlan) -> tuple[Statement, ...]:
    if table.ours.owner is None:
        return ()
    owner, stage = sql.table(table.ours.owner), sql.table(table.ours.stage)
    names = [sql.identifier(name) for name in table.key]
    values = [sql.column(name, "s") for name in table.key]
    hold = fill(_HOLD_OWNER, "mysql", owner=owner, stage=stage, names=names, values=values)
    set_owner = fill(_SET_OWNER, "mysql", owner=owner, stage=stage, names=names, values=values)
    return (
        Statement("hold_owner", "While chunks are written beside: no row changes its owner from here on.", _sql(hold)),
        Statement(
            "late_conflicts",
            "Then: those that a chunk has written since owner_conflicts. The transaction begins again.",
            _sql(_conflicts(table, _LATE_CONFLICTS)),
        ),
        Statement("set_owner", "The source tables that the rows came from.", _sql(set_owner)),
    )


def after_delete(table: TablePlan) -> tuple[Statement, ...]:
    if table.ours.owner is None:
        return ()
    tree = fill(
        _RELEASE_OWNER,
        "mysql",
        owner=sql.table(table.ours.owner),
        stage=sql.table(table.ours.stage),
        same=same_key(table, "o", "s"),
    )
    return (Statement("release_owner", "Deleted rows have no owner.", _sql(tree)),)


def not_owned_by_another(table: TablePlan, alias: str, *, row: str | None = None) -> exp.Expr:
    """Condition on a row of the stage or of the tombstones: no other source than its own owns the row with its key, or
    with the key of `row`. A source only deletes what came from it."""
    if table.ours.owner is None:
        return exp.true()
    return fill(
        _FOREIGN,
        "mysql",
        owner=sql.table(table.ours.owner),
        part=sql.column("sw_part", alias),
        incoming=sql.column("sw_source", alias),
        same=same_key(table, "o", row or alias),
    )


def chunk_exclusions(table: TablePlan, *, target: exp.Expr, chunk: exp.Expr) -> tuple[Statement, ...]:
    """Nothing for a table with one source: two rows of it that have one unique value, one after the other, have events
    that say which of them has it."""
    if table.ours.owner is None or not table.shares_unique_values:
        return ()
    values = [sql.paren(same_columns(key.columns, "u", "c")) for key in table.identity.unique_keys]
    tree = fill(
        _LEFT_OUT,
        "mysql",
        chunk=chunk,
        target=target,
        target_again=target,
        owner=sql.table(table.ours.owner),
        tombstone=sql.table(table.ours.tombstone),
        key=_key_text(table, "c"),
        their_key=_key_text(table, "u", called="sw_their_key"),
        same_value=sql.any_of(values or [exp.false()]),
        owned=same_key(table, "o", "u"),
        same=same_key(table, "t", "c"),
        gone=same_tombstone(table, "d", "c"),
    )
    comment = (
        "Behind the insert: rows whose unique value a row of another source has; with that one, where it is known."
    )
    return (Statement("left_out", comment, _sql(tree)),)


def tombstone_key(table: TablePlan) -> tuple[str, ...]:
    """The columns of a tombstone's key behind `sw_part`. Each source table has tombstones of its own: a row that went
    to another one, which the stream does not see when it came there before the start, is in that one's chunk."""
    return table.key if table.ours.owner is None else (*table.key, "sw_source")


def same_tombstone(table: TablePlan, tombstone: str, other: str) -> exp.Expr:
    """Condition: a tombstone is of the row of a stage or of a chunk, and of the same source table."""
    same = same_key(table, tombstone, other)
    if table.ours.owner is None:
        return same
    return sql.all_of([same, sql.column("sw_source", tombstone).eq(sql.column("sw_source", other))])


def around_chunk_insert(table: TablePlan, *, target: exp.Expr, chunk: exp.Expr) -> tuple[Statement, ...]:
    if table.ours.owner is None:
        return ()
    owner = sql.table(table.ours.owner)
    conflicts = fill(
        _CHUNK_CONFLICTS, "mysql", chunk=chunk, owner=owner, key=_key_text(table, "c"), same=same_key(table, "o", "c")
    )
    set_owner = fill(
        _CHUNK_SET_OWNER,
        "mysql",
        owner=owner,
        owner_again=owner,
        chunk=chunk,
        target=target,
        names=[sql.identifier(name) for name in table.key],
        values=[sql.column(name, "c") for name in table.key],
        same=same_key(table, "t", "c"),
        owned=same_key(table, "o", "c"),
    )
    release_row = fill(_RELEASE_ROW, "mysql", target=target, this=_this_key(table, None))
    release_owner = fill(_CHUNK_RELEASE_OWNER, "mysql", owner=owner, this=_this_key(table, None))
    return (
        Statement("owner_conflicts", "Behind the insert: rows of the chunk that another source owns.", _sql(conflicts)),
        Statement("release_row", "A row whose source does not have it any more is deleted.", _sql(release_row)),
        Statement("release_owner", "It has no owner then.", _sql(release_owner)),
        Statement("set_owner", "After the insert: the source table that the rows came from.", _sql(set_owner)),
    )


def _key_text(table: TablePlan, alias: str, *, called: str = "sw_key") -> list[exp.Expr]:
    return [
        exp.alias_(text_form(sql.column(column.target, alias), column.type), sql.identifier(f"{called}_{index}"))
        for index, column in enumerate(table.key_columns, start=1)
    ]


def _this_key(table: TablePlan, alias: str | None) -> exp.Expr:
    return sql.all_of(
        sql.column(column.target, alias).eq(key_variable(f"sw_key_{index}", column.type))
        for index, column in enumerate(table.key_columns, start=1)
    )


def _sql(tree: exp.Expr) -> str:
    return sql.to_sql(tree, "mysql")
