"""Whether a change has taken effect on a physical table, judged by the table as it is now."""

from __future__ import annotations

from collections.abc import Mapping, Set
from enum import StrEnum

from shardwright.compiler.ddl.effect import Effect, effects_of, without_indexes
from shardwright.runtime.ddl.tables.definition import LiveTable


class Standing(StrEnum):
    """UNSEEN: the change leaves no name behind, running it again does no harm. TORN: some of its names are there and some
    are not, or an index of that name has other columns: somebody else changed the table."""

    PENDING = "pending"
    APPLIED = "applied"
    UNSEEN = "unseen"
    TORN = "torn"


def standing(sql: str, table: LiveTable) -> Standing:
    """`sql` is the change for this physical table."""
    seen = {_stands(effect, table) for effect in effects_of(sql)}
    match len(seen):
        case 0:
            return Standing.UNSEEN
        case 1:
            return seen.pop()
        case _:
            return Standing.TORN


def without_standing_indexes(sql: str, table: LiveTable) -> str | None:
    """What of the change is left to do where some of its indexes are there, or gone, already; None: nothing."""
    return without_indexes(sql, lambda effect: _stands(effect, table) is Standing.APPLIED)


def tables_stand(wanted: Mapping[str, bool], there: Set[str]) -> Standing:
    """Of a statement about a whole table: `wanted` says which tables are there after it, `there` which are now, in lower case."""
    seen = {(name in there) == present for name, present in wanted.items()}
    return Standing.TORN if len(seen) > 1 else Standing.APPLIED if seen.pop() else Standing.PENDING


def _stands(effect: Effect, table: LiveTable) -> Standing:
    name = effect.name.lower()
    if effect.kind == "index":
        return _index_stands(effect, table)
    there = name in (table.columns if effect.kind == "column" else table.checks)
    return Standing.APPLIED if there == effect.present else Standing.PENDING


def _index_stands(effect: Effect, table: LiveTable) -> Standing:
    index = table.indexes.get(effect.name.lower())
    if not effect.present:
        return Standing.PENDING if index else Standing.APPLIED
    if index is None:
        return Standing.PENDING
    if tuple((column, length) for column, length, _ in index.parts) == effect.parts:
        return Standing.APPLIED
    return Standing.PENDING if effect.replaces else Standing.TORN
