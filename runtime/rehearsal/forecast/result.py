"""What does a forecast say? Its values. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlaceForecast:
    """The rows and bytes of one place. `name` is a database or a physical table.

    `bytes` are data and indexes: the source server's estimate for the whole table, times this place's part of the
    values' bytes. `error`: how wrong the share of rows may be (0 to 1, confidence 95 %).
    """

    name: str
    rows: int
    bytes: int
    error: float


@dataclass(frozen=True, slots=True)
class HeavyKey:
    """A shard key with many rows. `rows` is forecast; `share` is its part of the table's rows (0 to 1)."""

    key: tuple[str, ...]
    rows: int
    share: float


@dataclass(frozen=True, slots=True)
class Collision:
    """Rows of two source tables with one value of a unique key."""

    key: str
    """The unique key's name."""
    left: str
    """One source table."""
    right: str
    """The other source table."""
    pairs: int
    """Forecast number of values that are in both."""
    together: int
    """How many of them come into one physical table."""
    example: str
    """One such value, as text."""


@dataclass(frozen=True, slots=True)
class TableForecast:
    """The forecast of one logical table."""

    table: str
    """The logical table."""
    distribution: str
    """"sharded", "single" or "broadcast"."""
    rows: int
    """Forecast number of rows."""
    looked_at: int
    """How many rows were read."""
    is_whole: bool
    """Whether all rows were read."""
    shards: tuple[PlaceForecast, ...] = ()
    """By target database; empty when the table is not forecast."""
    parts: tuple[PlaceForecast, ...] = ()
    """By physical table; empty when the table is not split."""
    keys: tuple[HeavyKey, ...] = ()
    """The shard keys with most rows, largest first."""
    short: int = 0
    """By how many rows a key's count may be too small; 0 unless a table has very many keys."""
    collisions: tuple[Collision, ...] = ()
    """Values of unique keys that are in two source tables."""
    note: str = ""
    """Why the table is not forecast, or what was left out; else empty."""

    def byte_shares(self, databases: tuple[str, ...]) -> tuple[float, ...]:
        """The part of the table's bytes that each target database gets; empty when nothing is known."""
        found = {place.name: place.bytes for place in self.shards}
        total = sum(found.values())
        return tuple(found.get(name, 0) / total for name in databases) if total else ()


@dataclass(frozen=True, slots=True)
class Forecast:
    migration: str
    tables: tuple[TableForecast, ...]

    def shards(self) -> dict[str, tuple[int, int]]:
        """Rows and bytes of all tables by database."""
        found: dict[str, tuple[int, int]] = {}
        for table in self.tables:
            for place in table.shards:
                rows, size = found.get(place.name, (0, 0))
                found[place.name] = (rows + place.rows, size + place.bytes)
        return found
