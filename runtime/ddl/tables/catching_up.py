"""Whether a physical table needs a change that leads to the plan's CREATE TABLE: one that was made by that CREATE TABLE does not."""

from __future__ import annotations

from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.ddl.catching_up import Named, touched_by
from shardwright.compiler.plan.plan import DdlChange, Plan
from shardwright.runtime.ddl.tables.deferred_indexes import forms_of
from shardwright.runtime.ddl.tables.definition import LiveTable, read_table
from shardwright.runtime.ddl.tables.expected import expected_table


def is_there(connection: Connection[Any], plan: Plan, change: DdlChange, table: str, suffix: str) -> bool:
    """Whether what the change names is in the physical table `table` as the plan's CREATE TABLE and the changes before this one have it.
    Under the shard's DDL lock only."""
    names = touched_by(change.template)
    live = read_table(connection, table, suffix=suffix)
    if not names or live is None:
        return False
    before = plan.ddl[: plan.ddl.index(change)]
    earlier = [other.template for other in before if other.logical == change.logical and not other.catches_up]
    expected = expected_table(connection, (forms_of(plan, plan.table(change.logical)).whole, *earlier))
    return all(_same(name, expected, live) for name in names)


def _same(named: Named, expected: LiveTable, live: LiveTable) -> bool:
    kind, name = named
    match kind:
        case "column":
            return expected.columns.get(name) == live.columns.get(name)
        case "index":
            return expected.indexes.get(name) == live.indexes.get(name)
        case "check":
            return (name in expected.checks) == (name in live.checks)
