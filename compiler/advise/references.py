"""Which columns say which row of another table a row belongs to? By foreign keys, by the joins of the workload, and by
names. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.advise.usage import TableColumn
from shardwright.compiler.plan.catalogue import Column, SourceTable

_OWN: Final = re.compile(r"(^|_)(parent|reply|moved|merged|replaces|replaced|previous|next|root|copy)(_|$)")
"""What columns are called that refer to rows of their own table."""
_TAILS: Final = ("_id", "_no", "_uuid", "_key", "_ref", "id")


class Ground(StrEnum):
    """By what a reference is known, from certain to likely."""

    FOREIGN_KEY = "foreign key"
    JOINS = "joins"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Reference:
    """The columns of `child` that hold a key of `parent`. All names are in small letters."""

    child: str
    columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]
    ground: Ground
    calls: int = 0
    """Those of the statements that join by it."""

    @property
    def is_own(self) -> bool:
        return self.child == self.parent


def find_references(source: SourceDatabase) -> tuple[Reference, ...]:
    """Each once, by its best ground, in the order of the tables."""
    joins = source.usage.joins
    found: dict[tuple[str, tuple[str, ...], str], Reference] = {}
    known = (*_find_declared(source, joins), *_find_joined(source, joins))
    for one in (*known, *_find_named(source), *_find_alike(source, known)):
        found.setdefault((one.child, one.columns, one.parent), one)
    declared = {(one.child, one.columns) for one in found.values() if one.ground is not Ground.NAME}
    return tuple(
        one for one in found.values() if one.ground is not Ground.NAME or (one.child, one.columns) not in declared
    )


def _find_declared(source: SourceDatabase, joins: Mapping[tuple[TableColumn, TableColumn], int]) -> Iterator[Reference]:
    for name, facts in source.facts.items():
        for key in facts.foreign_keys:
            parent = source.names.key_of(key.parent)
            if parent not in source.tables:
                continue
            columns = tuple(one.lower() for one in key.columns)
            there = tuple(one.lower() for one in key.parent_columns) or source.row_key(parent)
            calls = max(
                (_calls(joins, (name, a), (parent, b)) for a, b in zip(columns, there, strict=False)), default=0
            )
            yield Reference(name, columns, parent, there, Ground.FOREIGN_KEY, calls)


def _calls(joins: Mapping[tuple[TableColumn, TableColumn], int], one: TableColumn, other: TableColumn) -> int:
    return joins.get((min(one, other), max(one, other)), 0)


def _find_joined(source: SourceDatabase, joins: Mapping[tuple[TableColumn, TableColumn], int]) -> Iterator[Reference]:
    keys = {name: source.row_key(name) for name in source.tables}
    owners = Counter(columns[0] for columns in keys.values() if len(columns) == 1)
    for (one, other), calls in joins.items():
        sides = [(a, b) for a, b in ((one, other), (other, one)) if keys[b[0]] == (b[1],)]
        if len(sides) == 2:  # both are keys: the table that is called as the column is the parent
            sides = [(a, b) for a, b in sides if _is_called(b[1], b[0], source)] or sides
            sides = sides[:1] if owners[one[1]] > 1 else []
        for child, parent in sides:
            yield Reference(child[0], (child[1],), parent[0], (parent[1],), Ground.JOINS, calls)


def _find_named(source: SourceDatabase) -> Iterator[Reference]:
    parents = _tables_by_key(source)
    by_stem = _tables_by_stem(source)
    for name, table in source.tables.items():
        own = source.row_key(name)
        for column in table.columns:
            called = column.name.lower()
            if (
                len(own) == 1
                and called != own[0]
                and _OWN.search(called)
                and is_comparable(column, source.column(name, own[0]))
            ):
                yield Reference(name, (called,), name, own, Ground.NAME)
                continue
            parent = by_stem.get(_stem(called) or "") or parents.get(called)
            if parent is None or (parent == name and own == (called,)):
                continue
            key = source.row_key(parent)
            if len(key) == 1 and is_comparable(column, source.column(parent, key[0])):
                yield Reference(name, (called,), parent, key, Ground.NAME)


def _find_alike(source: SourceDatabase, known: Iterable[Reference]) -> Iterator[Reference]:
    """Columns that are called as a reference of another table, such as author_id of two tables with messages."""
    parents: dict[str, set[tuple[str, str]]] = {}
    for one in known:
        if len(one.columns) == 1 and not one.is_own:
            parents.setdefault(one.columns[0], set()).add((one.parent, one.parent_columns[0]))
    for name, table in source.tables.items():
        for column in table.columns:
            found = parents.get(column.name.lower(), set())
            if len(found) != 1 or source.row_key(name) == (column.name.lower(),):
                continue
            [(parent, key)] = found
            if parent != name and is_comparable(column, source.column(parent, key)):
                yield Reference(name, (column.name.lower(),), parent, (key,), Ground.NAME)


def _tables_by_key(source: SourceDatabase) -> Mapping[str, str]:
    """Of each column that is a table's key and called as no other table's: that table. Of several with equal names, the
    one that is called as the column."""
    found: dict[str, list[str]] = {}
    for name in source.tables:
        key = source.row_key(name)
        if len(key) == 1 and _stem(key[0]) is not None:
            found.setdefault(key[0], []).append(name)
    clear = {}
    for column, names in found.items():
        called = [name for name in names if _is_called(column, name, source)]
        if len(called) == 1 or len(names) == 1:
            clear[column] = (called or names)[0]
    return clear


def is_comparable(one: Column, other: Column) -> bool:
    """Whether equal values of both columns are equal all along: integers, or texts, or one type."""
    if one.type.is_integer or other.type.is_integer:
        return one.type.is_integer and other.type.is_integer
    if one.type.is_text or other.type.is_text:
        return one.type.is_text and other.type.is_text
    return one.type.name == other.type.name


def _stem(column: str) -> str | None:
    """`customer` of customer_id, None for a column that is not called as a reference."""
    for tail in _TAILS:
        if column.endswith(tail) and len(column) > len(tail):
            return column.removesuffix(tail)
    return None


def _is_called(column: str, table: str, source: SourceDatabase) -> bool:
    stem = _stem(column)
    return stem is not None and table in _tables_called(stem, source)


def _tables_called(stem: str, source: SourceDatabase) -> set[str]:
    return {name for name in source.tables if stem in names_of(name)}


def _tables_by_stem(source: SourceDatabase) -> Mapping[str, str]:
    """Names that are clear: exact ones first, then those without what the tables' names begin with."""
    found: dict[str, str] = {}
    for cut in range(3):
        at_this: dict[str, set[str]] = {}
        for name in source.tables:
            for called in _cut_names(name, cut):
                at_this.setdefault(called, set()).add(name)
        for called, tables in at_this.items():
            if len(tables) == 1 and called not in found:
                found[called] = next(iter(tables))
    return found


def names_of(table: str) -> set[str]:
    """What a column may call one row of a table: user for users, shop_user and shop_users."""
    return {called for cut in range(3) for called in _cut_names(table, cut)}


def _cut_names(table: str, cut: int) -> set[str]:
    parts = table.lower().split("_")
    if cut >= len(parts):
        return set()
    name = "_".join(parts[cut:])
    return {name, *_singulars(name)}


def _singulars(name: str) -> Iterator[str]:
    if name.endswith("ies"):
        yield name[:-3] + "y"
    if name.endswith(("ses", "xes", "ches", "shes")):
        yield name[:-2]
    if name.endswith("s") and not name.endswith("ss"):
        yield name[:-1]


def single_key(table: SourceTable) -> str | None:
    """The only column of the key that rows go by, in small letters."""
    key = table.row_key
    return key[0].lower() if len(key) == 1 else None
