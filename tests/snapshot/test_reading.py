"""Rows as their bytes come from a real server, against what the driver makes of the same query."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator

import pyarrow as pa
import pymysql
import pytest

from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.raw_connection import RawConnection, raw_connection
from shardwright.runtime.mysql.text_protocol import fetch_rows, stream_rows, stream_rows_by_place
from tests.servers.testbed import Arena, Server

pytestmark = pytest.mark.server


@pytest.fixture
def source(arena: Arena) -> Server:
    arena.source.query("CREATE DATABASE texts")
    return arena.source


@pytest.fixture
def reader(source: Server) -> Iterator[RawConnection]:
    password = source.sandbox.admin_password_file.read_text(encoding="utf-8")
    with raw_connection(Endpoint(source.host, source.port, "root", password), "texts") as connection:
        yield connection


def test_texts_of_every_length_as_the_driver_reads_them(
    source: Server, reader: RawConnection, dice: random.Random
) -> None:
    source.query("CREATE TABLE t (id INT PRIMARY KEY, a LONGTEXT, b VARCHAR(20), c TEXT)", database="texts")
    lengths = [0, 1, 250, 251, 252, 65_535, 65_536, 300_000]
    rows = [
        (
            number,
            dice.choice([None, "ü" * (dice.choice(lengths) // 2)]),
            dice.choice([None, "", "short", "\t\\\n"]),
            "x" * dice.choice([0, 5, 250, 251, 400]),
        )
        for number in range(400)
    ]
    with source.connect("texts") as connection, connection.cursor() as cursor:
        cursor.executemany("INSERT INTO t VALUES (%s, %s, %s, %s)", rows)
    found = [row for some in stream_rows(reader, "SELECT * FROM t ORDER BY id", columns=4) for row in some.to_pylist()]
    assert found == [[str(row[0]), *row[1:]] for row in rows]
    assert fetch_rows(reader, "SELECT id FROM t WHERE id < 0", columns=1).to_pylist() == []
    assert fetch_rows(reader, "SELECT 1, NULL", columns=2).to_pylist() == [["1", None]]


def test_g2_placed_rows_of_several_packets(reader: RawConnection) -> None:
    size = (16 << 20) + 5
    query = f"SELECT 3, 12, 'before' UNION ALL SELECT 0, 1023, REPEAT('x', {size}) UNION ALL SELECT 1, 2, NULL"
    found = list(stream_rows_by_place(reader, query, columns=1))
    assert [place for places, _ in found for place in places.tolist()] == [[3, 12], [0, 1023], [1, 2]]
    assert [row for _, rows in found for row in rows.to_pylist()] == [["before"], ["x" * size], [None]]


def test_g2_a_row_of_several_packets(reader: RawConnection) -> None:
    size = (16 << 20) + 5
    query = f"SELECT 1, 'before' UNION ALL SELECT 2, REPEAT('x', {size}) UNION ALL SELECT 3, REPEAT('y', 0xFFFFFF - 6) UNION ALL SELECT 4, 'behind'"
    found = fetch_rows(reader, query, columns=2)
    lengths = [[row[0], len(row[1])] for row in found.to_pylist()]
    assert lengths == [["1", 6], ["2", size], ["3", 0xFFFFFF - 6], ["4", 6]]
    assert isinstance(found, pa.ListArray)


def test_an_error_in_the_middle_of_a_result_is_raised(reader: RawConnection) -> None:
    with pytest.raises(pymysql.err.MySQLError, match="Subquery returns more than 1 row"):
        list(
            stream_rows(
                reader,
                "SELECT n, IF(n < 200000, 1, (SELECT 1 UNION SELECT 2)) FROM (WITH RECURSIVE c AS "
                "(SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 900) SELECT a.n * 900 + b.n AS n FROM c a, c b) t",
                columns=2,
            )
        )
    assert fetch_rows(reader, "SELECT 5", columns=1).to_pylist() == [["5"]]


def test_a_connection_that_is_cut_in_the_middle_is_lost(source: Server, reader: RawConnection) -> None:
    number = reader.thread_id()

    def cut() -> None:
        time.sleep(0.3)
        source.query(f"KILL {number}")

    threading.Thread(target=cut).start()
    with pytest.raises(pymysql.err.OperationalError):
        list(stream_rows(reader, "SELECT 1 UNION ALL SELECT SLEEP(60)", columns=1))
