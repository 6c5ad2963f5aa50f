"""Reading a table from a server: what one core does with each driver, up to lines for LOAD DATA (ours) or as far as the
driver goes.

    python -m tests.bench.snapshot.reading [--rows 500000] [--rounds 5]

mysqlclient (`mysqlclient-static` is a wheel) and ConnectorX are measured where they are installed; none of our code
needs them. All read the same texts: ConnectorX's own types would lose digits. Processor time of this process, which is
what the reader's machine pays.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pymysql

from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.load_lines import row_lines
from shardwright.runtime.mysql.raw_connection import raw_connection
from shardwright.runtime.mysql.text_protocol import stream_lines_by_place, stream_rows
from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.snapshot.rows import DATABASE, fill
from tests.bench.stream.drain import start_servers
from tests.servers.testbed import Server

IN_USE = "lines by place, made in the packets (in use)"
LINES = "many packets at a time, lines"
PYMYSQL = "PyMySQL, its own loop and conversions"
_AT_ONCE = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    for name, taken in measure(options.rows, options.rounds).items():
        clock, used = (statistics.median(values) for values in zip(*taken, strict=True))
        rate = options.rows / clock
        print(f"{name:45} {rate:10,.0f} rows/s  {1e6 * used / options.rows:6.2f} us of processor time a row")


def measure(rows: int, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """By reader: seconds by the clock and of this process's processor time, of each round. Readers that are not
    installed are left out."""
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        (server,) = start_servers(Path(folder), ("source",))
        try:
            server.query(f"CREATE DATABASE {DATABASE}")
            fill(server, "facts", rows)
            return _bench(server, rows, rounds)
        finally:
            remove_server(server.sandbox)


def _bench(server: Server, rows: int, rounds: int) -> dict[str, list[tuple[float, float]]]:
    columns = [str(row[0]) for row in server.query("DESCRIBE orders", database=DATABASE)]
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(rounds):
        for name, read in _readers(server, columns).items():
            clock, used = time.monotonic(), time.process_time()
            try:
                count = read()
            except ImportError:
                continue
            assert count == rows, (name, count)
            found.setdefault(name, []).append((time.monotonic() - clock, time.process_time() - used))
    return found


def _readers(server: Server, columns: list[str]) -> Mapping[str, Callable[[], int]]:
    texts = f"SELECT {', '.join(f'CAST(`{name}` AS CHAR) AS `{name}`' for name in columns)} FROM orders"
    return {
        IN_USE: lambda: _lines_by_place(server, len(columns)),
        LINES: lambda: _ours(server, len(columns), lines=True),
        "many packets at a time, Arrow lists": lambda: _ours(server, len(columns), lines=False),
        PYMYSQL: lambda: _pymysql(server),
        "mysqlclient, bytes as they are": lambda: _mysqlclient(server),
        "ConnectorX to Arrow, texts": lambda: _connectorx(server, texts),
    }


def _lines_by_place(server: Server, columns: int) -> int:
    sql = "SELECT id MOD 4, user_id MOD 4, orders.* FROM orders"
    with raw_connection(Endpoint(server.host, server.port, "root", _password(server)), DATABASE) as connection:
        pieces = stream_lines_by_place(connection, sql, columns=columns)
        return sum(lines.count(b"\n") for piece in pieces for _, _, lines in piece)


def _ours(server: Server, columns: int, *, lines: bool) -> int:
    with raw_connection(Endpoint(server.host, server.port, "root", _password(server)), DATABASE) as connection:
        count = 0
        for rows in stream_rows(connection, "SELECT * FROM orders", columns=columns):
            count += len(row_lines(rows)) if lines else len(rows)
        return count


def _pymysql(server: Server) -> int:
    with server.connect(DATABASE, cursorclass=pymysql.cursors.SSCursor) as connection, connection.cursor() as cursor:
        return _count(cursor)


def _mysqlclient(server: Server) -> int:
    driver, cursors = importlib.import_module("MySQLdb"), importlib.import_module("MySQLdb.cursors")
    connection = driver.connect(
        host=server.host, port=server.port, user="root", passwd=_password(server), db=DATABASE, conv={}
    )
    try:
        return _count(connection.cursor(cursors.SSCursor))
    finally:
        connection.close()


def _connectorx(server: Server, sql: str) -> int:
    driver: Any = importlib.import_module("connectorx")
    url = f"mysql://root:{_password(server)}@{server.host}:{server.port}/{DATABASE}"
    return int(driver.read_sql(url, sql, return_type="arrow").num_rows)


def _count(cursor: Any) -> int:
    cursor.execute("SELECT * FROM orders")
    count = 0
    while rows := cursor.fetchmany(_AT_ONCE):
        count += len(rows)
    return count


def _password(server: Server) -> str:
    return server.sandbox.admin_password_file.read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
