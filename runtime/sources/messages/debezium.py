"""Which row change an event of Debezium holds, as Kafka Connect's JSON converter writes it, with the schema beside it
or without.

Pure. Used in Spark tasks, and in the driver for single messages.

Whether a value is a text, a number or a boolean depends on the connector's modes, which the spec states
(`StreamFormat`). A schema, where there is one, is compared with them once for each form that it takes. A change of the
key comes as a delete and an insert of one place in the log. `source` has that place: file, the byte at which the event
starts, and the row's number in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shardwright.compiler.plan.catalogue import Column
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.event import DELETE, INSERT, UPDATE
from shardwright.runtime.sources.messages.debezium_columns import debezium_reader
from shardwright.runtime.sources.messages.debezium_schema import NullsAndModes
from shardwright.runtime.sources.messages.images import NOTHING_HIDDEN, FollowedImages, Hidden, TableImages
from shardwright.runtime.sources.messages.json_text import Number, parse, quote
from shardwright.runtime.sources.messages.outcome import Aside, Decoded, Image, LogCoordinate, NotAChange, RowChange
from shardwright.specs.findings.remedies import START_OVER
from shardwright.specs.spec.stream_format import StreamFormat

_OPS = {"c": INSERT, "u": UPDATE, "d": DELETE}
_ASIDES = {"r": Aside.SNAPSHOT_READ, "t": Aside.TRUNCATE, "m": Aside.MESSAGE}
_STATUSES = frozenset({"BEGIN", "END"})


class DebeziumDecoder:
    """The package docstring explains `decode`."""

    def __init__(
        self, stream_format: StreamFormat, tables: Mapping[str, tuple[Column, ...]], hidden: Hidden = NOTHING_HIDDEN
    ) -> None:
        self._format = stream_format.name
        self._images = FollowedImages(self._format, tables, debezium_reader(stream_format), hidden)
        self._modes = NullsAndModes(stream_format)

    def decode(self, key: bytes | None, value: bytes | None, where: object) -> Decoded:
        if value is None:
            return NotAChange(Aside.TOMBSTONE)
        message, schema = parse(value, where), None
        if isinstance(message, dict) and message.keys() == {"schema", "payload"}:
            message, schema = message["payload"], message["schema"]
            if message is None:
                return NotAChange(Aside.TOMBSTONE)
        if not isinstance(message, dict):
            raise self._not_ours(f"it is {self._images.display(message)}", where)
        op = message.get("op")
        if isinstance(op, str) and op in _OPS:
            return self._row(op, message, schema, where)
        return self._without_row(op, message, where)

    def _row(self, op: str, message: Mapping[str, Any], schema: Any, where: object) -> Decoded:
        source = self._source(message, where)
        database, table = self._names(source, where)
        committed_at, coordinate = self._time(source, where), self._coordinate(source, where)
        images = self._images.of(database, table, where)
        if images is None:
            return NotAChange(Aside.NOT_FOLLOWED, database, table, None, committed_at, coordinate, 1)
        self._modes.check(images, schema, where)
        before, after = message.get("before"), message.get("after")
        self._require_images(op, before, after, images, where)
        old: Image | None
        new: Image | None
        if op == "u":
            old, new = images.pair(before, after, where)
        else:
            old = None if before is None else images.image(before, where)
            new = None if after is None else images.image(after, where)
        return (RowChange(images.table, _OPS[op], old, new, committed_at, coordinate),)

    def _require_images(self, op: str, before: Any, after: Any, images: TableImages, where: object) -> None:
        if ((before is None) != (op == "c")) or ((after is None) != (op == "d")):
            raise Refused(
                "SW8433",
                f"{where} ({self._format}), table {images.table}: an event of op '{op}' has "
                f"{'no' if before is None else 'a'} row before the change and {'none' if after is None else 'one'} "
                "after it. Set binlog_row_image=FULL for the source and all its sessions, leave transformations out of "
                f"the connector, and {START_OVER}",
            )

    def _without_row(self, op: Any, message: Mapping[str, Any], where: object) -> NotAChange:
        if isinstance(op, str) and op in _ASIDES:
            source = self._source(message, where)
            found = NotAChange(_ASIDES[op], _name(source.get("db")), _name(source.get("table")))
            time, coordinate = self._time(source, where), self._coordinate(source, where)
            return found._replace(committed_at=time, coordinate=coordinate, rows=int(op == "r"))
        if op is not None:
            raise self._not_ours(f"its op is {quote(op)}", where)
        if "ddl" in message and "source" in message:
            return self._schema_change(message, where)
        if _name(message.get("status")) in _STATUSES and "id" in message:
            return NotAChange(Aside.TRANSACTION_MARKER, text=_name(message.get("status")))
        if message.keys() == {"ts_ms"}:
            return NotAChange(Aside.HEARTBEAT)
        raise self._not_ours(f"it has no 'op': {self._images.display(message)}", where)

    def _schema_change(self, message: Mapping[str, Any], where: object) -> NotAChange:
        """While the connector reads the schema at its start, it sends all tables' statements: those change nothing."""
        source, text = self._source(message, where), _name(message.get("ddl"))
        database = _name(message.get("databaseName")) or _name(source.get("db"))
        time, coordinate = self._time(source, where), self._coordinate(source, where)
        if source.get("snapshot") in ("true", "first", "last", True):
            return NotAChange(Aside.SNAPSHOT_READ, database, _name(source.get("table")), text, time, coordinate)
        if not text:
            raise self._not_ours("a change of the schema without its statement", where)
        return NotAChange(Aside.SCHEMA_CHANGE, database, _name(source.get("table")), text, time, coordinate)

    def _source(self, message: Mapping[str, Any], where: object) -> Mapping[str, Any]:
        source = message.get("source")
        if not isinstance(source, dict):
            raise self._not_ours("it has no 'source'", where)
        return source

    def _names(self, source: Mapping[str, Any], where: object) -> tuple[str, str]:
        database, table = source.get("db"), source.get("table")
        if database.__class__ is not str or table.__class__ is not str:
            raise self._not_ours(f"its database and table are {quote(database)} and {quote(table)}", where)
        return str(database), str(table)

    def _time(self, source: Mapping[str, Any], where: object) -> int:
        return self._whole(source, "ts_ms", where) // 1000

    def _coordinate(self, source: Mapping[str, Any], where: object) -> LogCoordinate | None:
        file = _name(source.get("file"))
        if file is None:
            return None
        row = self._whole(source, "row", where) if source.get("row") is not None else None
        return LogCoordinate(file, self._whole(source, "pos", where), row, _name(source.get("gtid")))

    def _whole(self, source: Mapping[str, Any], name: str, where: object) -> int:
        value = source.get(name)
        if not isinstance(value, Number) or not value.isdecimal() or len(value) > 18:
            raise self._not_ours(f"source.{name} is {quote(value)}, not a whole number", where)
        return int(value)

    def _not_ours(self, why: str, where: object) -> Refused:
        return Refused(
            "SW8432",
            f"{where} is no message that {self._format} has: {why}. Is the format in the spec (source.stream) the one "
            "the queue holds? Debezium's events must come whole: no transformation such as ExtractNewRecordState",
        )


def _name(value: Any) -> str | None:
    return str(value) if value.__class__ is str and value else None
