"""What a lookup table has for keys that are asked for, where only a server knows which spellings are one key.

The keys of a task are put into a temporary table on the first shard, whose columns have the key's own type and
collation. A second one, with a primary key, keeps the first of those that are one. One statement then says of each key
what is there, and which line stands for it (`sw_same`). So nothing outside of the server compares texts, and the server
compares them as its indexes do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from shardwright.compiler.plan.plan import Statement, TablePlan, bookkeeping_name
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.bookkeeping import column_definition
from shardwright.compiler.steps.joined_places import Joins
from shardwright.compiler.steps.keys import same_columns
from shardwright.compiler.steps.lookup import is_collapsed_by_server

_TABLE = """
CREATE TEMPORARY TABLE IF NOT EXISTS hole_asked (
  sw_line INT NOT NULL, hole_columns, PRIMARY KEY (hole_key)
) ENGINE=InnoDB
"""
_ASK = "INSERT INTO hole_asked (sw_line, hole_names) VALUES (`${keys}`)"
_FIRST = """
INSERT INTO hole_first (sw_line, hole_names) SELECT a.sw_line, hole_key FROM hole_asked AS a
ON DUPLICATE KEY UPDATE sw_line = hole_line
"""
_ANSWERS = """
SELECT a.sw_line, f.sw_line AS sw_same, hole_found
FROM hole_asked AS a JOIN hole_first AS f ON hole_one LEFT JOIN hole_lookup_table AS t ON hole_same{joins}
"""
_FORGET = "DELETE FROM hole_asked"


def key_lookup_statements(
    lookup_table: TablePlan, *, kinds: Mapping[str, exp.DataType], found: Sequence[exp.Expr], joins: Joins
) -> tuple[Statement, ...]:
    """`found` are columns of the lookup table's row `t`, or of rows above it; NULL where there is none. No statements
    where every key has one spelling: such keys are looked up by their text."""
    if not is_collapsed_by_server(lookup_table):
        return ()
    asked, first = (
        sql.table(bookkeeping_name(prefix, lookup_table.logical)) for prefix in ("_sw_asked_", "_sw_first_")
    )
    columns = [
        column_definition(column.target, kinds[column.target], column.type, nullable=False)
        for column in lookup_table.lookup_columns
    ]
    asked_names = tuple(column.target for column in lookup_table.lookup_columns)
    names = [sql.identifier(name) for name in asked_names]
    key = [sql.column(name, "a") for name in asked_names]
    answers = fill(
        _ANSWERS.format(joins=joins.text("LEFT JOIN")) + joins.order,
        "mysql",
        found=found,
        asked=asked,
        first=first,
        lookup_table=sql.table(lookup_table.logical),
        one=same_columns(asked_names, "f", "a"),
        same=same_columns(asked_names, "t", "a"),
        **joins.holes,
    )
    made = (
        ("asked_table", "Once in a session: where keys are put that are asked for.",
         fill(_TABLE, "mysql", asked=asked, columns=columns, key=sql.identifier("sw_line"))),
        ("first_table", "Once in a session: the first of those that are one key.",
         fill(_TABLE, "mysql", asked=first, columns=columns, key=names)),
        ("ask", "`${keys}` are keys, each behind its line.", fill(_ASK, "mysql", asked=asked, names=names)),
        ("first", "Of lines with one key, the first stays.",
         fill(_FIRST, "mysql", first=first, line=sql.column("sw_line", first.name), names=names, key=key, asked=asked)),
        ("answers", "What is there for each of them, and the first line of the same key.", answers),
        ("forget_asked", "Before other keys are asked for.", fill(_FORGET, "mysql", asked=asked)),
        ("forget_first", "The same.", fill(_FORGET, "mysql", asked=first)),
    )  # fmt: skip
    return tuple(Statement(name, comment, sql.to_sql(tree, "mysql")) for name, comment, tree in made)
