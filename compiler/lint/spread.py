"""How evenly a sharding function spreads keys over the databases and over all physical tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from shardwright.compiler.lint.key_patterns import Key
from shardwright.compiler.sharding.function import ShardFunction, route

TOLERANCE = 2.0
"""How many times its even share the fullest place may have: random keys alone reach 1.6 with _KEYS_PER_PLACE."""

_KEYS_PER_PLACE = 24
_FEWEST, _MOST = 1_024, 6_144


@dataclass(frozen=True, slots=True)
class Spread:
    """The share (0..1) of the keys in the fullest of `places`, which are called `what`."""

    what: str
    places: int
    share: float

    @property
    def is_skewed(self) -> bool:
        return self.share * self.places > TOLERANCE


def sample_size(databases: int, tables: int) -> int:
    return max(_FEWEST, min(_MOST, _KEYS_PER_PLACE * databases * tables))


def spreads(
    function: ShardFunction, column: str, keys: Sequence[Key], *, databases: int, tables: int
) -> tuple[Spread, ...]:
    """Over the databases, the tables and the physical tables, of these what the sample is large enough to tell."""
    places = Counter(route(function, {column: key}) for key in keys)
    total = sum(places.values())
    by_database: Counter[int] = Counter()
    by_table: Counter[int] = Counter()
    for (database, table), number in places.items():
        by_database[database] += number
        by_table[table] += number
    found = (
        Spread("databases", databases, max(by_database.values()) / total),
        Spread("table suffixes", tables, max(by_table.values()) / total),
        Spread("physical tables", databases * tables, max(places.values()) / total),
    )
    return tuple(spread for spread in found if total >= _KEYS_PER_PLACE * spread.places)
