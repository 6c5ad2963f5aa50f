"""The triggers of a source table as CREATE TRIGGER statements for the schema file: lint warns of them (SW4307)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.schema.triggers import read_triggers
from shardwright.compiler.sql import sql_text as sql
from shardwright.runtime.mysql.transactions import query

_TRIGGERS = (
    "SELECT event_object_table, trigger_name, action_timing, event_manipulation, action_statement "
    "FROM information_schema.triggers WHERE event_object_schema = %s "
    "ORDER BY event_object_table, action_timing, event_manipulation, action_order"
)


def source_triggers(connection: Connection[Any], database: str) -> Mapping[str, tuple[str, ...]]:
    """By table, in the order in which they fire. Servers show triggers only to who may create them (privilege TRIGGER)."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in query(connection, _TRIGGERS, (database,)):
        table, name, timing, event, body = map(str, row)
        found[table].append(_statement(table, name, f"{timing} {event}", body=body))
    return {table: tuple(statements) for table, statements in found.items()}


def _statement(table: str, name: str, event: str, *, body: str) -> str:
    """Without the definer: an account is nothing for a committed file. A body that would not be read back (other quotes by
    the server's SQL mode) gives way to an empty one."""
    quoted, on = (sql.identifier(each).sql("mysql") for each in (name, table))
    head = f"CREATE TRIGGER {quoted} {event} ON {on} FOR EACH ROW"
    whole = f"DELIMITER ;;\n{head} {body};;\nDELIMITER ;\n"
    if [(each.name, each.table) for each in read_triggers(whole, file="")] == [(name, table)]:
        return whole
    return f"-- The body of this trigger cannot be read here.\n{head} BEGIN END;\n"
