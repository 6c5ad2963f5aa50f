"""A private server with a row log: the log reader's tests, and the recorder of messages, run on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server, start_server
from tests.binlog.log_source import Source
from tests.support.replicas import server_kind

_SERVER_ID = 71
_OPTIONS = {"innodb-flush-log-at-trx-commit": "0", "sync-binlog": "0"}
_LOG_CAPACITY = {"mariadb": {"innodb-log-file-size": "160M"}, "mysql": {"innodb-redo-log-capacity": "320M"}}
"""Room for a BLOB that fills the largest packet."""


@contextmanager
def log_server(folder: Path) -> Iterator[Source]:
    """An empty database `shop` on the server program that all tests use. Its `root` needs no password: some producers
    take none."""
    server = start_server(folder, server_id=_SERVER_ID, extra=_OPTIONS | _LOG_CAPACITY[server_kind()])
    try:
        with server.connect() as connection, connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE shop")
            cursor.execute("SET PASSWORD = ''")
        yield Source(Endpoint(server.host, server.port, "root", ""), is_mysql=server.kind == "mysql")
    finally:
        remove_server(server)
