"""Do source and shards of a deployment hold the same, beside its stream where it has one?

Runs in the process of the command; reads source servers, shards and ledgers. Starts Spark for invariants only.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace

from shardwright.runtime.cli.connecting import Deployment
from shardwright.runtime.events.compare import ChangesCompared
from shardwright.runtime.events.event import Emit, ignore
from shardwright.runtime.failures import CouldNotCheck, Refused
from shardwright.runtime.ledger.fencing import is_alive
from shardwright.runtime.ledger.recent_batches import oldest_recent
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.run.same_beginning import require_whole_ledgers
from shardwright.runtime.sources.source import has_reached
from shardwright.runtime.verify.barrier import (
    Moving,
    MovingStream,
    ReplicationBarrier,
    open_barrier,
    read_migration_if_there,
)
from shardwright.runtime.verify.both_streams import BothStreams
from shardwright.runtime.verify.recording import Recording
from shardwright.runtime.verify.result import InvariantResult, Verdict, VerifyResult
from shardwright.runtime.verify.table_run import Manner
from shardwright.runtime.verify.verify import CompareRequest, OnProgress, verify


def compare(
    deployed: Deployment,
    request: CompareRequest,
    *,
    on_progress: OnProgress = lambda progress: None,
    at_position: bool = False,
    patience: float = 60.0,
    invariants: bool = False,
    emit: Emit = ignore,
) -> VerifyResult:
    """Compares the rows of `request`; with `invariants`, the plan's invariants, too. What was compared whole and found
    equal is recorded for a cutover.

    With `at_position` everything is compared as of one position: it waits for the shards first. Raises CouldNotCheck
    (SW8509) when the source has moved by the end, (SW8507) when the shards do not get there.
    """
    servers = deployed.servers.patient()
    beside = _require_started(deployed, servers, patience, emit)
    asked = invariants and bool(deployed.plan.invariants)
    whole = request.is_whole and asked == bool(deployed.plan.invariants)
    other = _other_direction(deployed, patience, emit)
    moving: MovingStream = beside if other is None else BothStreams(beside, other)
    with ExitStack() as stack:
        recordings = [
            stack.enter_context(Recording(one.plan, one.servers, whole=whole, emit=emit, sources=one.sources))
            for one in (beside, *([] if other is None else [other]))
        ]
        if at_position:
            moving.catch_up()
        result = verify(
            deployed.plan,
            request,
            source=servers.connect_source,
            shard=servers.connect_shard,
            on_progress=on_progress,
            moving=moving if not at_position else None,
        )
        if asked:
            result = replace(result, invariants=_invariants(deployed, servers, moving if not at_position else None))
        if at_position:
            _require_still(beside)
        for recording in recordings:
            recording.record_end(result)
    return replace(result, positions=beside.positions())


def _other_direction(deployed: Deployment, patience: float, emit: Emit) -> ReplicationBarrier | None:
    """The stream that brings rows back meanwhile, where buckets move one by one."""
    others = [one for one in deployed.live_deployments() if one.plan.direction is not deployed.plan.direction]
    if not others:
        return None
    [other] = others
    deployed.require_same_buckets()
    return open_barrier(other.plan, other.servers.patient(), other.environment, patience=patience, emit=emit)


def _require_started(deployed: Deployment, servers: Servers, patience: float, emit: Emit) -> ReplicationBarrier:
    """The stream to compare beside. Raises Refused (SW8206) where no run has begun: rows that are alike by chance
    prove nothing. Where no run is connected, it raises Refused for ledgers with which none can start: the stream that
    a comparison waits for would not come."""
    beside = open_barrier(deployed.plan, servers, deployed.environment, patience=patience, emit=emit)
    if beside is None:
        raise Refused(
            "SW8206",
            f"migration {deployed.plan.migration} has not begun here: there is nothing to compare; `shardwright run` "
            "begins it",
        )
    with closing(servers.connect_shard(0)) as control:
        state = read_migration_if_there(deployed.plan, servers)
        if state is not None and not is_alive(control, role="data"):
            require_whole_ledgers(deployed.plan, servers, control, position=state.position)
    return beside


def _invariants(deployed: Deployment, servers: Servers, moving: Moving | None) -> tuple[InvariantResult, ...]:
    from shardwright.runtime.spark.session import start_spark
    from shardwright.runtime.verify.invariants import compare_invariants

    spark = start_spark(deployed.environment.spark, name=f"shardwright verify {deployed.plan.migration}")
    try:
        return compare_invariants(deployed.plan, servers, spark, moving=moving)
    finally:
        spark.stop()


def compare_recent(
    deployed: Deployment,
    *,
    tables: Sequence[str] | None,
    patience: float,
    every: float | None,
    manner: Manner,
    emit: Emit,
) -> VerifyResult:
    """Compares what the last batches changed.

    With `every`, it repeats after so many seconds, until something differs or cannot be compared. Raises Refused
    (SW8206) where no run has begun.
    """
    from shardwright.runtime.verify.recent import verify_recent  # only this unpacks keys, which takes a while to load

    servers = deployed.servers.patient()
    beside = _require_started(deployed, servers, patience, emit)
    other = _other_direction(deployed, patience, emit)
    moving: MovingStream = beside if other is None else BothStreams(beside, other)
    with closing(servers.connect_shard(0)) as control:
        last = oldest_recent(control, deployed.plan.migration) - 1  # a cutover's keys may reach back much farther
    while True:
        begun = read_migration_if_there(deployed.plan, servers)
        closed = None if begun is None else begun.batch
        result, last = verify_recent(
            deployed.plan, servers, tables=tables, moving=moving, after=last, up_to=closed, manner=manner
        )
        emit(ChangesCompared(result.rows_compared, None, last, result.in_words))
        at_fault = any(table.verdict is not Verdict.EQUAL for table in result.tables)
        if every is None or at_fault:
            return replace(result, positions=beside.positions())
        time.sleep(every)


def compare_since_verified(
    deployed: Deployment,
    *,
    tables: Sequence[str] | None,
    patience: float,
    manner: Manner,
    emit: Emit,
) -> VerifyResult:
    """Compares what all batches changed since the last whole comparison that found both sides equal. Raises Refused
    (SW8206) where no run has begun, CouldNotCheck (SW8533) where there is no such comparison or not all keys are
    remembered."""
    from shardwright.runtime.verify.final import compare_changes, gate  # only this unpacks keys

    servers = deployed.servers.patient()
    beside = _require_started(deployed, servers, patience, emit)
    with closing(servers.connect_shard(0)) as control:
        verified = gate(deployed.plan, control, beside.sources, within=math.inf)
    if isinstance(verified, str):
        raise CouldNotCheck("SW8533", verified)
    result, last = compare_changes(
        deployed.plan, servers, after=verified.first_batch, moving=beside, tables=tables, manner=manner
    )
    began = f"{verified.began_at:%Y-%m-%d %H:%M:%S} UTC"
    emit(ChangesCompared(result.rows_compared, verified.first_batch + 1, last, result.in_words, began))
    return replace(result, positions=beside.positions())


def _require_still(beside: ReplicationBarrier) -> None:
    now = beside.head()
    if not has_reached(beside.sources, beside.first, now):
        raise CouldNotCheck(
            "SW8509",
            f"the source must be read-only, but it moved from {beside.first} to {now} during the comparison, so the "
            "result is unknown. Stop the writes there, or compare without --at-position",
        )
