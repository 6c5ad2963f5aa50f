"""Which row changes a flat message of Canal holds (alibaba/canal, FlatMessage, as sent with `flatMessage: true`).

Pure. Used in Spark tasks, and in the driver for single messages.

Every value is a text or null, whatever its type. One message holds the rows of one log event that went to one
partition; `old` has, per row, the columns that differ. A message has no file and offset, only the set of GTIDs when the
source has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from shardwright.compiler.plan.catalogue import Column
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.statements import Effect, Statements
from shardwright.runtime.sources.binlog.table_changed import without_values
from shardwright.runtime.sources.event import DELETE, INSERT, UPDATE
from shardwright.runtime.sources.messages.canal_columns import canal_reader
from shardwright.runtime.sources.messages.images import NOTHING_HIDDEN, FollowedImages, Hidden, TableImages
from shardwright.runtime.sources.messages.json_text import Number, parse, quote
from shardwright.runtime.sources.messages.outcome import Aside, Decoded, Image, LogCoordinate, NotAChange, RowChange
from shardwright.specs.findings.remedies import START_OVER
from shardwright.specs.spec.stream_format import StreamFormat

_OPS = {"INSERT": INSERT, "UPDATE": UPDATE, "DELETE": DELETE}
_FIRST_MILLISECONDS: Final = 100_000_000_000
"""A smaller time in milliseconds is before 1974: such a number counts seconds."""
_WHICH_FORMAT: Final = (
    "Is the format in the spec (source.stream) the one the queue holds? Canal must send flat messages "
    "(canal.mq.flatMessage = true)"
)
_OTHER_PRODUCER: Final = (
    "Canal sends every message with 'es' in milliseconds. Another producer wrote this one: have it write all members "
    "as Canal does, or have Canal itself write the queue"
)
_TICDC: Final = (
    "TiCDC writes such messages, and its source is TiDB: a migration reads MySQL or MariaDB. Have Canal, Debezium or "
    "Maxwell write the queue from the source that the spec names"
)
_NO_ROWS = frozenset({"QUERY", "XACOMMIT", "XAROLLBACK", "MHEARTBEAT", "GTID"})


class CanalDecoder:
    """The package docstring explains `decode`."""

    def __init__(
        self, stream_format: StreamFormat, tables: Mapping[str, tuple[Column, ...]], hidden: Hidden = NOTHING_HIDDEN
    ) -> None:
        self._format = stream_format.name
        self._statements = Statements(tables)
        self._images = FollowedImages(self._format, tables, canal_reader(stream_format), hidden)

    def decode(self, key: bytes | None, value: bytes | None, where: object) -> Decoded:
        if value is None:
            return NotAChange(Aside.TOMBSTONE)
        message = parse(value, where)
        if not isinstance(message, dict) or "isDdl" not in message or message.get("type").__class__ is not str:
            why = f"it has no 'isDdl' and 'type': {self._images.display(message)}"
            raise self._not_ours(why, where, advice=_advice(message))
        if "_tidb" in message or message["type"].startswith("TIDB_"):
            raise self._not_ours(f"its type is {quote(message['type'])}, with TiCDC's members", where, advice=_TICDC)
        if message["isDdl"] is not False or message["type"] not in _OPS:
            return self._without_rows(message, where)
        return self._rows(message, where)

    def _rows(self, message: Mapping[str, Any], where: object) -> Decoded:
        database, table = self._names(message, where)
        rows = message.get("data")
        if not isinstance(rows, list) or not rows:
            if text := _name(message.get("sql")):
                if self._changes_rows(database, text):
                    raise self._statement(database, text, where)
                return NotAChange(Aside.STATEMENT, database, table, text, self._time(message, where))
            raise Refused(
                "SW8433",
                f"{where} ({self._format}), table {database}.{table}: the message holds no rows. Set "
                f"binlog_row_image=FULL for the source and all its sessions, and {START_OVER}",
            )
        images = self._images.of(database, table, where)
        committed_at, coordinate = self._time(message, where), _coordinate(message)
        if images is None:
            return NotAChange(Aside.NOT_FOLLOWED, database, table, None, committed_at, coordinate, len(rows))
        op = _OPS[message["type"]]
        befores: list[Image | None] | tuple[Image, ...]
        afters: tuple[Image | None, ...] = tuple(images.image(row, where) for row in rows)
        if op == DELETE:
            befores, afters = list(afters), (None,) * len(rows)
        elif op == INSERT:
            befores = [None] * len(rows)
        else:
            befores = self._befores(message, images, afters, where)
        return tuple(
            RowChange(images.table, op, before, after, committed_at, coordinate)
            for before, after in zip(befores, afters, strict=True)
        )

    def _befores(
        self, message: Mapping[str, Any], images: TableImages, afters: tuple[Image | None, ...], where: object
    ) -> tuple[Image, ...]:
        """The images before an update. Some versions leave out empty members of `old`: then it is not known which row
        each belongs to."""
        old = message.get("old")
        if not isinstance(old, list) or len(old) != len(afters):
            count = len(old) if isinstance(old, list) else "no"
            raise Refused(
                "SW8433",
                f"{where} ({self._format}), table {images.table}: the update has {len(afters)} rows and {count} old "
                "ones, so the old rows are not known. The producer must send the old values of each row of an update: "
                f"Canal does so from 1.1.5 on with binlog_row_image=FULL. Have it do so, and {START_OVER}",
            )
        return tuple(
            images.overlaid(after, before, where)
            for after, before in zip(afters, old, strict=True)
            if after is not None
        )

    def _without_rows(self, message: Mapping[str, Any], where: object) -> NotAChange:
        kind, sql = message["type"], message.get("sql")
        database, table = message.get("database"), message.get("table")
        found = NotAChange(
            Aside.SCHEMA_CHANGE,
            _name(database),
            _name(table),
            _name(sql),
            self._time(message, where),
            _coordinate(message),
        )
        if message["isDdl"] is True:
            if not found.text:
                raise self._not_ours("a change of the schema without its statement", where)
            return found._replace(aside=Aside.TRUNCATE) if kind == "TRUNCATE" else found
        if message["isDdl"] is not False or kind not in _NO_ROWS:
            raise self._not_ours(f"its type is {quote(kind)}", where)
        if kind != "QUERY":
            return found._replace(aside=Aside.TRANSACTION_MARKER)
        # Without database and table it is the text beside a row event (Canal's buildQueryEntry), whose rows follow.
        names_its_place = found.database or found.table
        if names_its_place and found.text and self._changes_rows(found.database or "", found.text):
            raise self._statement(found.database, found.text, where)
        return found._replace(aside=Aside.STATEMENT)

    def _changes_rows(self, database: str, text: str) -> bool:
        return self._statements.effect(database, text.encode()) is Effect.CHANGES_ROWS

    def _statement(self, database: str | None, text: str, where: object) -> Refused:
        return Refused(
            "SW8438",
            f"{where} ({self._format}) holds a statement instead of the rows it changed: "
            f"{without_values(text.encode(), length=200)!r} (in database '{database or ''}'). Set binlog_format=ROW "
            "for all sessions; what this statement changed is not known, so copy the tables it touches again",
        )

    def _names(self, message: Mapping[str, Any], where: object) -> tuple[str, str]:
        database, table = message.get("database"), message.get("table")
        if database.__class__ is not str or table.__class__ is not str:
            raise self._not_ours(f"its database and table are {quote(database)} and {quote(table)}", where)
        return str(database), str(table)

    def _time(self, message: Mapping[str, Any], where: object) -> int:
        es = message.get("es")
        if not isinstance(es, Number) or not es.isdecimal() or len(es) > 15:
            raise self._not_ours(f"its time 'es' is {quote(es)}, not milliseconds", where, advice=_OTHER_PRODUCER)
        if 0 < int(es) < _FIRST_MILLISECONDS:
            raise self._not_ours(f"its time 'es' is {quote(es)}: seconds", where, advice=_OTHER_PRODUCER)
        return int(es) // 1000

    def _not_ours(self, why: str, where: object, *, advice: str | None = None) -> Refused:
        return Refused("SW8432", f"{where} is no message that {self._format} has: {why}. {advice or _WHICH_FORMAT}")


def _advice(message: object) -> str:
    """Who writes such messages, and what to do."""
    if not isinstance(message, dict):
        return _WHICH_FORMAT
    if "type" in message and "data" in message and "database" not in message:
        return (
            "Flink's canal-json sink writes such messages, without the table and the time of a change. The stream "
            "needs what Canal itself sends"
        )
    if "op" in message or "payload" in message:
        return "It looks like Debezium's: `source.stream.format: debezium-json` reads those"
    if "isDdl" not in message and "ts" in message and "es" not in message:
        return "It looks like Maxwell's: `source.stream.format: maxwell-json` reads those"
    return _OTHER_PRODUCER if "data" in message else _WHICH_FORMAT


def _name(value: Any) -> str | None:
    return str(value) if isinstance(value, str) and value else None


def _coordinate(message: Mapping[str, Any]) -> LogCoordinate | None:
    gtid = _name(message.get("gtid"))
    return LogCoordinate(gtid=gtid) if gtid else None
