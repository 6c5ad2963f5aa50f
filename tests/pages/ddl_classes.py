"""The page `docs/reference/ddl-classes.md`, from the rules of routed DDL."""

from __future__ import annotations

from shardwright.compiler.ddl.alter.cost import Cost, Way

_HEAD = """\
# Classes of DDL

Generated from `compiler/ddl/alter/cost.py`. A class says what a change of a DDL file means for a physical table, and which
approval `shardwright ddl apply` asks for:

| class | what it means for the table | needs |
|---|---|---|
| `instant` | no row is touched | nothing |
| `in_place` | the server builds, writers continue; perhaps it rebuilds the whole table | nothing |
| `blocking` | the server builds in place, writers wait, readers do not | `--allow SW8422` |
| `copying` | the server copies the table: time and room for all of it. Writers wait (on MariaDB from 11.2 on they do not) | `--allow SW8421` |

*Destructive* is shown beside the class: dropping a column is instant and cannot be undone (`--allow SW8420`).

The server keeps the class as a promise: the statement in the plan asks for exactly that algorithm and lock, and a server
that cannot keep it refuses and changes nothing. The rules follow the manuals of MySQL 8.0.29 to 9 and MariaDB 10.11 to
11, and `tests/ddl/test_classes.py` checks them on both servers. Of several clauses in one statement the gravest decides.
Some clauses are heavier together:

* a virtual column, or an index over an expression, beside anything else is `copying`;
* on MariaDB a new column beside a new index is `in_place`, and the server builds the whole table again.

Two statements may be lighter than one. What the rules cannot decide for certain is `copying`. An `ALGORITHM=` or `LOCK=`
in the file is kept and decides about the class.

| clause | MySQL | MariaDB |
|---|---|---|
"""


def page() -> str:
    """Markdown, ending in a line break."""
    rows = (f"| {cost.words} | {_cell(cost.mysql)} | {_cell(cost.mariadb)} |\n" for cost in Cost)
    return _HEAD + "".join(rows)


def _cell(way: Way) -> str:
    return f"{way.ddl_class}: `{way}`"
