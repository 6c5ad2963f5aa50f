"""How is a migration, in one word and a line? The first thing that an operator reads.

Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

from shardwright.runtime.events.time_left import span
from shardwright.runtime.run.status.status import Status
from shardwright.runtime.watch.observation import Observation

Tone = Literal["good", "warn", "bad", "calm"]
"""As it is meant to be; an operator should look; an operator has to act; nothing happens."""
_WORST_FIRST: Final[tuple[Tone, ...]] = ("bad", "warn", "good", "calm")


def headline_of(found: Observation) -> dict[str, Any]:
    """`word`, `tone`, and `lines`: whatever else an operator should know at once."""
    word, tone, line = _word(found)
    others = list(_others(found))
    tones: list[Tone] = [tone, *(one for one, _ in others)]
    return {
        "word": word,
        "tone": min(tones, key=_WORST_FIRST.index),
        "lines": [text for text in (line, *(text for _, text in others)) if text],
    }


def _word(found: Observation) -> tuple[str, Tone, str]:
    status, cutover = found.status, found.cutover
    if found.finished:
        return "finished", "calm", "`cutover finish` has ended this migration"
    if found.begun is False:
        return "not begun", "calm", "`shardwright run` begins it"
    if found.begun is None or status is None:
        return "unknown", "bad", "the ledger of the first shard does not answer"
    if cutover is not None and cutover.to is not None:
        what = "rehearsal of a cutover" if cutover.rehearsal else "cutover"
        return "cutting over", "warn", f"{what} to the {cutover.to}: {cutover.state}"
    if status.order.paused:
        return "paused", "warn", status.order.pause_sentence
    if found.run is not None and found.run.is_live is False:
        return "no run", "bad", "no run is connected: `shardwright run` resumes it"
    if not status.snapshot_complete:
        return "copying", "good", _copy_line(status)
    if status.caught_up:
        return "following", "good", "the stream is at the end of every source"
    return "following", "good", _lag_line(status)


def _copy_line(status: Status) -> str:
    rows = sum(table.rows_copied for table in status.tables)
    expected = sum(table.rows_expected or table.rows_copied for table in status.tables)
    text = f"{rows:,} rows of about {expected:,} ({min(100, 100 * rows // max(1, expected))}%)"
    return text if status.left is None else f"{text}, {status.left} left"


def _lag_line(status: Status) -> str:
    known = [source.lag_seconds for source in status.sources if source.lag_seconds is not None]
    return f"{span(max(known))} behind" if known else ""


def _others(found: Observation) -> Iterator[tuple[Tone, str]]:
    away = sum(not answer.answers for answer in found.servers)
    if away:
        yield "bad", f"{away} of {len(found.servers)} questions to servers had no answer"
    if found.status is None:
        return
    if lacking := [shard.shard for shard in found.status.shards if shard.lacks is not None]:
        yield "bad", f"{len(lacking)} shards lack batches: restored from a backup? The first is {lacking[0]}"
    if found.cutover is not None and found.cutover.state == "sharing":
        buckets = found.cutover.buckets_text
        yield "good", f"both sides take writes, {f'each in its own buckets: {buckets}' if buckets else 'of all rows'}"
    if found.cutover is not None and found.cutover.conflicts_held:
        yield "warn", f"{found.cutover.conflicts_held:,} conflicts wait for a decision"
    if found.status.rows_held:
        yield "warn", f"{found.status.rows_held:,} rows are dead letters"
    for source in found.sources:
        if source.purge is not None and source.purge.limit == "purged":
            yield "bad", f"the log of {source.source} no longer has the stream's position"
