"""Which columns did a table have before a DDL statement of its log? Known where the statement adds columns, or changes
none. And which tables are there anew behind it: what the log has of their names before that is about other tables.

Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from sqlglot import exp
from sqlglot.errors import SqlglotError

from shardwright.compiler.ddl.alter.columns import AddColumn, DropColumn, ModifyColumn, RenameColumn
from shardwright.compiler.ddl.alter.read import parse_alter
from shardwright.compiler.ddl.logged.new_tables import table_of_create
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.sql.mysql_parser import parse_sql

_CHANGES_NO_COLUMN: Final = re.compile(
    r"\s*(TRUNCATE|(CREATE|DROP)\s+(UNIQUE\s+|FULLTEXT\s+|SPATIAL\s+)?INDEX|(OPTIMIZE|ANALYZE|REPAIR)\s+TABLE"
    r"|CREATE\s+TABLE\s+IF\s+NOT\s+EXISTS)\b",  # a table that is made has no rows before it, with whichever columns
    re.IGNORECASE,
)
_CREATES: Final = re.compile(r"\s*CREATE\s+(OR\s+REPLACE\s+)?TABLE\s+(?!IF\b)", re.IGNORECASE)
_DROPS: Final = re.compile(r"\s*DROP\s+(TABLE|DATABASE|SCHEMA)\b", re.IGNORECASE)


def columns_before(after: Sequence[Column], statement: str) -> tuple[Column, ...] | None:
    """`after` are the columns that the table had once the statement was executed. None: what it had before is not
    known."""
    if _CHANGES_NO_COLUMN.match(statement):
        return tuple(after)
    alter = parse_alter(statement)
    if alter is None or any(isinstance(one, (DropColumn, ModifyColumn, RenameColumn)) for one in alter.clauses):
        return None
    added = {clause.node.name.lower() for clause in alter.clauses if isinstance(clause, AddColumn)}
    if not added <= {column.name.lower() for column in after}:
        return None
    return tuple(column for column in after if column.name.lower() not in added)


def find_renewed_tables(statement: str, database: str, tables: Iterable[str]) -> frozenset[str]:
    """Those of `tables` ("database.table") that the statement makes, drops, or drops the database of. `database` is the
    session's default one. CREATE TABLE IF NOT EXISTS is none: it may have met the table."""
    if _CREATES.match(statement):
        names = {str(table_of_create(statement, database))}
    elif _DROPS.match(statement):
        names = _names_in_drop(statement, database)
    else:
        return frozenset()
    lower = {name.lower() for name in names}
    return frozenset(table for table in tables if not lower.isdisjoint({table.lower(), table.split(".")[0].lower()}))


def _names_in_drop(statement: str, database: str) -> set[str]:
    """As "database.table", or the database alone."""
    try:
        tree = parse_sql(statement)
    except SqlglotError:
        return set()
    if not isinstance(tree, exp.Drop):
        return set()
    nodes = [node for node in tree.args["tables"] if isinstance(node, exp.Table)]
    if tree.args.get("kind") == "TABLE":
        return {f"{node.db or database}.{node.name}" for node in nodes}
    return {node.name or node.db for node in nodes}
