"""Stream: which rows of a batch the target has, before the decision. After it, changes of rows that the server takes
for one are joined.

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

from sqlglot import exp

from shardwright.compiler.plan.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import one_spelling, text_form
from shardwright.compiler.steps.keys import as_one, column_of_target, same_key, target_with_origin

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

_HOME = "CONCAT(hole_database, '.', hole_table)"
_NTH = "ELT(hole_number + 1, hole_names)"


def lookup(table: TablePlan, home: exp.Expr | None = None) -> Step:
    """MySQL: which of a batch's keys exist in one physical table, with their version. `${keys}` is the key list. On the
    way back also `home`: the shard's table where the row belongs by its values."""
    version = next((column for column in table.columns if column.target == table.writes.version_column), None)
    columns = [text_form(column_of_target(table, column.target, "t"), column.type) for column in table.key_columns]
    columns.append(text_form(sql.column(version.target, "t"), version.type) if version else exp.Null())
    if home is not None:
        columns.append(sql.alias(home, "sw_home"))
    tree = fill(
        _LOOKUP,
        "mysql",
        columns=columns,
        target=target_with_origin(table),
        key=as_one([column_of_target(table, name, "t") for name in table.key]),
    )
    comment = "The rows of a batch that exist in one physical table already."
    return Step(table.logical, StepName.LOOKUP, (Statement("lookup", comment, sql.to_sql(tree, "mysql")),))


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
