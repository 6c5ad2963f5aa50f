"""What the log has told up to a transaction boundary: kept beside the position, so that the place can be found again on
another server, and so that a log that was reset is noticed."""

from __future__ import annotations

from dataclasses import replace

from shardwright.runtime.sources.binlog.events import Kind, LogEvent
from shardwright.runtime.sources.binlog.gtid import Collector, Gtid, parse_gtids
from shardwright.runtime.sources.binlog.gtid_event import GTID_EVENTS, announced
from shardwright.runtime.sources.binlog.position import LogPosition

_FORMAT, _ROTATE = int(Kind.FORMAT_DESCRIPTION), int(Kind.ROTATE)


class History:
    """Fed with every event after `start`, in order. A GTID counts at its transaction's end, never before (hazard A6)."""

    def __init__(self, start: LogPosition) -> None:
        self._start = start
        self._gtids = None if start.gtids is None else Collector(parse_gtids(start.gtids))
        self._created = start.created
        self._commit_us = start.commit_us
        self._begun: tuple[Gtid | None, int | None] | None = None

    def feed(self, event: LogEvent, *, inside: bool) -> None:
        """`inside`: whether the place after the event lies inside a transaction."""
        if event.kind in GTID_EVENTS:
            self._begun = announced(event)
        elif event.kind == _FORMAT:
            self._created = event.timestamp
        elif event.kind == _ROTATE:
            self._created = None  # the next file says its own
        if not inside and self._begun is not None:
            gtid, commit_us = self._begun
            self._begun = None
            self._commit_us = commit_us
            if gtid is None:
                self._gtids = None  # a transaction without a GTID: sets do not describe what we have any more
            elif self._gtids is not None:
                self._gtids.add(gtid)

    def at(self, place: LogPosition) -> LogPosition:
        """`place`, the boundary after the last event, with all that is known there."""
        whole = self._start.whole
        return replace(
            place,
            epoch=self._start.epoch,
            server=self._start.server,
            created=self._created,
            gtids=None if self._gtids is None else str(self._gtids.gtids()),
            commit_us=self._commit_us,
            whole_until=self._start.whole_until if whole is not None and _before(place, whole) else None,
        )


def _before(place: LogPosition, whole: LogPosition) -> bool:
    return replace(place, epoch=whole.epoch) < whole
