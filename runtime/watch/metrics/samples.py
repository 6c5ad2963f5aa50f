"""Which values has each metric, by an observation? What is not known has none.

Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, get_args

from shardwright.runtime.ledger.buckets import Writer
from shardwright.runtime.ledger.cutover_state import State
from shardwright.runtime.run.status.status import Status
from shardwright.runtime.watch.observation import CutoverObserved, Observation, SourceObserved
from shardwright.runtime.watch.purge_clock import PurgeClock
from shardwright.specs.direction import Direction, Side
from shardwright.specs.findings.codes.registry import find_code
from shardwright.specs.findings.safe_output import harmless

_NO_CODE: Final = "none"


class Sample(NamedTuple):
    """`name` is that of a family; `labels` are the values of its labels behind `migration`."""

    name: str
    value: float
    labels: tuple[str, ...] = ()


def text_label(value: object) -> str:
    """A name as the output filter prints it."""
    return harmless(str(value))


def code_label(code: str) -> str:
    """A code that `explain` knows, so that a text in its place makes no label."""
    return code if find_code(code) is not None else _NO_CODE


def samples(found: Observation) -> Iterator[Sample]:
    yield Sample("observed_timestamp_seconds", found.at)
    yield Sample("observation_duration_seconds", found.seconds)
    for answer in found.servers:
        yield Sample("server_up", answer.answers, (answer.server, answer.role))
    yield from _if_known("begun", found.begun)
    yield from _if_known("finished", found.finished)
    if found.direction is not None:
        for direction in Direction:
            yield Sample("direction", direction in (found.direction, found.beside), (direction.value,))
    if found.run is not None:
        yield Sample("epoch", found.run.epoch)
        yield from _if_known("run_live", found.run.is_live)
    for count in found.dead_letters:
        labels = (text_label(count.logical), count.state, code_label(count.code))
        yield Sample("dead_letters", count.rows, labels)
    for shard in found.shards:
        yield Sample("shard_applied_seconds", shard.applied_seconds, (text_label(shard.shard),))
    for source in found.sources:
        yield from _source(source)
    if found.status is not None:
        yield from _status(found.status)
        yield from _copy(found.status)
    if found.cutover is not None:
        yield from _cutover(found.cutover)
    if (verified := found.verified) is not None:
        yield Sample("verify_equal", not verified.void)
        yield Sample("verify_age_seconds", verified.age)
        yield Sample("verify_compared_rows", verified.compared_rows)
        yield Sample("verify_changed_rows", verified.changed_rows)


def _status(status: Status) -> Iterator[Sample]:
    yield Sample("plan_info", 1, (status.fingerprint,))
    yield Sample("batch", status.batch)
    yield Sample("batch_open", status.open_batch is not None)
    yield Sample("caught_up", status.caught_up)
    yield Sample("snapshot_complete", status.snapshot_complete)
    yield Sample("quarantined_rows", status.rows_held)
    yield Sample("left_out_transactions", status.left_out.transactions)
    yield Sample("left_out_rows", status.left_out.rows)
    yield Sample("paused", status.order.paused)
    yield from _if_known("copy_cap_rows_per_second", status.order.rows_per_second)
    yield from _if_known("copy_cap_bytes_per_second", status.order.bytes_per_second)
    for source in status.sources:
        name = text_label(source.source)
        yield from _if_known("source_lag_seconds", source.lag_seconds, name)
        yield from _if_known("source_lag_bytes", source.lag_bytes, name)
    for shard in status.shards:
        name = text_label(shard.shard)
        yield Sample("shard_batch", shard.batch, (name,))
        yield Sample("shard_restored", shard.lacks is not None, (name,))
        yield Sample("shard_chunks", shard.chunks, (name,))
        yield Sample("shard_copied_rows", shard.rows_copied, (name,))
    for replica in status.replicas:
        labels = (text_label(replica.server), replica.work)
        yield from _if_known("replica_lag_seconds", replica.lag_seconds, *labels)
        yield Sample("replica_holds", replica.holds, labels)


def _copy(status: Status) -> Iterator[Sample]:
    for table in status.tables:
        name = text_label(table.table)
        yield Sample("table_chunks_planned", table.chunks_planned, (name,))
        yield Sample("table_chunks_done", table.chunks_done, (name,))
        yield Sample("table_copied_rows", table.rows_copied, (name,))
        if table.rows_expected is not None:
            yield Sample("table_left_rows", table.rows_expected - table.rows_copied, (name,))
        yield from _if_known("table_copy_rows_per_second", table.rows_per_second, name)
        if table.left is not None:
            yield Sample("table_copy_left_seconds", table.left.expected, (name,))
    if status.left is not None:
        yield Sample("copy_left_seconds", status.left.expected)


def _source(source: SourceObserved) -> Iterator[Sample]:
    name = text_label(source.source)
    yield from _if_known("source_applied_timestamp_seconds", source.applied_at, name)
    for what, place in (("position", source.position), ("head", source.head)):
        if place is not None:
            yield Sample(f"source_{what}_file", place.file, (name,))
            yield Sample(f"source_{what}_offset_bytes", place.offset, (name,))
    if source.purge is not None:
        yield from _purge(source.purge, name)


def _purge(clock: PurgeClock, name: str) -> Iterator[Sample]:
    yield from _if_known("source_purge_left_seconds", clock.seconds_left, name)
    yield from _if_known("source_log_retention_seconds", clock.retention_seconds, name)
    yield from _if_known("source_log_retention_bytes", clock.retention_bytes, name)
    yield Sample("source_log_bytes", clock.log_bytes, (name,))
    yield from _if_known("source_log_oldest_seconds", clock.oldest_seconds, name)
    yield from _if_known("source_log_growth_bytes_per_second", clock.bytes_per_second, name)


def _cutover(cutover: CutoverObserved) -> Iterator[Sample]:
    for state in get_args(State):
        yield Sample("cutover_state", state == cutover.state, (state,))
    yield Sample("cutover_state_seconds", cutover.seconds)
    yield Sample("cutover_pause_seconds", cutover.pause_seconds or 0.0)
    yield from _if_known("cutover_last_pause_seconds", cutover.last_pause_seconds)
    for side in get_args(Side):
        yield Sample("writes_to", side == cutover.writes_to, (side,))
    yield Sample("writes_generation", cutover.generation)
    for writer in get_args(Writer) if cutover.buckets else ():
        yield Sample("buckets", cutover.buckets.get(writer, 0), (writer,))
    for one in cutover.conflicts:
        yield Sample("conflicts", one.rows, (one.kind, one.decision, one.state))


def _if_known(name: str, value: float | None, *labels: str) -> Iterator[Sample]:
    if value is not None:
        yield Sample(name, value, labels)
