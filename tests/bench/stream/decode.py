"""Rows per second of the log decoder on the table of the project's other measurements (11 columns, about 150 bytes a
row).

    python tests/bench/stream/decode.py HOST PORT USER [PASSWORD] [--rows 100000]

Writes and updates the rows in a database of its own on that server, then reads the update back from the log: fetching
alone, decoding alone, and the whole road to Arrow batches, also for the inserts. Processor time is that of this
process. Figures of a busy machine compare only with each other.
At last the same update in a compressed log, read in turn with the plain one: the ratio of processor time.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import pymysql

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.before_columns import BeforeColumns
from shardwright.runtime.sources.binlog.captured_tables import images_of
from shardwright.runtime.sources.binlog.connection import log_head
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.runtime.sources.binlog.update_chains import UpdateChains
from shardwright.runtime.sources.binlog.walk import walk
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.environment.environment import BatchLimits

TABLE = """CREATE TABLE log_bench.orders (
  id BIGINT UNSIGNED NOT NULL PRIMARY KEY, user_id BIGINT NOT NULL, status TINYINT NOT NULL, amount DECIMAL(12,2) NOT NULL,
  currency CHAR(3) NOT NULL, title VARCHAR(100) NOT NULL, note VARCHAR(200), quantity INT NOT NULL, weight DOUBLE,
  created_at DATETIME NOT NULL, updated_at DATETIME(3) NOT NULL) CHARACTER SET utf8mb4"""
ROWS = """INSERT INTO log_bench.orders SELECT n, n %% 5000, n %% 7, n / 7, 'EUR', CONCAT('order number ', n, ' of the day'),
  IF(n %% 3, CONCAT('a note for the courier ', n), NULL), n %% 12, n / 3, NOW() - INTERVAL n SECOND, NOW(3)
  FROM (WITH RECURSIVE seq AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM seq WHERE n < %s) SELECT n FROM seq) AS numbers"""


def columns() -> tuple[Column, ...]:
    def column(name: str, kind: str, length: int | None = None, precision: int | None = None, **more: object) -> Column:
        charset = "utf8mb4" if kind in ("char", "varchar") else None
        scale, unsigned = (2 if kind == "decimal" else None), name == "id"
        column_type = ColumnType(
            kind, unsigned=unsigned, length=length, precision=precision, scale=scale, charset=charset
        )
        return Column(name, column_type, nullable=True)

    return (
        column("id", "bigint"), column("user_id", "bigint"), column("status", "tinyint"),
        column("amount", "decimal", precision=12), column("currency", "char", 3), column("title", "varchar", 100),
        column("note", "varchar", 200), column("quantity", "int"), column("weight", "double"),
        column("created_at", "datetime", precision=0), column("updated_at", "datetime", precision=3),
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("user")
    parser.add_argument("password", nargs="?", default="")
    parser.add_argument("--rows", type=int, default=100_000)
    options = parser.parse_args()
    settings = Endpoint(options.host, options.port, options.user, options.password)
    tables = {"log_bench.orders": columns()}
    connection = pymysql.connect(
        host=settings.host, port=settings.port, user=settings.account, password=settings.password, autocommit=True
    )
    with connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE IF NOT EXISTS log_bench")
        cursor.execute("DROP TABLE IF EXISTS log_bench.orders")
        cursor.execute(TABLE)
        cursor.execute("SELECT VERSION() LIKE '%MariaDB%'")
        is_mariadb = bool((cursor.fetchone() or (0,))[0])
        most = "max_recursive_iterations" if is_mariadb else "cte_max_recursion_depth"
        cursor.execute(f"SET SESSION {most} = %s", (options.rows + 1,))
        begin = log_head(settings)
        cursor.execute(ROWS, (options.rows,))
        start = log_head(settings)
        update = "UPDATE log_bench.orders SET status = status + 1, updated_at = NOW(3)"
        cursor.execute(update)
        end = log_head(settings)
        # MariaDB compresses images of 256 bytes and more as it is; these have fewer.
        compress = (
            ("SET GLOBAL log_bin_compress = 1", "SET GLOBAL log_bin_compress_min_len = 10")
            if is_mariadb
            else ("SET SESSION binlog_transaction_compression = 1",)
        )
        for statement in (*compress, update):
            cursor.execute(statement)
        compressed = log_head(settings)
        if is_mariadb:
            cursor.execute("SET GLOBAL log_bin_compress = 0, GLOBAL log_bin_compress_min_len = DEFAULT")

    def report(what: str, work: Callable[[], object]) -> None:
        began, busy = time.perf_counter(), time.process_time()
        work()
        took, busy = time.perf_counter() - began, time.process_time() - busy
        print(f"{what:42} {took:7.2f} s {options.rows / took:12,.0f} rows/s {busy / options.rows * 1e6:6.2f} us a row")

    report("fetch and verify the events", lambda: [None for _ in dump(settings, start, end)])
    report(
        "find the next boundary",
        lambda: next_boundary(Log(settings, tables), start, limits=BatchLimits(max_bytes=1 << 40, max_rows=1 << 40)),
    )
    steps = [step for step in walk(Log(settings, tables), start, end) if step.table is not None]
    report("decode both images to text", lambda: [images_of(s.event, s.table) and None for s in steps if s.table])
    report("read updates as Arrow batches", lambda: [None for _ in read_changes(Log(settings, tables), start, end)])
    report("read inserts as Arrow batches", lambda: [None for _ in read_changes(Log(settings, tables), begin, start)])
    replaced = {"log_bench.orders": BeforeColumns(frozenset({0}), key=(0,), row=(0,))}

    def twice_as_one() -> None:
        """The same updates, read twice: a row here are two changes."""
        chains, log = UpdateChains(), Log(settings, tables, replaced=replaced)
        for first, last in ((start, end), (start, end)):
            for _ in read_changes(log, first, last, chains=chains):
                pass
        for _ in chains.take():
            pass

    report("read two updates of each row as one", twice_as_one)

    def processor_seconds(first: LogPosition, last: LogPosition) -> float:
        began = time.process_time()
        rows = sum(batch.num_rows for batch in read_changes(Log(settings, tables), first, last))
        assert rows == options.rows
        return time.process_time() - began

    ratios = [processor_seconds(end, compressed) / processor_seconds(start, end) for _ in range(5)]
    sizes = f"{compressed.offset - end.offset:,} bytes of log for {end.offset - start.offset:,}"
    print(f"{'a compressed log, processor time':42} {statistics.median(ratios):7.2f} of the plain one ({sizes})")


if __name__ == "__main__":
    main()
