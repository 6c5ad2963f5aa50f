"""What Canal, Debezium and Maxwell do, for tests: reads a real binary log with a library and sends each row as a
message.

Only the types of the lab's tables: whole numbers and texts.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pymysqlreplication import BinLogStreamReader
from pymysqlreplication.event import QueryEvent
from pymysqlreplication.row_event import DeleteRowsEvent, UpdateRowsEvent, WriteRowsEvent

from tests.servers.testbed import Server


@dataclass(frozen=True, slots=True)
class Change:
    """One row of one log event. `before` and `after` are whole rows; one of them is None for an insert and a delete."""

    database: str
    table: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    at: int
    file: str
    offset: int
    row: int

    @property
    def row_after(self) -> dict[str, Any]:
        row = self.after or self.before
        assert row is not None
        return row


Form = Callable[[Change], str]
Choose = Callable[[Change], int]
"""The partition of a change."""
_LAST = "connector_stops_here"


def canal(change: Change) -> str:
    def texts(row: dict[str, Any]) -> dict[str, str | None]:
        return {name: None if value is None else str(value) for name, value in row.items()}

    kind = "INSERT" if change.before is None else "DELETE" if change.after is None else "UPDATE"
    old = None
    if change.before is not None and change.after is not None:
        old = [{k: v for k, v in texts(change.before).items() if change.before[k] != change.after[k]}]
    return json.dumps(
        {
            "data": [texts(change.row_after)],
            "database": change.database,
            "es": change.at * 1000,
            "id": 1,
            "isDdl": False,
            "old": old,
            "pkNames": ["id"],
            "sql": "",
            "table": change.table,
            "ts": change.at * 1000 + 5,
            "type": kind,
        }
    )


def debezium(change: Change) -> str:
    """Without the schema envelope."""
    source = {"version": "3", "connector": "mysql", "name": "lab", "ts_ms": change.at * 1000, "snapshot": "false"}
    source |= {"db": change.database, "table": change.table, "server_id": 1, "gtid": None, "thread": 1, "query": None}
    source |= {"file": change.file, "pos": change.offset, "row": change.row}
    op = "c" if change.before is None else "d" if change.after is None else "u"
    return json.dumps(
        {"before": change.before, "after": change.after, "source": source, "op": op, "ts_ms": change.at * 1000 + 5}
    )


def maxwell(change: Change) -> str:
    """With output_binlog_position and output_xoffset, of transactions that are one event."""
    reported = {"database": change.database, "table": change.table, "ts": change.at, "xid": 7, "data": change.row_after}
    reported |= {"type": "insert" if change.before is None else "delete" if change.after is None else "update"}
    reported |= {"position": f"{change.file}:{change.offset}", "xoffset": change.row}
    if change.before is not None and change.after is not None:
        reported["old"] = {name: value for name, value in change.before.items() if value != change.after[name]}
    return json.dumps(reported)


def bootstrap_message(database: str, table: str, id_: int) -> str:
    """What Maxwell sends for a row of `orders` that it copies."""
    row = {"id": id_, "user_id": id_ % 97, "note": "first"}
    return json.dumps(
        {"database": database, "table": table, "type": "bootstrap-insert", "ts": 1_700_000_000, "data": row}
    )


def canal_ddl(database: str, statement: str, at: int) -> str:
    reported = {
        "database": database,
        "es": at * 1000,
        "id": 1,
        "isDdl": True,
        "sql": statement,
        "table": "",
        "ts": at * 1000,
    }
    return json.dumps({**reported, "data": None, "old": None, "type": "ALTER"})


@dataclass
class Connector:
    """Sends every row change of `database`, and to partition 0 every ALTER as a Canal does, from where the log ends
    now. `send(partition, value)`."""

    server: Server
    database: str
    form: Form
    choose: Choose
    send: Callable[[int, str], None]
    sent: int = 0
    _failure: BaseException | None = None

    @contextmanager
    def run(self) -> Iterator[Connector]:
        # The library has no other way to know the names of columns.
        ((metadata,),) = self.server.query("SELECT @@GLOBAL.binlog_row_metadata")
        self.server.query("SET GLOBAL binlog_row_metadata = FULL")
        stream = self._stream()
        thread = threading.Thread(target=self._run, args=(stream,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            # Everything before this statement is sent before the reader comes to it.
            self.server.query(f"CREATE DATABASE IF NOT EXISTS {_LAST}")
            self.server.query(f"DROP DATABASE {_LAST}")
            thread.join(timeout=120)
            assert not thread.is_alive(), "the connector has not come to the end of the log"
            stream.close()
            self.server.query(f"SET GLOBAL binlog_row_metadata = {metadata}")
        if self._failure is not None:
            raise self._failure

    def _stream(self) -> Any:
        file, offset = self.server.log_end()
        password = self.server.sandbox.admin_password_file.read_text(encoding="utf-8")
        settings = {"host": self.server.host, "port": self.server.port, "user": "root", "passwd": password}
        return BinLogStreamReader(
            connection_settings=settings,
            server_id=9_000 + self.server.sandbox.server_id,
            blocking=True,
            resume_stream=True,
            log_file=file,
            log_pos=offset,
            only_schemas=None,
            is_mariadb=False,  # its own form of GTIDs is of no use here
        )

    def _run(self, stream: Any) -> None:
        try:
            for event in stream:
                if isinstance(event, QueryEvent) and _LAST in event.query:
                    return
                if isinstance(event, QueryEvent) and event.query.startswith("ALTER"):
                    self.send(0, canal_ddl(event.schema.decode(), event.query, event.timestamp))
                if isinstance(event, WriteRowsEvent | UpdateRowsEvent | DeleteRowsEvent):
                    self._rows(event, stream.log_file)
        except BaseException as failure:  # noqa: BLE001 - carried over to the test's thread
            self._failure = failure

    def _rows(self, event: Any, file: str) -> None:
        if event.schema != self.database:
            return
        offset = event.packet.log_pos - event.packet.event_size
        for number, row in enumerate(event.rows):
            before = row.get("before_values") or (row["values"] if isinstance(event, DeleteRowsEvent) else None)
            after = row.get("after_values") or (row["values"] if isinstance(event, WriteRowsEvent) else None)
            change = Change(
                event.schema,
                event.table,
                before,
                after,
                event.timestamp,
                file,
                offset,
                number,
            )
            self.send(self.choose(change), self.form(change))
            self.sent += 1
