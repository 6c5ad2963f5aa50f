"""Are the rows right that the stream's last batches changed? To compare only those is cheap enough to be done all the
time.

Runs in the driver; reads the remembered keys on the shards, and both sides.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.ledger.recent_keys import changed_rows
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.verify.beside_stream import Moving
from shardwright.runtime.verify.given_keys import Standing, standing
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.keys import Naming
from shardwright.runtime.verify.result import Mismatch, TableResult, VerifyResult
from shardwright.runtime.verify.sessions import Sessions
from shardwright.runtime.verify.source_end import SourceEnd


def verify_recent(
    plan: Plan,
    servers: Servers,
    *,
    tables: Sequence[str] | None,
    moving: Moving,
    after: int = 0,
) -> tuple[VerifyResult, int]:
    """Compares the rows that batches after `after` changed and that the shards still remember (`failover.margin`,
    `failover.reread_rows`). Returns also the last of those batches. Where nothing was changed there is nothing to
    compare: no table is in the result."""
    started = time.monotonic()
    keys, last = _changed_keys(plan, servers, after)
    sessions = Sessions(servers.connect_source, servers.connect_shard)
    try:
        results = tuple(
            _table(plan, table, keys[table.logical], sessions, moving)
            for table in plan.tables
            if table.logical in keys and (tables is None or table.logical in tables)
        )
    finally:
        sessions.close()
    return VerifyResult(
        plan.migration, plan.fingerprint, results, time.monotonic() - started, direction=plan.direction
    ), last


def _changed_keys(plan: Plan, servers: Servers, after: int) -> tuple[dict[str, list[Key]], int]:
    known = {table.logical for table in plan.tables}
    found: dict[str, dict[Key, None]] = defaultdict(dict)
    last = after
    for row in changed_rows(servers, plan.migration, after + 1):
        last = max(last, row.batch)
        if row.logical in known:
            found[row.logical][row.key] = None
    return {logical: list(keys) for logical, keys in found.items()}, last


def _table(plan: Plan, table: TablePlan, keys: Sequence[Key], sessions: Sessions, moving: Moving) -> TableResult:
    started = time.monotonic()
    found, problem = Standing(0, (), ()), None
    try:
        found = standing(plan, table, keys, sessions, moving=moving)
    except CouldNotCheck as failure:
        problem = str(failure)
    return TableResult(
        table=table.logical,
        rows_source=len(keys),
        rows_shards=(),
        chunks=1,
        differing_chunks=int(bool(found.wrong)),
        mismatches=tuple(_mismatches(table, found, SourceEnd(plan, table, sessions), sessions)),
        still_changing=found.still_changing,
        problem=problem,
        seconds=time.monotonic() - started,
        not_looked_for=table.no_mysql_place,
    )


def _mismatches(table: TablePlan, found: Standing, source: SourceEnd, sessions: Sessions) -> Iterator[Mismatch]:
    for wrong in found.wrong:
        for state, target in wrong.found:
            yield from Naming(table, source, target, sessions).mismatches(wrong.key, state)
