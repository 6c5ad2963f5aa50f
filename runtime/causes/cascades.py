"""Which foreign keys of the source change rows that its log does not have? ON DELETE CASCADE and the like change rows
of a child table inside the storage engine, and only MySQL 9.6 and later log that.

Runs in the process of the command; reads the source's table definitions.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.lint.facts import table_facts
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.schema.file import read_schema
from shardwright.compiler.sql import sql_text as sql
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.mysql.servers import Servers, mariadb_version, server_version
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.verify.result import MismatchKind, VerifyResult
from shardwright.specs.findings.diagnostics import Findings

_LEFT_BEHIND: Final = frozenset({MismatchKind.EXTRA, MismatchKind.DIFFERENT, MismatchKind.MISPLACED})
"""How rows look that the source has changed, and of which no event came."""


def name_cascades(result: VerifyResult, plan: Plan, servers: Servers) -> VerifyResult:
    """The result of the way there, with the foreign keys that may be the cause beside each table that differs. What the
    source does not show is left out."""
    tables = []
    for table in result.tables:
        if any(one.kind in _LEFT_BEHIND for one in table.mismatches):
            table = replace(table, cascades=tuple(_read_cascades(plan.table(table.table), servers)))
        tables.append(table)
    return replace(result, tables=tuple(tables))


def _read_cascades(table: TablePlan, servers: Servers) -> Iterator[str]:
    seen: set[str] = set()
    for source in table.sources:
        try:
            with closing(servers.connect_source(source.database)) as connection:
                found = [] if _logs_cascades(connection) else list(_ask(connection, source.database, source.table))
        except (RuntimeFailure, pymysql.err.MySQLError):
            continue
        yield from (line for line in found if line not in seen)
        seen.update(found)


def _logs_cascades(connection: Connection[Any]) -> bool:
    if mariadb_version(connection) is not None:
        return False
    major, minor = server_version(connection).split(".")[:2]
    return (int(major), int(minor)) >= (9, 6)


def _ask(connection: Connection[Any], database: str, name: str) -> Iterator[str]:
    """Each foreign key of the table that changes its rows, in words."""
    shown = query(connection, f"SHOW CREATE TABLE {sql.table(name, database=database).sql('mysql')}")
    for table in read_schema(f"{shown[0][1]};", file=name, findings=Findings()).values():
        for key in table_facts(table).foreign_keys:
            if key.child_actions:
                yield f"{key.title} of {name} to {key.parent} ({', '.join(key.child_actions)})"
