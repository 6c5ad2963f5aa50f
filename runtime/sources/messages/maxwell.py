"""Which row change a message of Maxwell holds (zendesk/maxwell, RowMap): one JSON object for each row.

Pure. Used in Spark tasks, and in the driver for single messages.

`old` has the columns that differ. A message has `position` when output_binlog_position is on: where the row's event
ends in the log. It has `xoffset`, the row's number in its transaction, when output_xoffset is on. The transaction's
last row has no `xoffset`, but `commit`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shardwright.compiler.plan.catalogue import Column
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.event import DELETE, INSERT, UPDATE
from shardwright.runtime.sources.messages.images import NOTHING_HIDDEN, FollowedImages, Hidden
from shardwright.runtime.sources.messages.json_text import Number, parse, quote
from shardwright.runtime.sources.messages.maxwell_columns import maxwell_reader
from shardwright.runtime.sources.messages.outcome import Aside, Decoded, LogCoordinate, NotAChange, RowChange
from shardwright.specs.spec.stream_format import StreamFormat

_OPS = {"insert": INSERT, "update": UPDATE, "delete": DELETE}
_DDL = frozenset(f"{thing}-{verb}" for thing in ("table", "database") for verb in ("create", "alter", "drop"))
_LAST_ROW = 2**31 - 1


class MaxwellDecoder:
    """The package docstring explains `decode`."""

    def __init__(
        self, stream_format: StreamFormat, tables: Mapping[str, tuple[Column, ...]], hidden: Hidden = NOTHING_HIDDEN
    ) -> None:
        self._format = stream_format.name
        self._images = FollowedImages(self._format, tables, maxwell_reader(stream_format), hidden)

    def decode(self, key: bytes | None, value: bytes | None, where: object) -> Decoded:
        if value is None:
            return NotAChange(Aside.TOMBSTONE)
        message = parse(value, where)
        if not isinstance(message, dict):
            raise self._not_ours(f"it is {self._images.display(message)}", where)
        kind = message.get("type")
        if not isinstance(kind, str) or isinstance(kind, Number):
            raise self._not_ours("it has no 'type'", where)
        if kind in _OPS:
            return self._row(_OPS[kind], message, where)
        return self._without_row(kind, message, where)

    def _row(self, op: str, message: Mapping[str, Any], where: object) -> Decoded:
        database, table = message.get("database"), message.get("table")
        if database.__class__ is not str or table.__class__ is not str:
            raise self._not_ours(f"its database and table are {quote(database)} and {quote(table)}", where)
        committed_at, coordinate = self._time(message, where), self._coordinate(message, where)
        images = self._images.of(str(database), str(table), where)
        if images is None:
            return NotAChange(Aside.NOT_FOLLOWED, database, table, None, committed_at, coordinate, 1)
        row = images.image(message.get("data"), where)
        if op == DELETE:
            return (RowChange(images.table, op, row, None, committed_at, coordinate),)
        before = None if op == INSERT else images.overlaid(row, message.get("old", {}), where)
        return (RowChange(images.table, op, before, row, committed_at, coordinate),)

    def _without_row(self, kind: str, message: Mapping[str, Any], where: object) -> NotAChange:
        found = NotAChange(Aside.SCHEMA_CHANGE, _name(message.get("database")), _name(message.get("table")))
        if kind.startswith("bootstrap-"):
            return found._replace(aside=Aside.SNAPSHOT_READ, rows=int(kind == "bootstrap-insert"))
        if kind == "heartbeat":
            return NotAChange(Aside.HEARTBEAT)
        text = _name(message.get("sql"))
        if kind not in _DDL or not text:
            raise self._not_ours(f"its type is {quote(kind)}{'' if text else ' without a statement'}", where)
        return found._replace(
            text=text, committed_at=self._seconds(message, where), coordinate=self._coordinate(message, where)
        )

    def _time(self, message: Mapping[str, Any], where: object) -> int:
        ts = message.get("ts")
        if not isinstance(ts, Number) or not ts.isdecimal() or len(ts) > 11:
            raise self._not_ours(f"its time 'ts' is {quote(ts)}, not seconds", where)
        return int(ts)

    def _seconds(self, message: Mapping[str, Any], where: object) -> int:
        """The time of a message about DDL, which has milliseconds."""
        ts = message.get("ts")
        if not isinstance(ts, Number) or not ts.isdecimal() or len(ts) > 15:
            raise self._not_ours(f"its time 'ts' is {quote(ts)}, not milliseconds", where)
        return int(ts) // 1000

    def _coordinate(self, message: Mapping[str, Any], where: object) -> LogCoordinate | None:
        gtid, position = _name(message.get("gtid")), message.get("position")
        if position is None:
            return LogCoordinate(gtid=gtid) if gtid else None
        file, colon, offset = str(position).rpartition(":")
        if not colon or not offset.isdecimal() or len(offset) > 18:
            raise self._not_ours(f"its position is {quote(position)}, not FILE:OFFSET", where)
        xoffset = message.get("xoffset")
        row = int(xoffset) if isinstance(xoffset, Number) and xoffset.isdecimal() and len(xoffset) < 10 else None
        return LogCoordinate(
            file, int(offset), _LAST_ROW if row is None and message.get("commit") is True else row, gtid
        )

    def _not_ours(self, why: str, where: object) -> Refused:
        return Refused(
            "SW8432",
            f"{where} is no message that {self._format} has: {why}. Is the format in the spec (source.stream) the one "
            "the queue holds? Maxwell's encryption and its output naming strategies must be off",
        )


def _name(value: Any) -> str | None:
    return str(value) if value.__class__ is str and value else None
