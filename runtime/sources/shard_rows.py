"""Which row do the shards have of a key, wherever it is? On the way back, and where both sides write all rows; then of
the source, too, which is read alike.

Runs in the driver; reads all physical tables of the shards.

A row that is in two tables of the shards at once is on its way from one to the other: its application inserts it first
and deletes it then. Either could be the one that stays, so it is read again for a moment. A row that stays in both is
named.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.sql.transport import one_spelling
from shardwright.runtime.mysql.keys import Key, key_text
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.rows_by_key import Image, images_by_key
from shardwright.runtime.sources.source import Sources

_LOOK_EVERY: Final = 0.1


class ShardRow(NamedTuple):
    """A row of the shards."""

    table: str
    """Where it is ("database.table")."""
    key: Key
    """As the row has it: its spelling may be another one than that which was asked for."""
    image: Image
    """Its values, in the form of a log's images."""


@dataclass(frozen=True, slots=True)
class ShardRows:
    """What the shards have of some keys of a table."""

    rows: Mapping[Key, ShardRow | None]
    """One row of the key, or none."""
    doubles: Mapping[Key, Sequence[ShardRow]]
    """Keys of which several tables of the shards have a row, with all of them."""

    def tables_of_doubles(self, logical: str) -> dict[tuple[str, Key], Sequence[str]]:
        """By logical table and key, where these rows are."""
        return {(logical, key): [row.table for row in rows] for key, rows in self.doubles.items()}


@dataclass(frozen=True, slots=True)
class ShardReader:
    """Reads rows of the shards by their keys, with all that the logs have up to `behind`."""

    plan: Plan
    """The backward plan; of the way to the shards to read the source."""
    logs: Sources
    """Of all servers that the plan reads."""
    behind: StreamPosition
    """What is later comes as an event of a later batch."""

    def read(self, logical: str, keys: Sequence[Key], *, within: float = 0.0) -> ShardRows:
        """The rows of `keys`; those that are in several tables are read again, for so many seconds. Raises
        StoppedPartWay (SW8320) where a server does not show what its log has."""
        rows: dict[Key, ShardRow | None] = {}
        left, until = list(keys), time.monotonic() + within
        while True:
            found = self._find_rows(self.plan.table(logical), left)
            rows |= {key: next(iter(found.get(key, ())), None) for key in left if len(found.get(key, ())) < 2}
            left = [key for key in left if key not in rows]
            if not left or time.monotonic() > until:
                return ShardRows(rows, {key: found[key] for key in left})
            time.sleep(_LOOK_EVERY)

    def _find_rows(self, table: TablePlan, keys: Sequence[Key]) -> Mapping[Key, list[ShardRow]]:
        positions = [column.position for column in table.key_columns]
        kinds = [column.type for column in table.key_columns]
        exact = all(map(one_spelling, kinds))  # else only a server knows which spellings are one key
        found: dict[Key, list[ShardRow]] = defaultdict(list)
        for log in self.logs:
            here = [str(source) for source in table.sources if str(source) in log.tables]
            if not here:
                continue
            with log.reader_after(self.behind.parts[log.name]) as reader:
                for name in here:
                    for some in [keys] if exact else [[key] for key in keys]:
                        for image in images_by_key(reader, self.plan, table.logical, source=name, keys=some):
                            key = tuple(key_text(image[at], kind) for at, kind in zip(positions, kinds, strict=True))
                            found[key if exact else some[0]].append(ShardRow(name, key, image))
        return found
