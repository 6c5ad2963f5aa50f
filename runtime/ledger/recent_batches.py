"""Where each of the last batches began, and how many rows of which tables it changed. The stream can go back that far
when a new server lacks what was applied.

Used in the driver; writes to the first shard.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.ledger.comparison import KEPT_SECONDS, first_kept, void_verified
from shardwright.runtime.ledger.members import last_batch_with_work
from shardwright.runtime.ledger.recent_keys import KeyMemory, first_remembered
from shardwright.runtime.ledger.stage_summary import NEW, Summary, count_staged
from shardwright.runtime.mysql.transactions import execute_later, query
from shardwright.runtime.sources.positions.earlier_place import EarlierPlace
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.specs.environment.environment import FailoverSettings

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_recent` (
      migration VARCHAR(64) NOT NULL,
      batch BIGINT NOT NULL,
      from_position LONGTEXT NOT NULL,
      committed_at BIGINT NULL,
      changed LONGTEXT NOT NULL,
      PRIMARY KEY (migration, batch)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On the first shard."""
_READ = (
    "SELECT batch, from_position, committed_at, changed FROM `_shardwright_recent` WHERE migration = %s ORDER BY batch"
)
_ADD = (
    "INSERT INTO `_shardwright_recent` (migration, batch, from_position, committed_at, changed) VALUES (%s, %s, %s, "
    "%s, %s) ON DUPLICATE KEY UPDATE from_position = VALUES(from_position), committed_at = VALUES(committed_at), "
    "changed = VALUES(changed)"
)
_FORGET_ALL = "DELETE FROM `_shardwright_recent` WHERE migration = %s"
_FORGET = "DELETE FROM `_shardwright_recent` WHERE migration = %s AND batch < %s"
_OLDEST = "SELECT COALESCE(MIN(batch), 0) FROM `_shardwright_recent` WHERE migration = %s"
_FORGOTTEN_AT_ONCE = 1_000
"""Batches whose keys one batch forgets. Those of a day, deleted in one transaction, would hold up the stream."""


@dataclass(frozen=True, slots=True)
class RecentBatch:
    """A batch that has taken effect. `start` is where it began. `committed_at` is the commit time of its newest event
    (seconds since 1970). `changed`: logical table -> staged rows on all shards."""

    batch: int
    start: StreamPosition
    committed_at: int | None
    changed: Mapping[str, int]

    @property
    def rows(self) -> int:
        return sum(self.changed.values())


def read_recent(control: Connection[Any], migration: str) -> list[RecentBatch]:
    """From the oldest on, without a gap up to the last batch with work. Empty when a run that did not keep this record
    has worked since. After the last one there may be a batch that has inserted rows directly and was never staged
    whole. No batch may be open."""
    found = [
        RecentBatch(int(batch), StreamPosition.from_text(start), at, json.loads(changed))
        for batch, start, at, changed in query(control, _READ, (migration,))
    ]
    return found if found and found[-1].batch >= last_batch_with_work(control, migration) else []


def oldest_recent(control: Connection[Any], migration: str) -> int:
    """The oldest batch that is remembered for another server's sake; 0 where there is none. Keys may be remembered from
    an earlier one on, for a cutover's sake (`verified`)."""
    return int(query(control, _OLDEST, (migration,))[0][0])


def recent_rows(control: Connection[Any], migration: str, after: int, last: int) -> int:
    """How many rows the batches after `after` up to `last` changed, as far as they are remembered."""
    found = query(control, _READ, (migration,))
    return sum(sum(json.loads(changed).values()) for batch, *_, changed in found if after < int(batch) <= last)


def earlier_places(
    plan: Plan, recent: Sequence[RecentBatch], *, source: str, copied: StreamPosition
) -> list[EarlierPlace]:
    """Where each of `recent` began in that source, newest first, with what has changed from there on. None of them is
    before `copied`, which is behind all that was copied: a copied row may hold what no batch has brought."""
    rows = 0
    changed: set[str] = set()
    found: list[EarlierPlace] = []
    for item in reversed(recent):
        rows += item.rows
        changed |= item.changed.keys()
        place, end = item.start.logs.get(source), copied.parts.get(source)
        if place is not None and (end is None or place.has_reached(end)):
            fixed = tuple(sorted(changed & read_only_by_place(plan)))
            found.append(EarlierPlace(item.batch, place, rows, fixed))
    return found


def read_only_by_place(plan: Plan) -> frozenset[str]:
    """Tables of which a row cannot be brought back by its key alone: families, since a child's places are its parents',
    and tables to whose columns other writers write, too."""
    families = {*plan.parents, *(table.logical for table in plan.children)}
    shared = {table.logical for table in plan.tables if table.writes.marks_columns}
    return frozenset(families | shared | {table.logical for table in plan.lookup_tables})


def forget_recent(control: Connection[Any], migration: str) -> None:
    """The stream never goes back to any of them."""
    execute_later(control, _FORGET_ALL, (migration,), may_commit=True)


@dataclass
class RecentBatches:
    """The batches that a run remembers. Keys alone are remembered for longer where a comparison needs them."""

    control: Connection[Any]
    """To the first shard."""
    migration: str
    """Its name, by which the ledgers are keyed."""
    limits: FailoverSettings
    """Which batches: `margin_seconds` of commit times before the newest one, and not more rows than may be read
    again."""
    kept_seconds: float = KEPT_SECONDS
    """So long keys are remembered for a comparison."""
    first_kept: int | None = field(init=False)
    """The first batch whose keys a comparison needs (`verified`); None: no comparison needs any."""
    _known: list[RecentBatch] = field(init=False)
    _forgotten: int = field(init=False)
    """Keys of the batches before it are forgotten."""

    def __post_init__(self) -> None:
        self._known = read_recent(self.control, self.migration)
        self.keep(self.control)
        self._forgotten = first_remembered(self.control, self.migration)

    def memory_for(self, batch: int, start: StreamPosition) -> KeyMemory | None:
        """What the tasks of `batch`, which begins at `start`, remember; None when nothing is to be read again."""
        if self.limits.reread_rows == 0:
            return None
        kept = min(self._oldest(batch, start), batch if self.first_kept is None else self.first_kept)
        self._forgotten = min(kept, self._forgotten + _FORGOTTEN_AT_ONCE)
        return KeyMemory(self._forgotten, self.limits.reread_rows)

    def keep(self, connection: Connection[Any]) -> None:
        """Call in the transaction that closes a batch: a comparison may have begun."""
        self.first_kept = first_kept(connection, self.migration, seconds=self.kept_seconds)

    def void_unless_remembered(
        self, connection: Connection[Any], batch: int, work: Mapping[int, Summary], *, databases: Sequence[str]
    ) -> None:
        """A shard does not remember the keys of a share that is too large. Call in the transaction after which the
        batch takes effect."""
        for shard, summary in work.items():
            rows = count_staged(summary)
            if rows > self.limits.reread_rows:
                why = (
                    f"batch {batch} changed {rows:,} rows on {databases[shard]}, and keys of at most "
                    f"{self.limits.reread_rows:,} are remembered (failover.reread_rows)"
                )
                void_verified(connection, self.migration, why=why)

    def _oldest(self, batch: int, start: StreamPosition) -> int:
        """The oldest batch to keep. Batches whose rows wait to be read again are kept."""
        kept = [batch, *(item.batch for item in self._known)]
        parts = [part.repair_from_batch for part in start.parts.values()]
        return min([*kept, *(owed for owed in parts if owed is not None)])

    def add(
        self,
        connection: Connection[Any],
        batch: int,
        start: StreamPosition,
        *,
        committed_at: Mapping[str, int],
        work: Mapping[int, Mapping[str, Mapping[str, Mapping[str, int]]]],
    ) -> None:
        """Call in the transaction after which the batch takes effect. `work`: shard -> logical table -> action -> part
        -> rows."""
        changed: dict[str, int] = {}
        for summary in work.values():
            for logical, actions in summary.items():
                rows = sum(sum(parts.values()) for action, parts in actions.items() if action != NEW)
                changed[logical] = changed.get(logical, 0) + rows
        if self.limits.reread_rows == 0 or not work:
            return  # `members` records only batches with work
        item = RecentBatch(batch, start, max(committed_at.values(), default=None), changed)
        known = [other for other in self._known if other.batch != batch]
        self._known = self._worth_keeping([*known, item])
        values = (self.migration, batch, start.to_text(), item.committed_at, json.dumps(changed, sort_keys=True))
        execute_later(connection, _ADD, values, may_commit=True)
        execute_later(connection, _FORGET, (self.migration, self._oldest(batch, start)), may_commit=True)

    def _worth_keeping(self, known: list[RecentBatch]) -> list[RecentBatch]:
        newest = max((item.committed_at for item in known if item.committed_at is not None), default=0)
        kept: list[RecentBatch] = []
        rows = 0
        for item in reversed(known):
            rows += item.rows
            too_old = item.committed_at is not None and item.committed_at < newest - self.limits.margin_seconds
            if kept and (too_old or rows > self.limits.reread_rows):
                break
            kept.append(item)
        return kept[::-1]
