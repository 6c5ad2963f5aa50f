"""Updates of a log to values: our reader, up to Arrow batches, and python-mysql-replication, which the tests compare ours
with. Processor time of this process, both in turn, on a server of their own.

    python -m tests.bench.stream.decoders [--rows 30000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pymysqlreplication import BinLogStreamReader
from pymysqlreplication.row_event import UpdateRowsEvent

from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from shardwright.runtime.sources.binlog.connection import log_head
from shardwright.runtime.sources.binlog.log_range import Log
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.binlog.read import read_changes
from tests.bench.stream.decode import ROWS, TABLE, columns
from tests.bench.stream.drain import start_servers
from tests.servers.testbed import Server

OURS, THEIRS = "our reader, up to Arrow batches", "python-mysql-replication"
_TABLES = {"log_bench.orders": columns()}
_UPDATE = "UPDATE log_bench.orders SET status = status + 1, updated_at = NOW(3)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=30_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    for name, taken in measure(options.rows, options.rounds).items():
        print(f"{name:32} {1e6 * statistics.median(taken) / options.rows:6.2f} us of processor time a row")


def measure(rows: int, rounds: int) -> dict[str, list[float]]:
    """By reader: seconds of processor time in each round."""
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        (server,) = start_servers(Path(folder), ("source",))
        try:
            return _measure(server, rows, rounds)
        finally:
            remove_server(server.sandbox)


def _measure(server: Server, rows: int, rounds: int) -> dict[str, list[float]]:
    password = server.sandbox.admin_password_file.read_text(encoding="utf-8")
    endpoint = Endpoint(server.host, server.port, "root", password)
    server.query("SET GLOBAL binlog_row_metadata = 'FULL'")
    server.query("CREATE DATABASE log_bench")
    server.query(TABLE)
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION max_recursive_iterations = %s", (rows + 1,))
        cursor.execute(ROWS, (rows,))
        start = log_head(endpoint)
        cursor.execute(_UPDATE)
        connection.commit()
        end = log_head(endpoint)
    readers = {OURS: lambda: _ours(endpoint, start, end), THEIRS: lambda: _theirs(endpoint, start, rows)}
    taken: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(rounds):
        for name, read in readers.items():
            seconds, count = _time(read)
            assert count == rows, (name, count)
            taken[name].append(seconds)
    return taken


def _time(read: Callable[[], int]) -> tuple[float, int]:
    began = time.process_time()
    count = read()
    return time.process_time() - began, count


def _ours(endpoint: Endpoint, start: LogPosition, end: LogPosition) -> int:
    return sum(batch.num_rows for batch in read_changes(Log(endpoint, _TABLES), start, end))


def _theirs(endpoint: Endpoint, start: LogPosition, rows: int) -> int:
    reader = BinLogStreamReader(
        connection_settings={"host": endpoint.host, "port": endpoint.port, "user": endpoint.account,
                             "passwd": endpoint.password},
        server_id=4_200_017,
        resume_stream=True,
        log_file=start.file,
        log_pos=start.offset,
        only_events=[UpdateRowsEvent],
    )  # fmt: skip
    count = 0
    try:
        for event in reader:
            count += len(event.rows)
            if count >= rows:
                return count
    finally:
        reader.close()
    return count


if __name__ == "__main__":
    main()
