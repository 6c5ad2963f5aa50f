"""Which event is of which kind, and is it worth a message? A state that lasts gives one when it begins and one when it
ends, however often it is reported meanwhile.

Pure but for the clock; used in the process of the command.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from shardwright.runtime.events.compare import ComparisonDiffers
from shardwright.runtime.events.copy import SnapshotComplete
from shardwright.runtime.events.cutover import CutoverGivenUp, CutoverIncomplete, CutoverProgress, MigrationFinished
from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.rounds import ConflictFound
from shardwright.runtime.events.run import (
    DirectionTurned,
    LogPurgeNear,
    OperatorPause,
    OperatorResume,
    RunFailed,
    RunFinished,
    RunStarted,
)
from shardwright.runtime.events.stream import BatchApplied, CaughtUp, Lag, MoreQuarantined, RowQuarantined
from shardwright.runtime.events.time_left import span
from shardwright.specs.environment.notifications import EventSettings, Kind

DDL_STOPS: Final = frozenset(
    {"SW8114", "SW8157", "SW8457", *(f"SW85{number}" for number in (*range(41, 49), *range(50, 56), 57))}
)
"""The codes with which DDL of the source ends a run."""
DEAD_LETTERS_EVERY: Final = 60.0
PURGE_REMEMBERED: Final = 900.0
"""Seconds without a warning after which the log is no longer near its purge: a run looks every five minutes."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What may become a message. A channel sends it as the first of `kinds` that it listens to. `ended`: what was
    reported as this kind before has ended."""

    kinds: tuple[Kind, ...]
    event: RunEvent
    sentence: str
    ended: bool = False


@dataclass
class NoticeRules:
    """The rules of one command. Not safe for several threads at a time."""

    settings: EventSettings
    """The limits."""
    now: Callable[[], float] = time.monotonic
    """The clock, in seconds."""
    _reported: set[Kind] = field(default_factory=set)
    """Kinds that are reported once, and states that have not ended."""
    _purge_seen: dict[str, float] = field(default_factory=dict)
    _letters_at: float | None = None
    _letters: list[RowQuarantined | MoreQuarantined] = field(default_factory=list)
    """Those that no message has named yet."""

    def notice_of(self, event: RunEvent) -> Notice | None:
        """The notice that the event gives now; None where it gives none."""
        match event:
            case RunStarted():
                self._reported.discard("paused")  # a new attempt reports an order that still holds
                return self._begin("started", event)
            case SnapshotComplete(resumed=False):
                return self._begin("snapshot_complete", event)
            case CaughtUp():
                return self._begin("caught_up", event)
            case DirectionTurned():
                self._reported -= {"started", "caught_up"}
            case BatchApplied(lag_seconds=float(lag)) | Lag(lag_seconds=lag):
                return self._lag(event, lag)
            case LogPurgeNear():
                return self._purge(event)
            case OperatorPause():
                return self._begin("paused", event)
            case OperatorResume():
                return self._end("paused", event)
            case RowQuarantined(to_be_read_again=False) | MoreQuarantined(to_be_read_again=False):
                return self._dead_letter(event)
            case ConflictFound(decision="hold"):
                return self._begin("conflict", event)
            case ComparisonDiffers():
                return Notice(("verify_differs",), event, event.sentence)
            case CutoverProgress(state="fenced"):
                return self._begin("fence_set", event)
            case CutoverGivenUp():
                return self._end("fence_set", event)
            case CutoverProgress(state="switched"):
                return Notice(("switched" if event.writes_to == "shards" else "rolled_back",), event, event.sentence)
            case RunFinished() | MigrationFinished():
                return Notice(("finished",), event, event.sentence)
            case RunFailed():
                kinds: tuple[Kind, ...] = ("ddl_stop", "failed") if event.code in DDL_STOPS else ("failed",)
                return Notice(kinds, event, event.sentence)
            case CutoverIncomplete():
                return Notice(("failed",), event, event.sentence)
        return None

    def rest(self) -> Notice | None:
        """At the end of the command: the dead letters that no message has named."""
        return self._name_letters() if self._letters else None

    def _begin(self, kind: Kind, event: RunEvent, sentence: str | None = None) -> Notice | None:
        if kind in self._reported:
            return None
        self._reported.add(kind)
        return Notice((kind,), event, sentence or event.sentence)

    def _end(self, kind: Kind, event: RunEvent, sentence: str | None = None) -> Notice | None:
        if kind not in self._reported:
            return None
        self._reported.remove(kind)
        return Notice((kind,), event, sentence or event.sentence, ended=True)

    def _lag(self, event: RunEvent, lag: float) -> Notice | None:
        limit = self.settings.lag_above_seconds
        if lag > limit:
            return self._begin("lag", event, f"the stream is {span(lag)} behind, more than {span(limit)}")
        if lag <= limit / 2:
            return self._end("lag", event, f"the stream is {span(lag)} behind again")
        return None

    def _purge(self, event: LogPurgeNear) -> Notice | None:
        below = self.settings.purge_below_seconds
        if below is not None and event.left_seconds is not None and event.left_seconds >= below:
            return None
        now, seen = self.now(), self._purge_seen.get(event.source)
        self._purge_seen[event.source] = now
        if seen is not None and now - seen < PURGE_REMEMBERED:
            return None
        return Notice(("purge_clock",), event, event.sentence)

    def _dead_letter(self, event: RowQuarantined | MoreQuarantined) -> Notice | None:
        self._letters.append(event)
        if self._letters_at is not None and self.now() - self._letters_at < DEAD_LETTERS_EVERY:
            return None
        return self._name_letters()

    def _name_letters(self) -> Notice:
        """All that wait, by the first of them."""
        first, *more = self._letters
        self._letters, self._letters_at = [], self.now()
        rows = sum(event.rows if isinstance(event, MoreQuarantined) else 1 for event in more)
        return Notice(("dead_letter",), first, f"{first.sentence}{f'; {rows} more rows' if rows else ''}")
