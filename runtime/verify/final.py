"""Is every row equal at the cut of a cutover? A whole comparison found both sides equal; since then only the stream has
changed rows, so only these are compared again, and all tables are counted.

Runs in the driver, in threads; reads both sides, the remembered keys of all shards and the first shard's ledger.

There are three steps. `gate` says whether there is a proof to start from (`ledger.verified`). `compare_changes` works
beside the stream, so that little is left. `compare_at_the_cut` works while nobody writes and the stream has applied
everything: users wait for it, so all servers are asked at the same time.
"""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import Any, Final, TypeVar

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.ledger.batches import MigrationState, read_migration
from shardwright.runtime.ledger.comparison import KEPT_SECONDS, Verification, read_verified
from shardwright.runtime.ledger.cutover import live_directions
from shardwright.runtime.ledger.dead_letters import count_quarantined
from shardwright.runtime.ledger.left_out import NONE, count_left_out, read_left_out_keys
from shardwright.runtime.ledger.recent_batches import recent_rows
from shardwright.runtime.mysql.kept_connections import KeptConnections
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import if_there
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.verify.at_rest import AtRest
from shardwright.runtime.verify.barrier import MovingStream
from shardwright.runtime.verify.coverage import Coverage, NotCounted
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.recent import AT_ONCE, ChangedKeys, compare_keys, read_changed_keys
from shardwright.runtime.verify.result import VerifyResult
from shardwright.runtime.verify.sessions import Sessions
from shardwright.runtime.verify.table_run import Manner
from shardwright.runtime.verify.table_sizes import estimate_sides

COUNT_UP_TO: Final = 5_000_000
_RETRIED_WITHIN: Final = 10.0
"""Seconds in which a run reads rows again that wait for it."""
Answer = TypeVar("Answer")
_AT_ONCE = 8
"""Statements at a time, over all servers."""


def gate(
    plan: Plan, control: Connection[Any], sources: Sources = (), *, within: float = KEPT_SECONDS
) -> Verification | str:
    """The comparison that the proof starts from, no older than `within` seconds; or why there is none. `control` is to
    the first ledger of the plan's direction. Where the copy has ended in a queue, only the `sources` know."""
    again = "run `shardwright verify`, whole"
    state, found = _at_one_moment(plan, control)
    if state is None or plan.direction not in live_directions(control, plan.migration):
        return f"{plan.migration} does not go in this direction now"
    if state.is_copying(sources):
        return "rows are still being copied"
    held = count_quarantined(control, plan.migration, within=_RETRIED_WITHIN)
    if held:
        return f"{held} rows are dead letters: what happens to them at the source does not reach the shards"
    if found is None:
        return f"no comparison of all tables has found both sides equal: {again}"
    if found.void:
        return (
            f"the comparison of {found.began_at:%Y-%m-%d %H:%M:%S} UTC proves nothing any more: {found.void}: {again}"
        )
    if not found.fingerprint == plan.fingerprint == state.fingerprint:
        return f"the last comparison was made with another plan ({found.fingerprint}): {again}"
    if found.last_batch != state.batch:
        return f"batches were applied whose keys no run has remembered: {again}"
    if found.age > within:
        return f"the last comparison began {found.age / 3600:.1f} hours ago: {again}"
    return found


def _at_one_moment(plan: Plan, control: Connection[Any]) -> tuple[MigrationState | None, Verification | None]:
    """The migration and the record, with no batch closed between the two reads."""
    state = if_there(lambda: read_migration(control, plan.migration))
    while True:
        found = read_verified(control, plan.migration)
        again = if_there(lambda: read_migration(control, plan.migration))
        if again is None or state is None or again.batch == state.batch:
            return again, found
        state = again


def compare_changes(
    plan: Plan,
    servers: Servers,
    *,
    after: int,
    moving: MovingStream,
    tables: Sequence[str] | None = None,
    manner: Manner = AT_ONCE,
) -> tuple[VerifyResult, int]:
    """Compares, beside the stream, the rows that the batches after `after` changed, in those of the tables that
    `tables` names; None: in all of them. Returns also the last batch that
    was closed before: what changes rows from then on comes in later ones. Raises CouldNotCheck (SW8533) where not all
    keys are remembered."""
    with closing(servers.connect_shard(0)) as control:
        verified = gate(plan, control, moving.sources, within=math.inf)
        if isinstance(verified, str):
            raise CouldNotCheck("SW8533", verified)
    with closing(KeptConnections(servers)) as kept:
        keys = recall_keys(plan, kept, verified, after=after)
    result = compare_keys(plan, servers, keys, tables=tables, moving=moving, manner=manner)
    return result, verified.last_batch


def compare_at_the_cut(
    plan: Plan,
    servers: Servers,
    *,
    after: int,
    count_up_to: int = COUNT_UP_TO,
    beside: VerifyResult | None = None,
    estimates: Mapping[str, int] | None = None,
    sources: Sources = (),
    kept: KeptConnections | None = None,
) -> Coverage:
    """Compares the rows that the batches after `after` changed, and counts all tables. Nobody writes to either side,
    and the stream has applied everything.

    `beside` is what `compare_changes` found: the keys that it did not find equal are compared again. A table of more
    than `count_up_to` rows, by `estimates` (`estimate_sides`; they are read where none are given), is not counted.
    `sources` as for `gate`. `kept`: connections to the ledgers.
    """
    started, ledgers = time.monotonic(), kept or KeptConnections(servers)
    with ledgers.at(0) as control:
        verified = gate(plan, control, sources, within=math.inf)
        left_out = NONE
        if isinstance(verified, Verification):
            since, last = verified.first_batch, verified.last_batch
            left_out = count_left_out(control, plan.migration, after=since, last=last)
    problems = [verified] if isinstance(verified, str) else []
    keys = ChangedKeys({}, 0, after)
    if isinstance(verified, Verification):
        try:
            keys = recall_keys(plan, ledgers, verified, after=after)
        except CouldNotCheck as failure:
            problems.append(failure.message)
    if beside is not None:
        keys = with_doubtful(keys, beside)
        problems += [f"{table.table}: {table.problem}" for table in beside.tables if table.problem]
    if estimates is None:
        estimates = estimate_sides(plan, servers)
    sessions = Sessions(servers.connect_source, servers.connect_shard)
    try:
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="cut") as pool:
            at_rest = AtRest(plan, sessions, pool)
            faults = at_rest.faults(keys.by_table)
            counts = at_rest.counts([table for table in plan.tables if estimates[table.logical] <= count_up_to])
            mismatches = [one for some in collect_answers(faults, problems) for one in some]
            counted = collect_answers(counts, problems)
    finally:
        sessions.close()
        if kept is None:
            ledgers.close()
    return Coverage(
        verified=verified if isinstance(verified, Verification) else None,
        ends=(plan.direction.read_side, plan.direction.write_side),
        after=after,
        last=keys.last,
        beside={} if beside is None else _rows_by_table(beside),
        at_the_cut={logical: len(some) for logical, some in keys.by_table.items()},
        left_out=left_out,
        counted=tuple(counted),
        not_counted=tuple(
            NotCounted(name, rows, f"more than {count_up_to:,} would keep users waiting")
            for name, rows in estimates.items()
            if rows > count_up_to
        ),
        mismatches=tuple(mismatches),
        problems=tuple(problems),
        seconds=time.monotonic() - started,
    )


def recall_keys(plan: Plan, kept: KeptConnections, verified: Verification, *, after: int) -> ChangedKeys:
    """The keys that the batches after `after` changed, and those of rows that they left out as our own. Raises
    CouldNotCheck (SW8533) where there are fewer than the ledger says."""
    keys = read_changed_keys(plan, kept, after=after, up_to=verified.last_batch)
    if after == verified.first_batch:
        expected = verified.changed_rows
    else:
        with kept.at(0) as control:
            expected = recent_rows(control, plan.migration, after, verified.last_batch)
    if keys.rows < expected:
        raise CouldNotCheck(
            "SW8533",
            f"batches {after + 1} to {verified.last_batch} changed {expected:,} rows, and the shards remember "
            f"{keys.rows:,} keys of them: run `shardwright verify`, whole",
        )
    with kept.at(0) as control:
        left_out = read_left_out_keys(control, plan.migration, after=after, last=verified.last_batch)
    return replace(_with_more(keys, left_out), last=verified.last_batch)


def with_doubtful(keys: ChangedKeys, beside: VerifyResult) -> ChangedKeys:
    """The same with the keys that a comparison beside the stream did not find equal."""
    doubtful: dict[str, list[Key]] = defaultdict(list)
    for table in beside.tables:
        doubtful[table.table] += [*table.still_changing, *(mismatch.key for mismatch in table.mismatches)]
    return _with_more(keys, doubtful)


def _with_more(keys: ChangedKeys, more: Mapping[str, Sequence[Key]]) -> ChangedKeys:
    by_table = dict(keys.by_table)
    for logical, some in more.items():
        if some:
            by_table[logical] = list(dict.fromkeys([*by_table.get(logical, ()), *some]))
    return replace(keys, by_table=by_table)


def _rows_by_table(beside: VerifyResult) -> Mapping[str, int]:
    """A table may have been compared several times."""
    found: Counter[str] = Counter()
    for table in beside.tables:
        found[table.table] += table.rows_source
    return found


def collect_answers(asked: Sequence[Callable[[], Answer]], problems: list[str]) -> list[Answer]:
    """The answers. Where there is none, `problems` gets the reason."""
    found: list[Answer] = []
    for answer in asked:
        try:
            found.append(answer())
        except CouldNotCheck as failure:
            problems.append(failure.message)
    return found
