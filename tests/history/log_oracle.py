"""What logs say of a row, read by mysql-replication: a decoder that shares no code with the product."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pymysqlreplication import BinLogStreamReader
from pymysqlreplication.event import GtidEvent, MariadbGtidEvent, XidEvent
from pymysqlreplication.row_event import DeleteRowsEvent, UpdateRowsEvent, WriteRowsEvent

from tests.servers.testbed import Server

OPERATIONS = {WriteRowsEvent: "insert", UpdateRowsEvent: "update", DeleteRowsEvent: "delete"}
_ROWS = tuple(OPERATIONS)


@dataclass(frozen=True)
class Line:
    """One change, in the form of `explain-row`."""

    position: str
    row: int
    gtid: str | None
    committed_at: str
    operation: str
    table: str
    columns: tuple[tuple[str, str | None, str | None], ...]
    before: Mapping[str, str | None] | None
    after: Mapping[str, str | None] | None


def read_lines(server: Server, start: tuple[str, int], tables: Mapping[str, Sequence[str]]) -> list[Line]:
    """Changes of the tables ("database.table" -> columns) from `start` to the end of the file, without transactions
    that write to a ledger of ours."""
    end = server.log_end()
    assert end[0] == start[0], "the library ends at a place of one file"
    settings = {"host": server.host, "port": server.port, "user": "root", "password": server.endpoint.password}
    reader = BinLogStreamReader(
        connection_settings=settings,
        server_id=secrets.randbelow(2**30) + 1_000,
        log_file=start[0],
        log_pos=start[1],
        only_events=[*_ROWS, GtidEvent, MariadbGtidEvent, XidEvent],
        end_log_pos=end[1],
        resume_stream=True,
        blocking=False,
    )
    try:
        return list(_lines(reader, tables))
    finally:
        reader.close()


def _lines(reader: Any, tables: Mapping[str, Sequence[str]]) -> Iterator[Line]:
    gtid, waiting, ours = None, [], False
    for event in reader:
        if isinstance(event, (GtidEvent, MariadbGtidEvent)):
            gtid, waiting, ours = event.gtid, [], False
        elif isinstance(event, XidEvent):
            at = datetime.fromtimestamp(event.timestamp, UTC).strftime("%Y-%m-%d %H:%M:%S")
            yield from (Line(**line, gtid=gtid, committed_at=at) for line in waiting if not ours)
        else:
            ours = ours or event.table in ("_shardwright_step", "_shardwright_chunk_done")
            name = f"{event.schema}.{event.table}"
            if name in tables:
                place = f"{reader.log_file}:{event.packet.log_pos - event.packet.event_size}"
                for number, row in enumerate(event.rows):
                    waiting.append(_line(event, name, tables[name], row, position=place, row=number))


def _line(event: Any, name: str, columns: Sequence[str], found: Any, **place: Any) -> dict[str, Any]:
    values = found.get("values")
    before = found.get("before_values", values if isinstance(event, DeleteRowsEvent) else None)
    after = found.get("after_values", values if isinstance(event, WriteRowsEvent) else None)
    old, new = (None if image is None else _texts(columns, image) for image in (before, after))
    changed = tuple(
        (column, (old or {}).get(column), (new or {}).get(column))
        for column in columns
        if (old or {}).get(column) != (new or {}).get(column)
    )
    operation = next(word for kind, word in OPERATIONS.items() if isinstance(event, kind))
    return {**place, "operation": operation, "table": name, "columns": changed, "before": old, "after": new}


def _texts(columns: Sequence[str], image: Mapping[str, Any]) -> Mapping[str, str | None]:
    """The library knows no names where the log has none: its order is the table's."""
    values = list(image.values())
    return {name: None if value is None else str(value) for name, value in zip(columns, values, strict=True)}
