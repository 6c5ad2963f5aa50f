"""What does the page show of an observation? Plain data in sections, whose parts are small and have names of their own,
so that what changes is small.

Pure. What is not known is left out. Every text is as the output filter prints it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from math import isfinite
from typing import Any, Final

from shardwright.runtime.events.time_left import TimeLeft
from shardwright.runtime.run.status.status import Status
from shardwright.runtime.watch.observation import CutoverObserved, Observation, ServerAnswer, SourceObserved
from shardwright.runtime.watch.page.headline import headline_of
from shardwright.specs.findings.safe_output import harmless

State = Mapping[str, Any]
"""Section -> name -> value. A value is a text, a number, a truth, a list of these, or such a mapping."""
SHARDS_SHOWN: Final = 1024
_DEAD_LETTERS_SHOWN: Final = 100
_AWAY_SHOWN: Final = 50
_LONGEST: Final = 600
"""Characters of one text: what a server said may be long."""


def state_of(found: Observation, shards: Sequence[str]) -> State:
    """`shards`: all that the direction in force has; those that have not answered have no values."""
    status = found.status
    away = [answer for answer in found.servers if not answer.answers]
    dead = sorted(found.dead_letters, key=lambda count: -count.rows)
    state: State = plain(
        {
            "headline": headline_of(found),
            "now": _now(found) | {"shards": len(shards), "servers_away": len(away), "dead_letter_kinds": len(dead)},
            "away": _by_number(map(_away, away[:_AWAY_SHOWN])),
            "sources": _by_number(_sources(found)),
            "shards": _by_number(_shards(found, shards)),
            "tables": _by_number(() if status is None else _tables(status)),
            "replicas": _by_number(() if status is None else _replicas(status)),
            "dead_letters": _by_number(
                [one.logical, one.state, one.code, one.rows] for one in dead[:_DEAD_LETTERS_SHOWN]
            ),
            "cutover": {} if found.cutover is None else _cutover(found.cutover),
            "verified": _comparison(found),
            "audit": _by_number(
                () if status is None else ([one.at, one.what, one.detail, one.who] for one in status.audit)
            ),
        }
    )
    return state


def plain(value: Any) -> Any:
    """What JSON holds: texts made harmless and not longer than a screen, no None in mappings."""
    match value:
        case str():
            return harmless(value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…")
        case bool() | int() | None:
            return value
        case float():
            return round(value, 2) if isfinite(value) else None
        case datetime():
            return value.isoformat(timespec="seconds")
        case Mapping():
            found = {harmless(str(name)): plain(one) for name, one in value.items()}
            return {name: one for name, one in found.items() if one is not None}
        case _:
            return [plain(one) for one in value]


def _by_number(values: Any) -> dict[str, Any]:
    return {str(number): value for number, value in enumerate(values)}


def _now(found: Observation) -> dict[str, Any]:
    now: dict[str, Any] = {
        "migration": found.migration,
        "at": found.at,
        "seconds": found.seconds,
        "direction": " and ".join(one.value for one in (found.direction, found.beside) if one is not None) or None,
        "finished": found.finished,
    }
    if found.run is not None:
        now |= {"epoch": found.run.epoch, "owner": found.run.owner, "live": found.run.is_live}
    if (status := found.status) is not None:
        now |= {
            "plan": status.fingerprint,
            "batch": status.batch,
            "open_batch": status.open_batch,
            "position": status.position,
            "complete": status.snapshot_complete,
            "caught_up": status.caught_up,
            "order": status.order.pause_sentence if status.order.paused else None,
            "cap": status.order.cap_sentence if status.order.caps else None,
            "left": _time_left(status.left),
            "dead_letters": status.rows_held,
            "left_out": status.left_out.rows,
        }
    return now


def _away(answer: ServerAnswer) -> list[Any]:
    return [answer.server, answer.role, answer.code, answer.message]


def _sources(found: Observation) -> Iterator[dict[str, Any]]:
    read = {} if found.status is None else {source.source: source for source in found.status.sources}
    for source in found.sources:
        status = read.get(source.source)
        yield {
            "name": source.source,
            "lag": None if status is None else status.lag_seconds,
            "bytes": None if status is None else status.lag_bytes,
            "position": None if status is None else status.last,
            "head": None if status is None else status.head,
            "problem": None if status is None else status.problem,
            **_purge(source),
        }


def _purge(source: SourceObserved) -> dict[str, Any]:
    if (clock := source.purge) is None:
        return {}
    return {"purge": clock.seconds_left, "limit": clock.limit, "growth": clock.bytes_per_second}


def _shards(found: Observation, names: Sequence[str]) -> Iterator[list[Any]]:
    """Name, and where it has answered: batch, seconds since, chunks, rows, and what it lacks."""
    known = {} if found.status is None else {shard.shard: shard for shard in found.status.shards}
    applied = {shard.shard: shard.applied_seconds for shard in found.shards}
    for name in islice(names, SHARDS_SHOWN):
        if (shard := known.get(name)) is None:
            yield [name]
        else:
            yield [name, shard.batch, round(applied.get(name, 0.0)), shard.chunks, shard.rows_copied, shard.lacks]


def _tables(status: Status) -> Iterator[list[Any]]:
    """Name, chunks done and planned, rows, rows expected, rows a second, and the time left."""
    for table in status.tables:
        yield [
            table.table,
            table.chunks_done,
            table.chunks_planned,
            table.rows_copied,
            table.rows_expected,
            table.rows_per_second,
            None if table.left is None else round(table.left.expected),
        ]


def _replicas(status: Status) -> Iterator[list[Any]]:
    """Name, which work waits for it, its lag, why that is not known, and whether work waits now."""
    for one in status.replicas:
        yield [one.server, one.work, one.lag_seconds, one.why, one.holds]


def _time_left(left: TimeLeft | None) -> list[int] | None:
    return None if left is None else [round(left.expected), round(left.soonest), round(left.latest)]


def _cutover(cutover: CutoverObserved) -> dict[str, Any]:
    return {
        "state": cutover.state,
        "seconds": cutover.seconds or None,  # 0: there was no cutover yet
        "writes_to": cutover.writes_to,
        "generation": cutover.generation,
        "to": cutover.to,
        "rehearsal": cutover.rehearsal,
        "pause": cutover.pause_seconds,
        "last_pause": cutover.last_pause_seconds,
        "given_up": cutover.given_up,
        "buckets": cutover.buckets_text or None,
        "conflicts_held": cutover.conflicts_held or None,
    }


def _comparison(found: Observation) -> dict[str, Any]:
    if (verified := found.verified) is None:
        return {}
    return {
        "void": verified.void,
        "age": verified.age,
        "began_at": verified.began_at,
        "rows": verified.compared_rows,
        "changed": verified.changed_rows,
    }
