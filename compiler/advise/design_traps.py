"""Traps of tables and statements under a design. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shardwright.compiler.advise.design import SMALL_ROWS, Way
from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.advise.trap import Kind, Look, Rule, Trap
from shardwright.compiler.conform.verdict import Verdict


def _no_key(look: Look) -> Iterator[Trap]:
    for placement in look.design.placements.values():
        table, inserts = placement.table, look.usage.inserts_of(placement.table)
        cost = f"a column for the key: {look.source.rows(table):,} rows to fill in, {inserts:,} inserts to change"
        if not look.source.has_sizes:
            cost = f"a column for the key: {inserts:,} inserts to change"
        if placement.way is Way.PARENT:
            deep = len(look.design.find_parents(table))
            way = f"its rows are found by {placement.parent}" + (f", {deep} steps from the key" if deep > 1 else "")
            column = look.column(placement).name
            yield Trap(Kind.NO_KEY, f"{way}; {cost}", look.name(table), column, calls=look.usage.calls_of(table))
        elif placement.way is Way.OWN or (placement.way is Way.SINGLE and look.usage.calls_of(table)):
            text = f"{placement.reason}; {cost}"
            yield Trap(Kind.NO_KEY, text, look.name(table), calls=look.usage.calls_of(table))


def _two_keys(look: Look) -> Iterator[Trap]:
    for placement in look.key_placements:
        for other in placement.others:
            column = look.source.column(placement.table, other).name
            used = look.usage.calls_by_value(placement.table, other)
            text = f"a row has this key, too, and is on the shard of {look.column(placement).name}"
            more = f"; {used:,} calls ask by it and go to all shards" if used else ""
            yield Trap(Kind.TWO_KEYS, text + more, look.name(placement.table), column, calls=used)
    yield from _find_second_parents(look)


def _find_second_parents(look: Look) -> Iterator[Trap]:
    """Tables whose rows belong to rows of two tables, and which statements ask for by the one that does not place
    them."""
    for one in look.references:
        placement = look.design.placements[one.child]
        if placement.way is Way.BROADCAST or one.is_own or len(one.columns) != 1 or one.columns == placement.columns:
            continue
        if one.columns[0] in placement.others or (one.parent == placement.parent and placement.is_in_family):
            continue
        mentions = [
            mention
            for mention in look.usage.of(one.child)
            if not mention.is_insert and one.columns[0] in mention.fixed and not set(placement.columns) & mention.fixed
        ]
        calls = sum(mention.calls for mention in mentions)
        is_family = look.design.placements[one.parent].is_in_family and placement.is_in_family
        twice = any(
            other.child == one.child and other.parent == one.parent and other.columns < one.columns
            for other in look.references
        )
        if calls or is_family or twice:
            column = look.source.column(one.child, one.columns[0]).name
            text = f"a row belongs to {look.name(one.parent)}, too, which does not say on which shard it is"
            more = f"; {calls:,} calls ask by it alone" if calls else ""
            yield Trap(Kind.TWO_KEYS, text + more, look.name(one.child), column, calls=calls)


def _own_parent(look: Look) -> Iterator[Trap]:
    for one in look.references:
        if one.is_own:
            column = look.source.column(one.child, one.columns[0]).name
            text = "rows refer to rows of the same table, which may be on another shard"
            if look.design.placements[one.child].way in (Way.BROADCAST, Way.SINGLE):
                text = "rows refer to rows of the same table, which are where they are: harmless"
            yield Trap(Kind.OWN_PARENT, text, look.name(one.child), column)


def _unique(look: Look) -> Iterator[Trap]:
    for placement in look.design.of_way(Way.KEY, Way.PARENT, Way.OWN):
        table = look.source.tables[placement.table]
        placing = set(placement.columns)
        for key in table.every_unique_key:
            if not placing <= {name.lower() for name in key.whole}:
                text = f"unique key {key.name} ({key.words}) holds on each shard by itself"
                column = key.columns[0] if len(key.columns) == 1 else ""
                yield Trap(Kind.UNIQUE, text, table.name, column)


def _busy_copy(look: Look) -> Iterator[Trap]:
    for placement in look.design.placements.values():
        table = placement.table
        rows, writes, calls = look.source.rows(table), look.usage.writes_of(table), look.usage.calls_of(table)
        if placement.is_in_family or not writes:
            continue
        if placement.way is Way.BROADCAST or (look.source.has_sizes and rows <= SMALL_ROWS):
            text = f"{writes:,} of its {calls:,} calls write, and each write of a copied table goes to every shard"
            yield Trap(Kind.BUSY_COPY, text, look.name(table), calls=writes)


def _numbers(look: Look) -> Iterator[Trap]:
    for placement in look.design.of_way(Way.KEY, Way.PARENT, Way.OWN):
        for column in look.source.tables[placement.table].columns:
            if column.auto_increment:
                text = "no shard knows the others' numbers: take them from elsewhere (`ids` of the spec)"
                yield Trap(Kind.NUMBERS, text, look.name(placement.table), column.name)


# -- statements --------------------------------------------------------------------------------------------------------


def _statements(look: Look) -> Iterator[Trap]:
    for verdict, kind in _KINDS.items():
        for one in look.find_judged(verdict):
            named = look.usage.of_group(one.group.digest)
            table = look.name(named[0].table) if named else ""
            yield Trap(kind, one.judgement.reason, table, statement=one.group.sql, calls=one.group.calls)


_KINDS: Final = {
    Verdict.CROSS_SHARD_TRANSACTION: Kind.TRANSACTION,
    Verdict.CROSS_SHARD_JOIN: Kind.JOIN,
    Verdict.OTHER_ANSWER: Kind.ANSWER,
}


def _lookups(look: Look) -> Iterator[Trap]:
    """Statements that ask for a row by a unique key that says nothing of its shard."""
    unique = {
        name: [set(key) for key in _unique_keys(look.source, name)]
        for name, placement in look.design.placements.items()
        if placement.is_in_family
    }
    fixed = {
        (one.table, group.digest): one.fixed
        for group in look.source.groups
        for one in look.usage.of_group(group.digest)
        if not one.is_insert
    }
    for one in look.find_judged(Verdict.SAME_ANSWER, Verdict.OTHER_ANSWER):
        for table, keys in unique.items():
            asked = fixed.get((table, one.group.digest))
            if asked is not None and any(key <= asked for key in keys):
                text = f"it finds a row of {look.name(table)} by a key that does not say on which shard the row is"
                yield Trap(Kind.LOOKUP, text, look.name(table), statement=one.group.sql, calls=one.group.calls)
                break


def _unique_keys(source: SourceDatabase, table: str) -> Iterator[tuple[str, ...]]:
    yield source.row_key(table)
    for key in source.tables[table].unique_keys:
        yield tuple(name.lower() for name in key.columns)


RULES_OF_DESIGNS: Final[tuple[Rule, ...]] = (
    _no_key,
    _two_keys,
    _own_parent,
    _unique,
    _busy_copy,
    _numbers,
    _statements,
    _lookups,
)
