"""Which keys may be right? Those that other tables refer to, and columns that many statements ask by. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from shardwright.compiler.advise.design import Candidate, Design, Way, make_design
from shardwright.compiler.advise.references import Reference, single_key
from shardwright.compiler.advise.source import SourceDatabase

_OFTEN: Final = 0.001
"""The part of all calls that ask by a column before it is looked at as a key."""


def find_candidates(source: SourceDatabase, references: Sequence[Reference]) -> list[Candidate]:
    """The likeliest first. Where no table refers to another and no statement asks by a column, each table's own key."""
    found = {Candidate(one.parent, one.parent_columns[0]) for one in references if _names_rows(one, source)}
    found |= {Candidate(None, column) for column in _find_shared_columns(source, references)}
    if not found:
        own = {name: single_key(table) for name, table in source.tables.items()}
        found = {Candidate(name, key) for name, key in own.items() if key is not None}
    covered = {key: coverage(make_design(key, source, references), source) for key in found}
    return sorted(found, key=lambda key: (-covered[key], key.name))


def _names_rows(reference: Reference, source: SourceDatabase) -> bool:
    """Whether the parent's rows go by one column, and rows of another table hold it."""
    if reference.is_own:
        return False
    return (single_key(source.tables[reference.parent]),) == reference.parent_columns


def _find_shared_columns(source: SourceDatabase, references: Sequence[Reference]) -> set[str]:
    """Columns by which many statements ask, and which are no reference and no row's own key."""
    refers = {(one.child, column) for one in references for column in one.columns}
    calls: Counter[str] = Counter()
    tables: Counter[str] = Counter()
    for name, table in source.tables.items():
        for column in table.columns:
            called = column.name.lower()
            if (name, called) in refers or source.row_key(name) == (called,) or column.generated:
                continue
            tables[called] += 1
            calls[called] += source.usage.calls_by_value(name, called) + source.usage.calls_by_range(name, called)
    often = _OFTEN * source.usage.calls
    unique = {
        key.columns[0].lower()
        for name, table in source.tables.items()
        for key in table.unique_keys
        if len(key.columns) == 1
        and (name, key.columns[0].lower()) not in refers
        and source.usage.calls_by_value(name, key.columns[0])
    }
    return (
        unique
        | {column for column, count in calls.items() if count and count >= often}
        | {column for column, count in tables.items() if count >= 3 and column.endswith("_id")}
    )


def coverage(design: Design, source: SourceDatabase) -> float:
    """The part of the calls that name the key where they name a table that has it. Without a workload: the part of the
    rows that the family has, else of the tables. From 0 to 1; a guess, by which a few candidates are chosen."""
    family = design.of_way(Way.KEY, Way.PARENT)
    if source.usage.calls:
        named = sum(
            one.calls
            for placement in family
            for one in source.usage.of(placement.table)
            if set(placement.columns) <= one.fixed
        )
        return named / source.usage.calls
    if source.has_sizes:
        every = sum(one.rows for one in source.statistics.values()) or 1
        return sum(source.rows(placement.table) for placement in family) / every
    return len(family) / max(1, len(source.tables))
