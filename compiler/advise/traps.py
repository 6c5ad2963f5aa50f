"""What goes wrong with a design, before anybody builds it? Each trap names a table, a column or a statement. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from shardwright.compiler.advise.assess import Assessment
from shardwright.compiler.advise.design import DICTIONARY_ROWS, SMALL_ROWS, Design, Placement, Way
from shardwright.compiler.advise.references import Reference, is_comparable
from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.advise.spread import column_statistics
from shardwright.compiler.advise.usage import Usage
from shardwright.compiler.conform.conformance import JudgedGroup
from shardwright.compiler.conform.verdict import Verdict
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.schema.column_type import type_words

HOT: Final = 0.05
"""A value with a larger part of the rows is hot."""
_FEW_A_SHARD: Final = 16
"""With fewer values a shard, some shards get much more than others."""
_TIMES: Final = frozenset({"date", "datetime", "timestamp", "time", "year"})


class Kind(StrEnum):
    """A kind of trap, the dearest first."""

    UPDATED_KEY = "updated key"
    HOT_KEY = "hot key"
    FEW_VALUES = "few values"
    NULLABLE_KEY = "nullable key"
    CASE_INSENSITIVE_KEY = "case-insensitive key"
    OTHER_TYPE = "key of another type"
    MONOTONIC_KEY = "monotonic key"
    NO_KEY = "table without the key"
    TWO_KEYS = "two keys in one row"
    OWN_PARENT = "parent in the same table"
    UNIQUE = "unique on each shard only"
    BUSY_COPY = "small table, often written"
    TRANSACTION = "cross-shard transaction"
    JOIN = "cross-shard join"
    ANSWER = "other answer"
    LOOKUP = "look-up without the key"
    NUMBERS = "numbers from AUTO_INCREMENT"


@dataclass(frozen=True, slots=True)
class Trap:
    """`text` is a sentence about it. `calls`: of the statements that it is about. `statement` is one without literals;
    `table` and `column` are empty where it is about none, and written as in the schema otherwise."""

    kind: Kind
    text: str
    table: str = ""
    column: str = ""
    statement: str = ""
    calls: int = 0


def find_traps(assessment: Assessment, source: SourceDatabase, references: Sequence[Reference]) -> tuple[Trap, ...]:
    """By kind; of one kind those with most calls first."""
    look = _Look(assessment.proposal.design, source, references, assessment.shards, assessment.judged)
    return _in_order(trap for rule in (*_OF_KEYS, *_OF_TABLES, *_OF_STATEMENTS) for trap in rule(look))


def find_key_traps(
    design: Design, source: SourceDatabase, references: Sequence[Reference], *, shards: int
) -> tuple[Trap, ...]:
    """Those of the key itself, of a design that was not compiled."""
    look = _Look(design, source, references, shards, ())
    return _in_order(trap for rule in _OF_KEYS for trap in rule(look))


def _in_order(traps: Iterable[Trap]) -> tuple[Trap, ...]:
    order = list(Kind)
    return tuple(sorted(traps, key=lambda trap: (order.index(trap.kind), -trap.calls, trap.table, trap.column)))


@dataclass(frozen=True, slots=True)
class _Look:
    """What the rules look at."""

    design: Design
    source: SourceDatabase
    references: Sequence[Reference]
    shards: int
    judged: Sequence[JudgedGroup]

    @property
    def usage(self) -> Usage:
        return self.source.usage

    @property
    def key_placements(self) -> list[Placement]:
        return self.design.of_way(Way.KEY)

    def name(self, table: str) -> str:
        return self.source.tables[table].name

    def column(self, placement: Placement) -> Column:
        return self.source.column(placement.table, placement.columns[0])

    def find_judged(self, *verdicts: Verdict) -> list[JudgedGroup]:
        return [one for one in self.judged if one.judgement.verdict in verdicts]


# -- the key -----------------------------------------------------------------------------------------------------------


def _find_updated_keys(look: _Look) -> Iterator[Trap]:
    for placement in (*look.key_placements, *look.design.of_way(Way.PARENT)):
        for name in placement.columns:
            calls = look.usage.updates_of(placement.table, name)
            if calls:
                column = look.source.column(placement.table, name).name
                text = f"{calls:,} calls update it, and each moves the row to another shard"
                yield Trap(Kind.UPDATED_KEY, text, look.name(placement.table), column, calls=calls)


def _hot_key(look: _Look) -> Iterator[Trap]:
    for placement in look.key_placements:
        known = column_statistics(look.source, placement.table, placement.columns[0])
        if known is None or placement.table == look.design.key.table:
            continue
        if known.top_share > HOT and known.heaviest and look.source.rows(placement.table) > DICTIONARY_ROWS:
            value, share = known.heaviest[0]
            column = look.column(placement).name
            text = f"value {value} has {share:.0%} of the rows: its shard is never smaller, however many there are"
            yield Trap(Kind.HOT_KEY, text, look.name(placement.table), column)


def _few_values(look: _Look) -> Iterator[Trap]:
    wanted = _FEW_A_SHARD * look.shards
    for placement in look.key_placements:
        known = column_statistics(look.source, placement.table, placement.columns[0])
        if known is not None and known.distinct < wanted and not _is_tiny(look, placement.table):
            text = f"it has {known.distinct:,} values: {look.shards} shards cannot be filled evenly by them"
            yield Trap(Kind.FEW_VALUES, text, look.name(placement.table), look.column(placement).name)


def _is_tiny(look: _Look, table: str) -> bool:
    """Whether few values say nothing: the table has few rows as well."""
    return look.source.has_sizes and 0 < look.source.rows(table) <= DICTIONARY_ROWS


def _nullable_key(look: _Look) -> Iterator[Trap]:
    for placement in look.key_placements:
        column = look.column(placement)
        if not column.nullable:
            continue
        known = column_statistics(look.source, placement.table, placement.columns[0])
        part = f"{known.nulls:.1%} of the rows have none" if known is not None and known.nulls else "it may be NULL"
        text = f"{part}: such rows are together on one shard"
        yield Trap(Kind.NULLABLE_KEY, text, look.name(placement.table), column.name)


def _case_insensitive_key(look: _Look) -> Iterator[Trap]:
    for placement in look.key_placements:
        column = look.column(placement)
        if _ignores_case(column):
            yield Trap(Kind.CASE_INSENSITIVE_KEY, _CASE, look.name(placement.table), column.name)


_CASE: Final = "the server takes values as equal that differ in case: they may be on several shards"


def _ignores_case(column: Column) -> bool:
    return column.type.is_text and not str(column.type.collation).endswith(("_bin", "_cs"))


def _other_type(look: _Look) -> Iterator[Trap]:
    """Columns that hold the key and are of another type: also those that cannot be compared with it."""
    key = look.design.key
    if key.table is None:
        return
    model = look.source.column(key.table, key.column)
    joined = {
        (other[0], other[1])
        for pair in look.usage.joins()
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


def _find_other_names(look: _Look, owner: str) -> Iterator[Trap]:
    """Tables that name the key's row by another unique value of it, such as a tenant's slug."""
    unique = {key.columns[0].lower() for key in look.source.tables[owner].unique_keys if len(key.columns) == 1}
    for pair in look.usage.joins():
        for mine, other in (pair, pair[::-1]):
            if mine[0] != owner or mine[1] not in unique or other[0] == owner:
                continue
            column = look.source.column(*other)
            text = f"it is {look.name(owner)}.{mine[1]} ({type_words(column.type)}), and the rule needs the key"
            yield Trap(Kind.OTHER_TYPE, text, look.name(other[0]), column.name)
            if _ignores_case(column):
                yield Trap(Kind.CASE_INSENSITIVE_KEY, _CASE, look.name(other[0]), column.name)


def _monotonic_key(look: _Look) -> Iterator[Trap]:
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


# -- tables ------------------------------------------------------------------------------------------------------------


def _no_key(look: _Look) -> Iterator[Trap]:
    for placement in look.design.placements.values():
        table, inserts = placement.table, look.usage.inserts_of(placement.table)
        cost = f"a column for the key: {look.source.rows(table):,} rows to fill in, {inserts:,} inserts to change"
        if not look.source.has_sizes:
            cost = f"a column for the key: {inserts:,} inserts to change"
        if placement.way is Way.PARENT:
            deep = look.design.depth(table)
            way = f"its rows are found by {placement.parent}" + (f", {deep} steps from the key" if deep > 1 else "")
            column = look.column(placement).name
            yield Trap(Kind.NO_KEY, f"{way}; {cost}", look.name(table), column, calls=look.usage.calls_of(table))
        elif placement.way is Way.OWN or (placement.way is Way.SINGLE and look.usage.calls_of(table)):
            text = f"{placement.reason}; {cost}"
            yield Trap(Kind.NO_KEY, text, look.name(table), calls=look.usage.calls_of(table))


def _two_keys(look: _Look) -> Iterator[Trap]:
    for placement in look.key_placements:
        for other in placement.others:
            column = look.source.column(placement.table, other).name
            used = look.usage.calls_by_value(placement.table, other)
            text = f"a row has this key, too, and is on the shard of {look.column(placement).name}"
            more = f"; {used:,} calls ask by it and go to all shards" if used else ""
            yield Trap(Kind.TWO_KEYS, text + more, look.name(placement.table), column, calls=used)
    yield from _find_second_parents(look)


def _find_second_parents(look: _Look) -> Iterator[Trap]:
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


def _own_parent(look: _Look) -> Iterator[Trap]:
    for one in look.references:
        if one.is_own:
            column = look.source.column(one.child, one.columns[0]).name
            text = "rows refer to rows of the same table, which may be on another shard"
            if look.design.placements[one.child].way in (Way.BROADCAST, Way.SINGLE):
                text = "rows refer to rows of the same table, which are where they are: harmless"
            yield Trap(Kind.OWN_PARENT, text, look.name(one.child), column)


def _unique(look: _Look) -> Iterator[Trap]:
    for placement in look.design.of_way(Way.KEY, Way.PARENT, Way.OWN):
        table = look.source.tables[placement.table]
        placing = set(placement.columns)
        for key in table.every_unique_key:
            if not placing <= {name.lower() for name in key.whole}:
                text = f"unique key {key.name} ({key.words}) holds on each shard by itself"
                column = key.columns[0] if len(key.columns) == 1 else ""
                yield Trap(Kind.UNIQUE, text, table.name, column)


def _busy_copy(look: _Look) -> Iterator[Trap]:
    for placement in look.design.placements.values():
        table = placement.table
        rows, writes, calls = look.source.rows(table), look.usage.writes_of(table), look.usage.calls_of(table)
        if placement.is_in_family or not writes:
            continue
        if placement.way is Way.BROADCAST or (look.source.has_sizes and rows <= SMALL_ROWS):
            text = f"{writes:,} of its {calls:,} calls write, and each write of a copied table goes to every shard"
            yield Trap(Kind.BUSY_COPY, text, look.name(table), calls=writes)


def _numbers(look: _Look) -> Iterator[Trap]:
    for placement in look.design.of_way(Way.KEY, Way.PARENT, Way.OWN):
        for column in look.source.tables[placement.table].columns:
            if column.auto_increment:
                text = "no shard knows the others' numbers: take them from elsewhere (`ids` of the spec)"
                yield Trap(Kind.NUMBERS, text, look.name(placement.table), column.name)


# -- statements --------------------------------------------------------------------------------------------------------


def _statements(look: _Look) -> Iterator[Trap]:
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


def _lookups(look: _Look) -> Iterator[Trap]:
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


_Rule = Callable[[_Look], Iterator[Trap]]
_OF_KEYS: Final[tuple[_Rule, ...]] = (
    _find_updated_keys,
    _hot_key,
    _few_values,
    _nullable_key,
    _case_insensitive_key,
    _other_type,
    _monotonic_key,
)
_OF_TABLES: Final[tuple[_Rule, ...]] = (_no_key, _two_keys, _own_parent, _unique, _busy_copy, _numbers)
_OF_STATEMENTS: Final[tuple[_Rule, ...]] = (_statements, _lookups)
