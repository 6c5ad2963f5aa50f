"""Stream, fourth step: what each routed change means against the rows that are on the target, after changes of rows
that
the server takes for one were joined.

The look-up feeds the filter; the filter narrows the work and names the decision. It never has the last word: the
guarded statements of `upsert` and `delete` decide again inside the shard's transaction, so a row that changes between
look-up and write cannot be overwritten.

Keys that are spelt differently (hazards D1, D2): Spark merges by the spelling of a key: 'abc' and 'ABC' are two changes
there, each the last of its spelling. Under a collation that ignores letter case or accents only the server knows which
spellings are one row. So it decides, over the stage of a batch and before any of it takes effect: of the changes whose
keys it calls equal, in one physical table, the last in log order stays and the others are obsolete. That is the merge
of the nine pairs once more, since images are whole rows; where one event is both (an update of the spelling: delete of
the old one, insert of the new one), the insert stays. Grouping by a finer key first and joining what the server calls
one afterwards needs no table of any collation's letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sqlglot import exp

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import READ_AGAIN, Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.printer import shared
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import one_spelling, printed_text
from shardwright.compiler.steps.keys import as_one, asked_column, asked_target, same_key

OBSOLETE = "obsolete"
"""The action of a staged change that has no effect, because another one of its row counts."""

_COLLAPSE = """
UPDATE hole_stage AS s
JOIN (
  SELECT sw_part, sw_source, hole_names
  FROM hole_stage_again
  WHERE sw_batch = @sw_batch
  GROUP BY sw_part, sw_source, hole_names_again
  HAVING COUNT(*) > 1
) AS n ON n.sw_part = s.sw_part AND n.sw_source = s.sw_source AND hole_several
JOIN hole_stage_third AS v
  ON v.sw_batch = s.sw_batch AND v.sw_part = s.sw_part AND v.sw_source = s.sw_source AND hole_same
SET s.sw_action = hole_obsolete
WHERE s.sw_batch = @sw_batch
  AND (
    v.sw_file > s.sw_file
    OR (v.sw_file = s.sw_file AND v.sw_offset > s.sw_offset)
    OR (v.sw_file = s.sw_file AND v.sw_offset = s.sw_offset AND v.sw_row > s.sw_row)
    OR (
      v.sw_file = s.sw_file AND v.sw_offset = s.sw_offset AND v.sw_row = s.sw_row
      AND v.sw_action = 'upsert' AND s.sw_action <> 'upsert'
    )
  )
"""


def is_collapsed_by_server(table: TablePlan) -> bool:
    """Whether keys that are spelt differently may be one row's."""
    return not all(one_spelling(column.type) for column in table.key_columns)


def collapse(table: TablePlan) -> tuple[Step, ...]:
    """No step for a table whose keys have one spelling."""
    if not is_collapsed_by_server(table):
        return ()
    stage, names = sql.table(table.ours.stage), [sql.column(name) for name in table.key]
    tree = fill(
        _COLLAPSE,
        "mysql",
        stage=stage,
        stage_again=stage,
        stage_third=stage,
        names=names,
        names_again=names,
        several=same_key(table, "n", "s"),
        same=same_key(table, "v", "s"),
        obsolete=sql.text(OBSOLETE),
    )
    comment = "Of staged changes whose keys the server calls equal, the last in log order stays."
    return (Step(table.logical, StepName.COLLAPSE, (Statement("collapse", comment, sql.to_sql(tree, "mysql")),)),)


_LOOKUP = "SELECT hole_columns FROM hole_target AS t WHERE hole_key IN (`${keys}`)"

DECIDED = """
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
  {decision} AS decision
FROM looked_up
WHERE `table` IN (`${{tables}}`)
"""

_FILTER = DECIDED.format(
    decision="""CASE
    WHEN action <> 'upsert' AND hole_remember AND snapshot_open THEN 'defer'
    WHEN action <> 'upsert' AND found THEN 'delete'
    WHEN action <> 'upsert' AND snapshot_open THEN 'delete'
    WHEN action <> 'upsert' THEN hole_not_found
    WHEN found AND hole_stale THEN 'skip'
    WHEN found THEN 'update'
    ELSE 'insert'
  END"""
)

_BACK = """CASE
    WHEN hole_elsewhere THEN 'reread'
    {leaving}WHEN action <> 'upsert' AND found THEN 'delete'
    WHEN action <> 'upsert' THEN hole_not_found
    WHEN found THEN 'update'
    ELSE 'insert'
  END"""
_FILTER_BACK = DECIDED.format(decision=_BACK.format(leaving=""))
_FILTER_BACK_KEEPING = DECIDED.format(
    decision=_BACK.format(leaving="WHEN op = 'D' AND found THEN 'delete_if_gone'\n    ")
)
_IN_SEVERAL = """
MIN(source_table) OVER (PARTITION BY `table`, key) <> MAX(source_table) OVER (PARTITION BY `table`, key)
OR (found AND NOT found_home <=> source_table)
"""
_ELSEWHERE = f"op <> hole_again AND ({_IN_SEVERAL})"
_HOME = "CONCAT(hole_database, '.', hole_table)"
_NTH = "ELT(hole_number + 1, hole_names)"

_STALE = "hole_target > hole_ours AND NOT hole_target_again <=> hole_first"


def lookup(table: TablePlan, home: exp.Expr | None = None) -> Step:
    """MySQL: which of a batch's keys exist in one physical table, with their version. `${keys}` is the key list. On the
    way back also `home`: the shard's table where the row belongs by its values."""
    version = next((column for column in table.columns if column.target == table.writes.version_column), None)
    columns = [printed_text(asked_column(table, column.target, "t"), column.type) for column in table.key_columns]
    columns.append(printed_text(sql.column(version.target, "t"), version.type) if version else exp.Null())
    if home is not None:
        columns.append(sql.named(home, "sw_home"))
    tree = fill(
        _LOOKUP,
        "mysql",
        columns=columns,
        target=asked_target(table),
        key=as_one([asked_column(table, name, "t") for name in table.key]),
    )
    comment = "The rows of a batch that exist in one physical table already."
    return Step(table.logical, StepName.LOOKUP, (Statement("lookup", comment, sql.to_sql(tree, "mysql")),))


def filter_changes(table: TablePlan) -> Step:
    """Reads view `looked_up` (routed changes with found, found_version, snapshot_open), yields `decided`. Tables that
    are decided alike have one text; `${tables}` are the names of those that the statement is for. The look-up
    finds rows by the spelling of their keys: where there may be others, nothing is left out for what it found."""
    several = is_collapsed_by_server(table)
    version = next((column for column in table.columns if column.target == table.writes.version_column), None)
    tree = fill(
        _FILTER,
        "spark",
        remember=exp.true() if table.deletes.are_remembered else exp.false(),
        not_found=sql.text("delete" if several else "skip"),
        stale=_stale(version.type) if version and not several else exp.false(),
    )
    comment = "The decision per change: insert, update, delete, skip (stale or nothing there), defer (tombstone first)."
    return Step(table.logical, StepName.FILTER, (Statement("filter", comment, sql.to_sql(tree, "spark")),))


def home_of(table: TablePlan, place: tuple[exp.Expr, exp.Expr]) -> exp.Expr:
    """MySQL: the name of the shard's table at a place, of those that are the sources of a backward plan's table."""
    names = [
        _nth(number, listed)
        for number, listed in zip(place, (table.source.databases, table.source.tables), strict=True)
    ]
    return fill(_HOME, "mysql", database=names[0], table=names[1])


def _nth(number: exp.Expr, names: Sequence[str]) -> exp.Expr:
    texts = [sql.text(name) for name in names]
    return texts[0] if len(texts) == 1 else fill(_NTH, "mysql", number=number, names=texts)


def filter_back(table: TablePlan, *, checks_home: bool) -> Step:
    """Reads view `looked_up` (with found and found_home), yields `decided`. The logs of different shards have no order
    between them. So an event counts as it is where the row at the source belongs to the shard that the event comes
    from, or where no row is there, and where no other shard has an event of the row in this batch. Otherwise the row
    is read again from the shards, and what exists there decides: it comes with the operation READ_AGAIN. `checks_home`:
    rows are spread over several tables.

    A delete may be one half of a move whose other half is in a later batch, since the other log is late. A row of the
    source that has columns which no row of the shards brings must not be deleted and inserted again: so the shards are
    asked for the keys of their deletes. The row is deleted unless a shard has it: then it is read again."""
    several = is_collapsed_by_server(table)
    asks = checks_home and table.keeps_columns
    tree = fill(
        _FILTER_BACK_KEEPING if asks else _FILTER_BACK,
        "spark",
        elsewhere=fill(_ELSEWHERE, "spark", again=sql.text(READ_AGAIN)) if checks_home else exp.false(),
        not_found=sql.text("delete" if several else "skip"),
    )
    decisions = "insert, update, delete, skip (nothing there), reread (from the shards, by key)"
    if asks:
        decisions += ", delete_if_gone (delete, unless a shard has the row: then reread)"
    comment = f"The decision per change: {decisions}."
    return Step(table.logical, StepName.FILTER, (Statement("filter", comment, sql.to_sql(tree, "spark")),))


@lru_cache(maxsize=128)
def _stale(kind: ColumnType) -> exp.Expr:
    """A newer version than ours stands on the target, and not the one we started from."""
    condition = fill(
        _STALE,
        "spark",
        target=_comparable(sql.column("found_version"), kind),
        ours=_comparable(sql.column("version"), kind),
        target_again=_comparable(sql.column("found_version"), kind),
        first=_comparable(sql.column("version_before"), kind),
    )
    return shared(sql.paren(condition))


def _comparable(value: exp.Expr, kind: ColumnType) -> exp.Expr:
    """Temporal text of one precision orders as text; numbers are compared as numbers."""
    return sql.cast(value, "DECIMAL(38, 0)") if kind.is_integer else value
