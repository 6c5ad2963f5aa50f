"""A way to shard a database: one key, and where each table goes by it.

What has the key is placed by it, what belongs to a row that is placed follows it, small tables that are seldom written
are copied to every shard, and the rest is spread by its own key or stays in one database. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from shardwright.compiler.advise.references import Ground, Reference, is_comparable
from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.advise.usage import Mention
from shardwright.compiler.sql.transport import one_spelling

SMALL_ROWS: Final = 50_000
"""A table with more rows is not copied to every shard by advice."""
FEW_ROWS: Final = 5_000
"""A table with so many rows is small, whatever the others have."""
SMALL_PART: Final = 0.05
"""Nor is one with a larger part of the rows of the largest table."""
SELDOM: Final = 0.05
"""Nor one of whose calls a larger part writes."""
SELDOM_OF_A_DICTIONARY: Final = 0.2
"""Of a table with so few rows that it hardly grows, a larger part of the calls may write."""
DICTIONARY_ROWS: Final = 1_000
_DEEPEST: Final = 4
"""Parents of parents of parents: more of them are no family."""


class Way(StrEnum):
    """How a table's rows find their shards."""

    KEY = "by the key"
    PARENT = "with its parent"
    BROADCAST = "a copy on every shard"
    OWN = "by its own key"
    SINGLE = "whole in one database"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A key: a column whose values name the rows of `table`, or (None) a column of several tables without such a
    table. Small letters."""

    table: str | None
    column: str

    @property
    def name(self) -> str:
        return f"{self.table}.{self.column}" if self.table is not None else self.column


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one table goes, and why. `columns`: those that decide, of the table itself; `parent`: whose rows it
    follows; `others`: columns that hold the key as well."""

    table: str
    way: Way
    columns: tuple[str, ...]
    reason: str
    parent: str | None = None
    others: tuple[str, ...] = ()

    @property
    def is_in_family(self) -> bool:
        return self.way in (Way.KEY, Way.PARENT)


@dataclass(frozen=True, slots=True)
class Design:
    """`placements` by table, in the order of the schema file."""

    key: Candidate
    placements: Mapping[str, Placement]

    def of_way(self, *ways: Way) -> list[Placement]:
        return [one for one in self.placements.values() if one.way in ways]

    def find_parents(self, table: str) -> list[Placement]:
        """The parent that places the table, that one's parent, and so on to the one that has the key. Empty for a table
        whose own columns place it."""
        found: list[Placement] = []
        at = self.placements[table]
        while at.parent is not None:
            at = self.placements[at.parent]
            found.append(at)
        return found

    def find_keyed_ancestor(self, table: str) -> Placement:
        """The table itself where its own columns place it, else the first of its parents of which that is true."""
        return [self.placements[table], *self.find_parents(table)][-1]


def make_design(
    key: Candidate, source: SourceDatabase, references: Sequence[Reference], *, only_key: bool = False
) -> Design:
    """Where each table goes when `key` is the key. With `only_key` each table that has the key is placed by it, be it
    better copied to every shard or not."""
    made = _Designer(key, source, references, only_key=only_key).place_tables()
    return Design(key, {name: made[name] for name in source.tables})


class _Designer:
    """Places the tables of one database by one key."""

    def __init__(
        self, key: Candidate, source: SourceDatabase, references: Sequence[Reference], *, only_key: bool
    ) -> None:
        self._key = key
        self._only_key = only_key
        self._source = source
        self._usage = source.usage
        self._references = references
        self._referenced = {one.parent for one in references if not one.is_own}
        self._refers = {one.child for one in references if not one.is_own}
        self._made: dict[str, Placement] = {}

    def place_tables(self) -> Mapping[str, Placement]:
        for name in self._source.tables:
            if (placed := self._by_key(name)) is not None:
                self._made[name] = placed
        for _ in range(_DEEPEST):
            left = [name for name in self._source.tables if name not in self._made]
            found = {name: placed for name in left if (placed := self._with_parent(name)) is not None}
            self._made |= found
            if not found:
                break
        for name in self._source.tables:
            if name not in self._made:
                self._made[name] = self._alone(name)
        return self._made

    # -- tables that have the key --------------------------------------------------------------------------------------

    def _by_key(self, name: str) -> Placement | None:
        if name == self._key.table:
            return Placement(name, Way.KEY, (self._key.column,), "its rows are what the key names")
        columns = self._columns_with_key(name)
        if not columns:
            return None
        best, *rest = sorted(columns, key=lambda column: self._rank(name, column, columns[column]))
        if not self._only_key and self._is_unused(name, best):
            return None
        if not self._only_key and self._is_better_everywhere(name, best):
            return Placement(name, Way.BROADCAST, (), f"{self._size(name)}; few statements ask by {best}")
        return Placement(name, Way.KEY, (best,), _why(columns[best]), others=tuple(rest))

    def _columns_with_key(self, name: str) -> Mapping[str, Reference | None]:
        """The table's columns that hold the key, with how that is known."""
        found: dict[str, Reference | None] = {}
        if self._key.table is None:
            column = self._source.tables[name].column(self._key.column)
            return {self._key.column: None} if column is not None and not column.generated else {}
        model = self._source.column(self._key.table, self._key.column)
        for one in self._references:
            if one.child != name or one.parent != self._key.table or self._key.column not in one.parent_columns:
                continue
            column_name = one.columns[one.parent_columns.index(self._key.column)]
            column = self._source.column(name, column_name)
            # An integer as a text is placed like the integer, as long as it is spelled as the server prints it.
            as_text = one.ground is not Ground.NAME and model.type.is_integer and column.type.is_text
            if (is_comparable(column, model) or as_text) and not column.generated:
                found.setdefault(column_name, one)
        return found

    def _rank(self, name: str, column: str, reference: Reference | None) -> tuple[object, ...]:
        """The first is the one that statements use most, then one that is never NULL, a declared one, the first."""
        calls = self._usage.calls_by_value(name, column) + (reference.calls if reference is not None else 0)
        nullable = self._source.column(name, column).nullable
        place = [one.name.lower() for one in self._source.tables[name].columns].index(column)
        return (-calls, nullable, reference is None or reference.ground is not Ground.FOREIGN_KEY, place)

    def _is_better_everywhere(self, name: str, column: str) -> bool:
        """A small table that has the key, and is read by other columns: products of a seller that all buyers read, or
        API keys, by which each call finds its tenant."""
        if not self._is_small(name) or not self._is_seldom_written(name):
            return False
        mentions = [one for one in self._usage.of(name) if not one.is_insert]
        by_key = sum(one.calls for one in mentions if _uses(one, column))
        return 2 * by_key < sum(one.calls for one in mentions)

    def _is_unused(self, name: str, column: str) -> bool:
        """Whether the column may be NULL, and no statement asks by it or joins by it although statements name the
        table."""
        mentions = [one for one in self._usage.of(name) if not one.is_insert]
        used = any(_uses(one, column) for one in mentions)
        return bool(mentions) and not used and self._source.column(name, column).nullable

    # -- tables that follow a parent -----------------------------------------------------------------------------------

    def _with_parent(self, name: str) -> Placement | None:
        """The parent by which most statements join, else the one whose column is never NULL."""
        if name in self._referenced and self._is_small(name) and self._is_seldom_written(name):
            return None
        found = [one for one in self._references if one.child == name and self._is_way_to_family(one)]
        if not found:
            return None
        best = min(found, key=self._rank_parent)
        return Placement(name, Way.PARENT, best.columns, _why(best), parent=best.parent)

    def _is_way_to_family(self, one: Reference) -> bool:
        placed = self._made.get(one.parent)
        if one.is_own or placed is None or not placed.is_in_family:
            return False
        if one.parent_columns != self._source.row_key(one.parent):
            return False
        pairs = zip(one.columns, one.parent_columns, strict=True)
        return all(
            is_comparable(self._source.column(one.child, mine), self._source.column(one.parent, theirs))
            for mine, theirs in pairs
        )

    def _rank_parent(self, one: Reference) -> tuple[object, ...]:
        nullable = any(self._source.column(one.child, column).nullable for column in one.columns)
        return (-one.calls, nullable, list(Ground).index(one.ground))

    # -- tables without the key ----------------------------------------------------------------------------------------

    def _alone(self, name: str) -> Placement:
        small, seldom = self._is_small(name), self._is_seldom_written(name)
        if small and seldom:
            return Placement(name, Way.BROADCAST, (), self._size(name))
        table, key = self._source.tables[name], self._source.row_key(name)
        usable = [column for column in key if self._places_rows(name, column) and not table.refused]
        if small or not usable:
            reason = "it is small, and often written" if small else "it has no key that can place its rows"
            return Placement(name, Way.SINGLE, (), reason)
        return Placement(
            name, Way.OWN, (usable[0],), "nothing leads from it to the key, and it is too large for copies"
        )

    def _places_rows(self, name: str, column: str) -> bool:
        kind = self._source.column(name, column).type
        return kind.is_integer or kind.name == "varbinary" or (kind.is_text and one_spelling(kind))

    def _is_small(self, name: str) -> bool:
        """By its rows. Where sizes are not known, a table that is seldom written is taken as small; where nothing is
        known of statements either, one that others refer to and that refers to none."""
        if self._source.has_sizes:
            rows = self._source.rows(name)
            return rows <= SMALL_ROWS and (rows <= FEW_ROWS or rows <= SMALL_PART * self._source.largest_rows)
        if self._usage.calls:
            return self._is_seldom_written(name)
        return name in self._referenced and name not in self._refers

    def _is_seldom_written(self, name: str) -> bool:
        is_dictionary = self._source.has_sizes and self._source.rows(name) <= DICTIONARY_ROWS
        part = SELDOM_OF_A_DICTIONARY if is_dictionary else SELDOM
        return self._usage.writes_of(name) <= part * self._usage.calls_of(name)

    def _size(self, name: str) -> str:
        rows = f"{self._source.rows(name):,} rows" if self._source.has_sizes else "its size is not known"
        calls = self._usage.calls_of(name)
        if not calls:
            return f"{rows}; no statement names it"
        return f"{rows}; {self._usage.writes_of(name):,} of its {calls:,} calls write"


def _uses(mention: Mention, column: str) -> bool:
    return column in mention.fixed or any(mine == column for mine, _ in mention.joined)


def _why(reference: Reference | None) -> str:
    if reference is None:
        return "it has the column"
    match reference.ground:
        case Ground.FOREIGN_KEY:
            return f"a foreign key to {reference.parent}"
        case Ground.JOINS:
            return f"statements join it with {reference.parent}"
        case Ground.NAME:
            return f"its column is called as a key of {reference.parent}"
