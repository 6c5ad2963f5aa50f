"""What a trap is, and what the rules look at that find traps. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from shardwright.compiler.advise.design import Design, Placement, Way
from shardwright.compiler.advise.references import Reference
from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.advise.usage import Usage
from shardwright.compiler.conform.conformance import JudgedGroup
from shardwright.compiler.conform.verdict import Verdict
from shardwright.compiler.plan.catalogue import Column


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


@dataclass(frozen=True, slots=True)
class Look:
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


Rule = Callable[[Look], Iterator[Trap]]
