"""Has a change taken effect on a physical table? The table as it is now decides. And is a change that leads to the
plan's CREATE TABLE needed at all?

Runs in the driver; reads the shard, and creates and drops a probe table on it (`expected`).
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from enum import StrEnum
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.ddl.alter.clause import Effect, Named
from shardwright.compiler.ddl.alter.effects import changes_of, effects_of, without_indexes
from shardwright.compiler.plan.plan import DdlChange, Plan
from shardwright.runtime.ddl.tables.deferred_indexes import forms_of
from shardwright.runtime.ddl.tables.definition import LiveTable, read_table
from shardwright.runtime.ddl.tables.probe_table import probe_table


def is_there(connection: Connection[Any], plan: Plan, change: DdlChange, table: str, suffix: str) -> bool:
    """Whether what the change names is in the physical table `table` in the form that the plan's CREATE TABLE and the
    changes before this one give it. Only under the shard's DDL lock."""
    names = changes_of(change.template)
    live = read_table(connection, table, suffix=suffix)
    if not names or live is None:
        return False
    before = plan.ddl[: plan.ddl.index(change)]
    earlier = [other.template for other in before if other.logical == change.logical and not other.catches_up]
    expected = probe_table(connection, (forms_of(plan, plan.table(change.logical)).whole, *earlier))
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


class Presence(StrEnum):
    """Which part of a change is in a physical table."""

    PENDING = "pending"
    """Nothing of it."""
    APPLIED = "applied"
    """All of it."""
    UNSEEN = "unseen"
    """The change leaves no name behind; running it again does no harm."""
    TORN = "torn"
    """Some of its names are in the table and some are not, or an index of that name has other columns: another program
    changed the table."""


def presence_of(sql: str, table: LiveTable) -> Presence:
    """`sql` is the change for this physical table."""
    seen = {_presence_of_effect(effect, table) for effect in effects_of(sql)}
    match len(seen):
        case 0:
            return Presence.UNSEEN
        case 1:
            return seen.pop()
        case _:
            return Presence.TORN


def without_present_indexes(sql: str, table: LiveTable) -> str | None:
    """What remains to be done of the change where some of its indexes exist, or are gone, already; None: nothing."""
    return without_indexes(sql, lambda effect: _presence_of_effect(effect, table) is Presence.APPLIED)


def presence_of_tables(wanted: Mapping[str, bool], there: Set[str]) -> Presence:
    """For a statement about a whole table. `wanted`: table -> whether it exists after the statement; `there`: the
    tables that exist now, in lower case."""
    seen = {(name in there) == present for name, present in wanted.items()}
    return Presence.TORN if len(seen) > 1 else Presence.APPLIED if seen.pop() else Presence.PENDING


def _presence_of_effect(effect: Effect, table: LiveTable) -> Presence:
    name = effect.name.lower()
    if effect.kind == "index":
        return _presence_of_index(effect, table)
    there = name in (table.columns if effect.kind == "column" else table.checks)
    return Presence.APPLIED if there == effect.present else Presence.PENDING


def _presence_of_index(effect: Effect, table: LiveTable) -> Presence:
    index = table.indexes.get(effect.name.lower())
    if not effect.present:
        return Presence.PENDING if index else Presence.APPLIED
    if index is None:
        return Presence.PENDING
    if effect.if_absent or tuple((column, length) for column, length, _ in index.parts) == effect.parts:
        return Presence.APPLIED
    return Presence.PENDING if effect.replaces else Presence.TORN
