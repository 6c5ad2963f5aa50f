"""Which rules make ProxySQL find the server of a database? Pure.

ProxySQL looks at the text of a statement and computes nothing, so it cannot place a key. The application does, by a
library, and names the database in its connection (`USE`). ProxySQL sends each statement to the server that has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlglot import exp

from shardwright.compiler.router.model import Router
from shardwright.compiler.sql import sql_text

RULES = "proxysql.sql"
_FIRST = 100
"""Of hostgroups and rules, one of each for a database: lower numbers are a team's own."""
_HEAD = """\
-- Made by `shardwright router` for the admin interface of ProxySQL: put the address of each database in its place.
-- The application names the database in its connection, as `route` of a library (--format python, java, ...) says it.
"""


def proxysql(router: Router) -> Mapping[str, str]:
    """The file by name."""
    return {RULES: _HEAD + "".join(f"{line};\n" for line in _statements(router))}


def _statements(router: Router) -> Iterator[str]:
    numbered = list(enumerate(router.databases, _FIRST))
    for number, name in numbered:
        server: dict[str, int | str] = {"hostgroup_id": number, "hostname": "ADDRESS", "port": 3306, "comment": name}
        yield _insert("mysql_servers", server)
    for number, name in numbered:
        rule: dict[str, int | str] = {
            "rule_id": number,
            "active": 1,
            "schemaname": name,
            "destination_hostgroup": number,
            "apply": 1,
        }
        yield _insert("mysql_query_rules", rule)
    for what in ("SERVERS", "QUERY RULES"):
        yield f"LOAD MYSQL {what} TO RUNTIME"
        yield f"SAVE MYSQL {what} TO DISK"


def _insert(table: str, row: Mapping[str, int | str]) -> str:
    values = [sql_text.number(value) if isinstance(value, int) else sql_text.text(value) for value in row.values()]
    columns = [exp.to_identifier(name) for name in row]
    target = exp.Schema(this=exp.to_table(table), expressions=columns)
    made = exp.Insert(this=target, expression=exp.Values(expressions=[exp.Tuple(expressions=values)]))
    return " ".join(sql_text.to_sql(made, "mysql").split())
