"""Rows whose events have no order are read again from the shards, and what exists there decides (direction D7). On the
way back only: an application that moves a row writes to two shards, and the logs of different shards have no order.

Runs in the driver, while a batch is decided; reads all physical tables of the shards, and those of the source. Reading
after the batch's range has ended is what makes it right: whatever a later event brings is applied by a later batch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from shardwright.compiler.sql.batch_sql import batch_sql
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.stage_summary import TO_LOOK_FOR, TO_REREAD, Summary
from shardwright.runtime.mysql.keys import Key
from shardwright.runtime.sources.event import EVENT_SCHEMA, INSERT
from shardwright.runtime.sources.shard_rows import ShardReader, ShardRow
from shardwright.runtime.stream.batch.changed_rows import PlaceLeft, leave_places
from shardwright.runtime.stream.batch.query import BatchChanges, routing_sql
from shardwright.runtime.stream.stage.lookup import find_places
from shardwright.runtime.stream.stage.rows import take_named

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOVES_WITHIN: Final = 1.0
"""Seconds that the batch waits for a row to leave one of two tables."""
BEHIND_LOGS: Final = (0, 1 << 62, 0)
"""Epoch, file and offset behind those of all logs."""
_AT: Final = (*BEHIND_LOGS, -1)
_KEYS: Final = pa.schema([("logical", pa.string()), ("key", pa.list_(pa.string()))])


@dataclass
class RowsAgain:
    """The keys of one batch that were read again, with what the shards have."""

    context: RunContext
    shards: ShardReader
    """Reads them as they are behind the batch's end."""
    _rows: dict[str, dict[Key, ShardRow | None]] = field(default_factory=lambda: defaultdict(dict))
    """By logical table. None: the shards have no such row."""
    doubles: dict[tuple[str, Key], Sequence[str]] = field(default_factory=dict)
    """Rows that the last read found in several tables of the shards, with these tables. The batch cannot have them."""

    def read(self, work: Mapping[int, Summary]) -> bool:
        """Reads the keys that the answers of `work` name, and takes the names out. Returns whether the batch is to be
        staged anew: for a row that is to be read again, or that is to be deleted and that a shard has, and for
        `doubles`."""
        named, leaving = take_named(work, TO_REREAD), take_named(work, TO_LOOK_FOR)
        again: dict[str, dict[Key, ShardRow | None]] = {}
        self.doubles = {}
        for logical in sorted({*named, *leaving}):
            failpoint("before-rows-read-again", logical)
            needed, gone = named.get(logical, frozenset()), leaving.get(logical, frozenset())
            found = self.shards.read(logical, sorted(needed | gone), within=MOVES_WITHIN)
            self.doubles |= found.tables_of_doubles(logical)
            if left := {key: row for key, row in found.rows.items() if key in needed or row is not None}:
                again[logical] = left
        for logical, left in again.items():
            self._rows[logical] |= left
        for logical, key in self.doubles:
            self._rows[logical].pop(key, None)
        if again:
            failpoint("after-rows-read-again")
        return bool(again or self.doubles)

    def among(self, changes: BatchChanges) -> BatchChanges:
        """The batch's changes, with the rows in place of all events of their keys."""
        if not self._rows:
            return changes
        earlier = changes.also
        return replace(changes, also=lambda routed: self._instead(routed if earlier is None else earlier(routed)))

    def _instead(self, routed: DataFrame) -> DataFrame:
        plan, spark = self.context.plan, routed.sparkSession
        there = {(row.table, row.key): row.image for rows in self._rows.values() for row in rows.values() if row}
        read = [(table, INSERT, *BEHIND_LOGS, -1, None, None, image) for (table, _), image in there.items()]
        spark.createDataFrame(_table(read, EVENT_SCHEMA)).createOrReplaceTempView("changes")
        rows = spark.sql(routing_sql(plan, tuple(self._rows)))
        leaving = leave_places(rows, self._places_left(), plan=plan)
        rows.unionByName(leaving).createOrReplaceTempView("rows_read")
        keys = [
            (logical, list(spelling))
            for logical, found in self._rows.items()
            for key, row in found.items()
            for spelling in {key, row.key if row else key}
        ]
        spark.createDataFrame(_table(keys, _KEYS)).createOrReplaceTempView("reread_keys")
        routed.createOrReplaceTempView("routed")
        return spark.sql(batch_sql(plan, "reread"))

    def _places_left(self) -> Sequence[PlaceLeft]:
        """Everywhere that the source has one of the rows now. The place of a row that stays is none to leave."""
        plan, left = self.context.plan, []
        for logical, rows in self._rows.items():
            first = str(plan.table(logical).sources[0])
            places = find_places(plan, self.context.servers, logical, keys=sorted(rows))
            left += [
                PlaceLeft(logical, *((row.table, list(row.key)) if row else (first, list(key))), *place, _AT, False)
                for key, row in rows.items()
                for place in sorted(places)
            ]
        return left


def _table(rows: Sequence[Sequence[Any]], schema: pa.Schema) -> pa.Table:
    columns = zip(*rows, strict=True) if rows else ([] for _ in schema)
    return pa.table([pa.array(list(values), of.type) for values, of in zip(columns, schema, strict=True)], schema)
