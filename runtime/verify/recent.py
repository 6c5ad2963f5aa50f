"""Are the rows right that the stream's last batches changed? To compare only those is cheap enough to be done all the
time.

Runs in the driver; reads the remembered keys on the shards, and both sides.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Final

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.ledger.recent_keys import recent_keys
from shardwright.runtime.mysql.kept_connections import KeptConnections
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.verify.barrier import Moving
from shardwright.runtime.verify.given_keys import KeyCheck, check_keys
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.keys import Naming
from shardwright.runtime.verify.result import Mismatch, TableResult, VerifyResult, columns_not_compared
from shardwright.runtime.verify.sessions import Sessions
from shardwright.runtime.verify.source_end import SourceEnd
from shardwright.runtime.verify.table_run import Manner

_SHARDS_AT_ONCE = 8
_KEYS_AT_ONCE = 10_000
_TABLES_AT_ONCE = 64
AT_ONCE: Final = Manner()
"""Without waiting."""


@dataclass(frozen=True, slots=True)
class _WaitingAside:
    """A thread that waits for the stream lets another one read."""

    moving: Moving
    reading: threading.BoundedSemaphore

    def catch_up(self) -> None:
        self.reading.release()
        try:
            self.moving.catch_up()
        finally:
            self.reading.acquire()

    def at_rest(self) -> bool:
        return self.moving.at_rest()

    def last_batch(self) -> int:
        return self.moving.last_batch()

    def keys_changed_since(self, batch: int, logical: str) -> Collection[Key] | None:
        return self.moving.keys_changed_since(batch, logical)


@dataclass(frozen=True, slots=True)
class ChangedKeys:
    """What some batches changed, as far as the shards remember it."""

    by_table: Mapping[str, Sequence[Key]]
    """Logical table -> its keys, each once."""
    rows: int
    """Changed rows, counted once for each shard and batch; also those of tables that are not compared."""
    last: int
    """The last of these batches; the one that was asked about where there is none."""


def verify_recent(
    plan: Plan,
    servers: Servers,
    *,
    tables: Sequence[str] | None,
    moving: Moving,
    after: int = 0,
    up_to: int | None = None,
    manner: Manner = AT_ONCE,
) -> tuple[VerifyResult, int]:
    """Compares the rows that batches after `after` changed and that the shards still remember. Returns also the last of
    those batches. Of a batch that is not closed, some shards may not have written their keys yet: `up_to` leaves it
    out. Where nothing was changed there is nothing to compare: no table is in the result."""
    with closing(KeptConnections(servers)) as kept:
        keys = read_changed_keys(plan, kept, after=after, up_to=up_to)
    return compare_keys(plan, servers, keys, tables=tables, moving=moving, manner=manner), keys.last


def read_changed_keys(plan: Plan, kept: KeptConnections, *, after: int, up_to: int | None) -> ChangedKeys:
    """What the shards remember of the batches after `after`; not of those after `up_to`."""
    found: dict[str, dict[Key, None]] = defaultdict(dict)
    rows, last = 0, after
    with ThreadPoolExecutor(_SHARDS_AT_ONCE, thread_name_prefix="keys") as pool:
        read = partial(_keys_on, plan, kept, after=after, up_to=up_to)
        for keys in pool.map(read, range(len(kept.servers.databases))):
            rows, last = rows + keys.rows, max(last, keys.last)
            for logical, some in keys.by_table.items():
                found[logical].update(dict.fromkeys(some))
    return ChangedKeys({logical: list(keys) for logical, keys in found.items()}, rows, last)


def _keys_on(plan: Plan, kept: KeptConnections, shard: int, *, after: int, up_to: int | None) -> ChangedKeys:
    known = {table.logical for table in plan.tables}
    found: dict[str, dict[Key, None]] = defaultdict(dict)
    rows, last = 0, after
    with kept.at(shard) as connection:
        for batch, logical, some in recent_keys(connection, plan.migration, after + 1, up_to):
            rows, last = rows + some.num_rows, max(last, batch)
            if logical in known:
                found[logical].update((tuple(key), None) for key in some.column("key").to_pylist())
    return ChangedKeys({logical: list(keys) for logical, keys in found.items()}, rows, last)


def compare_keys(
    plan: Plan,
    servers: Servers,
    keys: ChangedKeys,
    *,
    tables: Sequence[str] | None,
    moving: Moving,
    manner: Manner = AT_ONCE,
) -> VerifyResult:
    """Compares the rows of those keys, in those of the tables that `tables` names; None: in all of them. Waits as
    `manner` says before every 10,000 of them. `manner.workers` tables are read at a time, while others wait for the
    stream."""
    started = time.monotonic()
    sessions = Sessions(servers.connect_source, servers.connect_shard)
    asked = [table for table in plan.tables if tables is None or table.logical in tables]
    changed = [table for table in asked if table.logical in keys.by_table]
    reading = threading.BoundedSemaphore(manner.workers)
    aside = _WaitingAside(moving, reading)

    def compare(table: TablePlan) -> TableResult:
        with reading:
            return _table(plan, table, keys.by_table[table.logical], sessions, moving=aside, manner=manner)

    try:
        with ThreadPoolExecutor(min(len(changed), _TABLES_AT_ONCE) or 1, thread_name_prefix="recent") as pool:
            results = tuple(pool.map(compare, changed))
    finally:
        sessions.close()
    return VerifyResult(plan.migration, plan.fingerprint, results, time.monotonic() - started, direction=plan.direction)


def _table(
    plan: Plan,
    table: TablePlan,
    keys: Sequence[Key],
    sessions: Sessions,
    *,
    moving: Moving,
    manner: Manner,
) -> TableResult:
    started = time.monotonic()
    found, problem = KeyCheck(0, (), ()), None
    try:
        if table.identity.counts_rows:
            why = f"{table.logical} has no key by which changed rows could be compared: a whole verify compares it"
            raise CouldNotCheck("SW8532", why)
        for first in range(0, len(keys), _KEYS_AT_ONCE):
            manner.wait()
            found = found.plus(check_keys(plan, table, keys[first : first + _KEYS_AT_ONCE], sessions, moving=moving))
    except CouldNotCheck as failure:
        problem = str(failure)
    mismatches = tuple(_mismatches(table, found, SourceEnd(plan, table, sessions), sessions))
    if manner.found is not None:
        manner.found(mismatches)
    return TableResult(
        table=table.logical,
        rows_source=len(keys),
        rows_shards=(),
        chunks=1,
        differing_chunks=int(bool(found.wrong)),
        mismatches=mismatches,
        still_changing=found.still_changing,
        problem=problem,
        seconds=time.monotonic() - started,
        not_looked_for=table.placement.no_mysql,
        not_compared=columns_not_compared(table),
    )


def _mismatches(table: TablePlan, found: KeyCheck, source: SourceEnd, sessions: Sessions) -> Iterator[Mismatch]:
    for wrong in found.wrong:
        for state, target in wrong.found:
            yield from Naming(table, source, target, sessions).mismatches(wrong.key, state)
