"""Servers that ask for files of this machine's (I4)."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from shardwright.runtime.failures import CROSSING_SECRET, CROSSING_VARIABLE, Refused
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.load_data import connect_for_loading, load_rows
from shardwright.runtime.mysql.raw_connection import raw_connection
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.text_protocol import fetch_rows
from shardwright.runtime.mysql.tls import Tls
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.sources.binlog.connection import connect_dump
from shardwright.runtime.spark.failures import as_failure
from tests.faults.rogue import RogueServer
from tests.keys.bench import Bench

pytestmark = pytest.mark.server


def _first_statement(address: Endpoint) -> None:
    connect(address, "guarded_0")


def _any_statement(address: Endpoint) -> None:
    with connect(address, "guarded_0") as connection:
        query(connection, "SELECT 'trap'")


def _reading_rows(address: Endpoint) -> None:
    with raw_connection(address, "guarded_0") as connection:
        fetch_rows(connection, "SELECT 'trap'", columns=1)


def _another_statement_than_the_load(address: Endpoint) -> None:
    with connect_for_loading(address, "guarded_0") as connection:
        query(connection, "SELECT 'trap'")


def _the_load_itself(address: Endpoint) -> None:
    with connect_for_loading(address, "guarded_0") as connection:
        connection.query("SET @trapped = 1")
        load_rows(
            connection, "person", ("id", "place", "bytes"), hexadecimal=frozenset({"bytes"}), payload=b"1\t0\t\\N\n"
        )


def _reading_the_log(address: Endpoint) -> None:
    with connect_dump(address) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT 'trap'")


_STATEMENTS: tuple[tuple[bytes, Callable[[Endpoint], None]], ...] = (
    (b"SET SESSION sql_mode", _first_statement),
    (b"trap", _any_statement),
    (b"trap", _reading_rows),
    (b"trap", _another_statement_than_the_load),
    (b"LOAD DATA", _the_load_itself),
    (b"trap", _reading_the_log),
)


def test_i4_a_server_that_asks_for_a_file_gets_nothing(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the statement and whoever sends it, though the file can be read."""
    monkeypatch.setenv(CROSSING_VARIABLE, CROSSING_SECRET)  # as in a task
    file = tmp_path / "private"
    file.write_text("canary-of-this-machine", encoding="utf-8")
    real = bench.servers.shards[0]
    for trap, work in _STATEMENTS:
        rogue = RogueServer(real.host, real.port, trap=trap, file=str(file))
        try:
            with pytest.raises(Exception) as caught:
                work(replace(real, host="127.0.0.1", port=rogue.port, tls=Tls("off")))
            assert rogue.asked.wait(5)
        finally:
            rogue.close()
        assert b"canary" not in rogue.received, work
        crossed = "Job aborted: " + "".join(traceback.format_exception(caught.value))
        reported = as_failure(RuntimeError(crossed))
        assert isinstance(reported, Refused) and reported.code == "SW8104", crossed
