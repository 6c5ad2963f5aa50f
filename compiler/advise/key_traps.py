"""Traps of a key: columns that hold it, and how their values are spread. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shardwright.compiler.advise.design import DICTIONARY_ROWS, Way
from shardwright.compiler.advise.references import is_comparable
from shardwright.compiler.advise.spread import column_statistics
from shardwright.compiler.advise.trap import Kind, Look, Rule, Trap
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.schema.column_type import type_words
from shardwright.compiler.sql.transport import one_spelling

_HOT: Final = 0.05
"""A value with a larger part of the rows is hot."""
_FEW_A_SHARD: Final = 16
"""With fewer values a shard, some shards get much more than others."""
_TIMES: Final = frozenset({"date", "datetime", "timestamp", "time", "year"})


def _find_updated_keys(look: Look) -> Iterator[Trap]:
    for placement in (*look.key_placements, *look.design.of_way(Way.PARENT)):
        for name in placement.columns:
            calls, logged = look.usage.updates_of(placement.table, name), look.source.logged
            rows = 0 if logged is None else logged.changed.get((placement.table, name), 0)
            column = look.source.column(placement.table, name).name
            if rows:
                text = f"{rows:,} rows of the binary log got another value, and each moved to another shard by it"
                yield Trap(Kind.UPDATED_KEY, text, look.name(placement.table), column)
            if calls:
                text = f"{calls:,} calls update it, and each moves the row to another shard"
                yield Trap(Kind.UPDATED_KEY, text, look.name(placement.table), column, calls=calls)


def _hot_key(look: Look) -> Iterator[Trap]:
    for placement in look.key_placements:
        known = column_statistics(look.source, placement.table, placement.columns[0])
        if known is None or placement.table == look.design.key.table:
            continue
        if known.top_share > _HOT and look.source.rows(placement.table) > DICTIONARY_ROWS:
            column = look.column(placement).name
            text = f"one value has {known.top_share:.0%} of the rows: its shard never gets smaller"
            yield Trap(Kind.HOT_KEY, text, look.name(placement.table), column)


def _few_values(look: Look) -> Iterator[Trap]:
    wanted = _FEW_A_SHARD * look.shards
    for placement in look.key_placements:
        known = column_statistics(look.source, placement.table, placement.columns[0])
        if known is not None and known.distinct < wanted and not _is_tiny(look, placement.table):
            text = f"it has {known.distinct:,} values: {look.shards} shards cannot be filled evenly by them"
            yield Trap(Kind.FEW_VALUES, text, look.name(placement.table), look.column(placement).name)


def _is_tiny(look: Look, table: str) -> bool:
    """Whether few values say nothing: the table has few rows as well."""
    return look.source.has_sizes and 0 < look.source.rows(table) <= DICTIONARY_ROWS


def _nullable_key(look: Look) -> Iterator[Trap]:
    for placement in look.key_placements:
        column = look.column(placement)
        if not column.nullable:
            continue
        known = column_statistics(look.source, placement.table, placement.columns[0])
        part = f"{known.nulls:.1%} of the rows have none" if known is not None and known.nulls else "it may be NULL"
        text = f"{part}: such rows are together on one shard"
        yield Trap(Kind.NULLABLE_KEY, text, look.name(placement.table), column.name)


def _case_insensitive_key(look: Look) -> Iterator[Trap]:
    for placement in look.key_placements:
        column = look.column(placement)
        if _ignores_case(column):
            yield Trap(Kind.CASE_INSENSITIVE_KEY, _CASE, look.name(placement.table), column.name)


_CASE: Final = "the server takes values as equal that differ in case: they may be on several shards"


def _ignores_case(column: Column) -> bool:
    return not one_spelling(column.type) and not str(column.type.collation).endswith("_cs")


def _other_type(look: Look) -> Iterator[Trap]:
    """Columns that hold the key and are of another type: also those that cannot be compared with it."""
    key = look.design.key
    if key.table is None:
        return
    model = look.source.column(key.table, key.column)
    joined = {
        (other[0], other[1])
        for pair in look.usage.joins
        for mine, other in (pair, pair[::-1])
        if mine == (key.table, key.column)
    }
    held = {(one.table, one.columns[0]) for one in look.key_placements} | {
        (one.child, one.columns[0]) for one in look.references if one.parent == key.table and len(one.columns) == 1
    }
    for table, name in sorted(held | joined):
        column = look.source.column(table, name)
        if (column.type.name, column.type.unsigned) == (model.type.name, model.type.unsigned):
            continue
        place = "" if is_comparable(column, model) else ": its rows are not with the others"
        text = f"it is {type_words(column.type)}, and {look.name(key.table)}.{model.name} is {type_words(model.type)}"
        yield Trap(Kind.OTHER_TYPE, text + place, look.name(table), column.name)
    yield from _find_other_names(look, key.table)


def _find_other_names(look: Look, owner: str) -> Iterator[Trap]:
    """Tables that name the key's row by another unique value of it, such as a tenant's slug."""
    unique = {key.columns[0].lower() for key in look.source.tables[owner].unique_keys if len(key.columns) == 1}
    for pair in look.usage.joins:
        for mine, other in (pair, pair[::-1]):
            if mine[0] != owner or mine[1] not in unique or other[0] == owner:
                continue
            column = look.source.column(*other)
            text = f"it is {look.name(owner)}.{mine[1]} ({type_words(column.type)}), and the rule needs the key"
            yield Trap(Kind.OTHER_TYPE, text, look.name(other[0]), column.name)
            if _ignores_case(column):
                yield Trap(Kind.CASE_INSENSITIVE_KEY, _CASE, look.name(other[0]), column.name)


def _monotonic_key(look: Look) -> Iterator[Trap]:
    key = look.design.key
    if key.table is None:
        for placement in look.key_placements[:1]:
            if look.column(placement).type.name in _TIMES:
                text = "new rows have the newest values: by ranges, the last shard gets all of them"
                yield Trap(Kind.MONOTONIC_KEY, text, look.name(placement.table), look.column(placement).name)
        return
    column = look.source.column(key.table, key.column)
    if column.auto_increment:
        text = "new values are the largest: by ranges the last shard gets all new rows, so the rule hashes them"
        yield Trap(Kind.MONOTONIC_KEY, text, look.name(key.table), column.name)


RULES_OF_KEYS: Final[tuple[Rule, ...]] = (
    _find_updated_keys,
    _hot_key,
    _few_values,
    _nullable_key,
    _case_insensitive_key,
    _other_type,
    _monotonic_key,
)
