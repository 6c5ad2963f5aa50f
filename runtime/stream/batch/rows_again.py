"""Rows whose events have no order are read again from the shards, and what exists there decides (direction D7). On the
way back only: an application that moves a row writes to two shards, and the logs of different shards have no order.

Runs in the driver, while a batch is decided; reads all physical tables of the shards, and those of the source. Reading
after the batch's range has ended is what makes it right: whatever a later event brings is applied by a later batch.

A row that is in two tables of the shards at once is on its way from one to the other: its application inserts it first
and deletes it then. Both could be the one that stays, so the row is read until one is left.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql.batch_sql import batch_sql
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import StoppedPartWay
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.stage_summary import Summary
from shardwright.runtime.mysql.keys import key_text
from shardwright.runtime.mysql.raw_connection import RawConnection, raw_connection
from shardwright.runtime.sources.event import EVENT_DDL, INSERT
from shardwright.runtime.sources.rows_by_key import Image, images_by_key
from shardwright.runtime.stream.batch.changed_rows import PlaceLeft, leave_places
from shardwright.runtime.stream.batch.query import BatchChanges, routing_sql
from shardwright.runtime.stream.stage.lookup import standing_places
from shardwright.runtime.stream.stage.rows import read_to_reread

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_LAST: Final = (0, 1 << 62, 0)
"""Epoch, file and offset behind those of all logs."""
_WAIT_SECONDS: Final = 10.0
"""So long a row may be in two tables of the shards."""
_LOOK_EVERY: Final = 0.1

Key = tuple[str, ...]


class _Found(NamedTuple):
    """A row of the shards."""

    table: str
    image: Image


@dataclass
class RowsAgain:
    """The keys of one batch that were read again, with what the shards have."""

    context: RunContext
    _rows: dict[str, dict[Key, _Found | None]] = field(default_factory=lambda: defaultdict(dict))
    """By logical table. None: the shards have no such row."""

    def read(self, work: Mapping[int, Summary]) -> bool:
        """Reads the keys that the answers of `work` name. Returns whether there are any: the batch is staged anew
        then. Raises StoppedPartWay (SW8309) when a row stays in two tables."""
        named = read_to_reread(work)
        for logical, keys in named.items():
            failpoint("before-rows-read-again", logical)
            self._rows[logical] |= self._settled(self.context.plan.table(logical), sorted(keys))
        if named:
            failpoint("after-rows-read-again")
        return bool(named)

    def among(self, changes: BatchChanges) -> BatchChanges:
        """The batch's changes, with the rows in place of all events of their keys."""
        if not self._rows:
            return changes
        earlier = changes.also
        return replace(changes, also=lambda routed: self._instead(routed if earlier is None else earlier(routed)))

    def _instead(self, routed: DataFrame) -> DataFrame:
        plan, spark = self.context.plan, routed.sparkSession
        read = [
            (row.table, INSERT, *_LAST, -1, None, None, row.image)
            for rows in self._rows.values()
            for row in rows.values()
            if row is not None
        ]
        spark.createDataFrame(read, EVENT_DDL).createOrReplaceTempView("changes")
        rows = spark.sql(routing_sql(plan, tuple(self._rows)))
        leaving = leave_places(rows, self._places_left(), plan=plan)
        rows.unionByName(leaving).createOrReplaceTempView("rows_read")
        keys = [(logical, list(key)) for logical, found in self._rows.items() for key in found]
        spark.createDataFrame(keys, "logical string, key array<string>").createOrReplaceTempView("reread_keys")
        routed.createOrReplaceTempView("routed")
        return spark.sql(batch_sql(plan, "reread"))

    def _places_left(self) -> Sequence[PlaceLeft]:
        """Everywhere that the source has one of the rows now. The place of a row that stays is none to leave."""
        plan, left = self.context.plan, []
        for logical, rows in self._rows.items():
            first = str(plan.table(logical).sources[0])
            places = standing_places(plan, self.context.servers, logical, keys=sorted(rows))
            left += [
                PlaceLeft(logical, row.table if row else first, list(key), shard, part, (*_LAST, -1), False)
                for key, row in rows.items()
                for shard, part in sorted(places)
            ]
        return left

    def _settled(self, table: TablePlan, keys: Sequence[Key]) -> Mapping[Key, _Found | None]:
        """What the shards have of each key: one row, or none."""
        settled: dict[Key, _Found | None] = {}
        open_keys, until = list(keys), time.monotonic() + _WAIT_SECONDS
        while True:
            found = self._found(table, open_keys)
            settled |= {key: next(iter(found.get(key, ())), None) for key in open_keys if len(found.get(key, ())) < 2}
            open_keys = [key for key in open_keys if key not in settled]
            if not open_keys:
                return settled
            if time.monotonic() > until:
                raise _in_two_places(table, open_keys[0], [row.table for row in found[open_keys[0]]])
            time.sleep(_LOOK_EVERY)

    def _found(self, table: TablePlan, keys: Sequence[Key]) -> Mapping[Key, list[_Found]]:
        positions = [column.position for column in table.key_columns]
        kinds = [column.type for column in table.key_columns]
        found: dict[Key, list[_Found]] = defaultdict(list)
        with ExitStack() as opened:
            readers: dict[str, RawConnection] = {}
            for source in table.sources:
                if source.database not in readers:
                    endpoint = self.context.servers.source_of(source.database)
                    readers[source.database] = opened.enter_context(raw_connection(endpoint, source.database))
                reader, name = readers[source.database], str(source)
                for image in images_by_key(reader, self.context.plan, table.logical, source=name, keys=keys):
                    key = tuple(key_text(image[at], kind) for at, kind in zip(positions, kinds, strict=True))
                    found[key].append(_Found(name, image))
        return found


def _in_two_places(table: TablePlan, key: Key, places: Collection[str]) -> StoppedPartWay:
    return StoppedPartWay(
        "SW8309",
        f"row ({', '.join(key)}) of {table.logical} is in {' and in '.join(places)} for more than {_WAIT_SECONDS:.0f} "
        "seconds, and only one of them can go back to the source: delete the one that is wrong; the run tries again",
    )
