"""Which row do the shards have of a key, wherever it is? On the way back only.

Runs in the driver; reads all physical tables of the shards.

A row that is in two tables of the shards at once is on its way from one to the other: its application inserts it first
and deletes it then. Both could be the one that stays, so the row is read until one is left.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from typing import Final, NamedTuple

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.sql.transport import one_spelling
from shardwright.runtime.failures import StoppedPartWay
from shardwright.runtime.mysql.keys import Key, key_text
from shardwright.runtime.mysql.raw_connection import RawConnection, raw_connection
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.sources.rows_by_key import Image, images_by_key

_WAIT_SECONDS: Final = 10.0
"""So long a row may be in two tables of the shards."""
_LOOK_EVERY: Final = 0.1


class ShardRow(NamedTuple):
    """A row of the shards."""

    table: str
    """Where it is ("database.table")."""
    key: Key
    """As the row has it: its spelling may be another one than that which was asked for."""
    image: Image
    """Its values, in the form of a log's images."""


def settled_rows(plan: Plan, servers: Servers, logical: str, keys: Sequence[Key]) -> Mapping[Key, ShardRow | None]:
    """What the shards have of each key: one row, or none. Raises StoppedPartWay (SW8309) when a row stays in two
    tables."""
    table = plan.table(logical)
    settled: dict[Key, ShardRow | None] = {}
    left, until = list(keys), time.monotonic() + _WAIT_SECONDS
    while True:
        found = _found(plan, servers, table, left)
        settled |= {key: next(iter(found.get(key, ())), None) for key in left if len(found.get(key, ())) < 2}
        left = [key for key in left if key not in settled]
        if not left:
            return settled
        if time.monotonic() > until:
            raise _in_two_places(table, left[0], [row.table for row in found[left[0]]])
        time.sleep(_LOOK_EVERY)


def _found(plan: Plan, servers: Servers, table: TablePlan, keys: Sequence[Key]) -> Mapping[Key, list[ShardRow]]:
    positions = [column.position for column in table.key_columns]
    kinds = [column.type for column in table.key_columns]
    exact = all(map(one_spelling, kinds))  # else only a server knows which spellings are one key
    found: dict[Key, list[ShardRow]] = defaultdict(list)
    with ExitStack() as opened:
        readers: dict[str, RawConnection] = {}
        for source in table.sources:
            if source.database not in readers:
                opening = raw_connection(servers.source_of(source.database), source.database)
                readers[source.database] = opened.enter_context(opening)
            reader, name = readers[source.database], str(source)
            for some in [keys] if exact else [[key] for key in keys]:
                for image in images_by_key(reader, plan, table.logical, source=name, keys=some):
                    key = tuple(key_text(image[at], kind) for at, kind in zip(positions, kinds, strict=True))
                    found[key if exact else some[0]].append(ShardRow(name, key, image))
    return found


def _in_two_places(table: TablePlan, key: Key, places: Collection[str]) -> StoppedPartWay:
    return StoppedPartWay(
        "SW8309",
        f"row ({', '.join(key)}) of {table.logical} is in {' and in '.join(places)} for more than {_WAIT_SECONDS:.0f} "
        "seconds, and only one of them can go back to the source: delete the one that is wrong; the run tries again",
    )
