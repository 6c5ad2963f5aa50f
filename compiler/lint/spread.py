"""How evenly a sharding function spreads keys over databases and physical tables, tried on keys as applications make
them. Deterministic:
the seeds are fixed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from shardwright.compiler.expressions.interval import integer_interval
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.sharding.function import ShardFunction, route_each

Key = int | str | bytes

_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
_STRIDES = (10, 16, 64, 100, 1000)


@dataclass(frozen=True, slots=True)
class KeyPattern:
    """`words` complete "with keys that …". `is_certain` when real keys are surely so or like it; others are only
    usual."""

    words: str
    is_certain: bool
    make: Callable[[int], Sequence[Key]]


def key_patterns(kind: ColumnType) -> tuple[KeyPattern, ...]:
    """The patterns that fit a column of the type; none for types that are no usual shard keys."""
    if kind.is_integer:
        return _integers(kind)
    if kind.name == "uuid":
        return (KeyPattern("are random", True, lambda n: [str(UUID(bytes=key)) for key in _random_bytes(n, 16)]),)
    if kind.name in ("char", "varchar"):
        return _texts(min(kind.length or 1, 36))
    if kind.name in ("binary", "varbinary"):
        return (KeyPattern("are random", True, lambda n: _random_bytes(n, kind.length or 1)),)
    return ()


def _integers(kind: ColumnType) -> tuple[KeyPattern, ...]:
    highest = integer_interval(kind).high
    certain = (
        KeyPattern("are random", True, lambda n: _random_integers(n, highest)),
        KeyPattern("count up", True, lambda n: range(1, min(n, highest) + 1)),
    )
    if kind.name != "bigint":
        return certain
    strided = (
        KeyPattern(f"are multiples of {step}", False, lambda n, step=step: range(step, step * n + 1, step))  # type: ignore[misc]
        for step in _STRIDES
    )
    snowflakes = KeyPattern("are made of time and node with a counter that is often 0", False, _snowflakes)
    return (*certain, snowflakes, *strided)


def _random_integers(count: int, highest: int) -> Sequence[int]:
    if highest < 2 * count:
        return range(highest + 1)
    dice = random.Random(1)
    return [dice.randint(0, highest) for _ in range(count)]


def _snowflakes(count: int) -> Sequence[int]:
    """41 bits of milliseconds, 10 of the node, 12 of a counter that begins at 0 in each millisecond."""
    dice = random.Random(2)
    time, keys = 1_500_000_000, []
    for _ in range(count):
        time += dice.randint(1, 40)
        keys.append(time << 22 | dice.randint(0, 3) << 12)
    return keys


def _texts(length: int) -> tuple[KeyPattern, ...]:
    def random_texts(count: int) -> Sequence[str]:
        dice = random.Random(3)
        return sorted({"".join(dice.choices(_LETTERS, k=length)) for _ in range(count)})

    def numbers(count: int) -> Sequence[str]:
        return [str(number) for number in range(1, min(count, 10**length - 1) + 1)]

    return KeyPattern("are random texts", True, random_texts), KeyPattern("are numbers as text", True, numbers)


def _random_bytes(count: int, length: int) -> Sequence[bytes]:
    dice = random.Random(4)
    return sorted({dice.randbytes(length) for _ in range(count)})


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
    places = Counter(route_each(function, [{column: key} for key in keys]))
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
