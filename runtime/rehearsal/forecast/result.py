"""A forecast, as it is told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlaceForecast:
    """`name` is a database, or a physical table; `bytes` are data and indexes as the source's server estimates them for the whole table,
    by this place's part of the values' bytes. `error`: by how much the share of rows may be wrong (0 to 1, confidence 95 %)."""

    name: str
    rows: int
    bytes: int
    error: float


@dataclass(frozen=True, slots=True)
class HeavyKey:
    """`rows` is forecast; `share` of the table's rows."""

    key: tuple[str, ...]
    rows: int
    share: float


@dataclass(frozen=True, slots=True)
class Collision:
    """Rows of two source tables with one value of a unique key: forecast `pairs`, `together` in one physical table."""

    key: str
    left: str
    right: str
    pairs: int
    together: int
    example: str


@dataclass(frozen=True, slots=True)
class TableForecast:
    """`looked_at` rows were read; `note` says why a table is not forecast, or what was left out. `short`: a key's rows may be more by so
    many (whole tables with very many keys)."""

    table: str
    distribution: str
    rows: int
    looked_at: int
    is_whole: bool
    shards: tuple[PlaceForecast, ...] = ()
    parts: tuple[PlaceForecast, ...] = ()
    keys: tuple[HeavyKey, ...] = ()
    short: int = 0
    collisions: tuple[Collision, ...] = ()
    note: str = ""

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
