"""Which transactions had been prepared before a place of the log, and had not ended there? The log itself says so. It
is read file by file, from the place backwards, and only as far as needed.

Used in the driver (scan) and in Spark tasks (read); reads the source server.
"""

from __future__ import annotations

from dataclasses import replace

from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.events import Kind, statement_of
from shardwright.runtime.sources.binlog.gtid_event import GTID_EVENTS
from shardwright.runtime.sources.binlog.server_log import look_at
from shardwright.runtime.sources.binlog.xa import read_end, read_prepare
from shardwright.runtime.sources.positions.log_position import FIRST_OFFSET, LogPosition
from shardwright.runtime.sources.positions.pending import Span, Xid


class LookBack:
    """Knows what was prepared before `start`, as far back as it has read. What it has found stays true, so one serves
    all readings that continue from `start` on."""

    def __init__(self, endpoint: Endpoint, start: LogPosition) -> None:
        self._endpoint = endpoint
        self._read_from = start
        self._prepared: dict[Xid, Span] = {}
        self._ended: set[Xid] = set()
        """Names of transactions that ended behind what is still to be read, and were prepared there or before."""

    def note_end(self, xid: Xid) -> None:
        """The reader met, behind `start`, the end of a transaction that was prepared before it."""
        self._ended.add(xid)

    def find(self, xid: Xid) -> Span | None:
        """The latest one with that name. None when no file that the server still has prepares it."""
        while xid not in self._prepared:
            stretch = self._earlier_stretch()
            if stretch is None:
                return None
            self._read(*stretch)
            self._read_from = stretch[0]
        return self._prepared[xid]

    def _earlier_stretch(self) -> tuple[LogPosition, LogPosition] | None:
        """The part of a file before what was read, or the whole file before that one."""
        end = self._read_from
        if end.offset > FIRST_OFFSET:
            return replace(end, offset=FIRST_OFFSET, created=None), end
        files = look_at(self._endpoint).files
        at = files.index(end.file) if end.file in files else 0
        return None if at == 0 else (replace(end, file=files[at - 1], created=None), end)

    def _read(self, start: LogPosition, end: LogPosition) -> None:
        begun = FIRST_OFFSET
        prepared: dict[Xid, Span] = {}
        ended: set[Xid] = set()
        for event in dump(self._endpoint, start, end):
            if event.kind in GTID_EVENTS:
                begun = event.start
            elif event.kind == Kind.XA_PREPARE:
                xid, one_phase = read_prepare(event)
                if not one_phase:
                    prepared[xid] = Span(event.file, begun, event.end)
            elif event.kind == Kind.QUERY:
                ends = read_end(statement_of(event).text)
                if ends is not None and prepared.pop(ends.xid, None) is None:
                    ended.add(ends.xid)
        for xid, span in prepared.items():
            if xid not in self._ended:
                self._prepared.setdefault(xid, span)
        self._ended |= ended
