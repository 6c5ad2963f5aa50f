"""Statements that travel together mean what they mean one by one: the first that fails ends the packet, a run that was
replaced writes nothing, and a warning is an error whose words are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pymysql
import pytest
from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.fencing import Writer, take_over
from shardwright.runtime.ledger.steps import AlreadyRecorded, record_step, retain_steps
from shardwright.runtime.ledger.tables import create_ledger
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.joining import has_waited
from shardwright.runtime.mysql.load_data import LoadingConnection, load_later, load_rows
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.tls import Tls
from shardwright.runtime.mysql.transactions import execute, execute_later, in_transaction, query, set_variables
from tests.servers.distance import Distance
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

DATABASE = "joined"
WRITER = Writer(7)


@pytest.fixture
def far(arena: Arena) -> Iterator[Distance]:
    """Counts the round trips to a server with a ledger and a table."""
    server = arena.targets[0]
    server.query(f"CREATE DATABASE {DATABASE}")
    server.query("CREATE TABLE t (id INT PRIMARY KEY, v TINYINT)", database=DATABASE)
    with closing(Distance(server.host, server.port)) as proxy:
        yield proxy


@pytest.fixture
def connection(arena: Arena, far: Distance, tmp_path: Path) -> Iterator[Connection[Any]]:
    with closing(_connect(arena, far)) as made:
        create_ledger(made, first=True)
        take_over(made, role="data", epoch=WRITER.token, owner="test")
        yield made


def _connect(arena: Arena, far: Distance) -> Connection[Any]:
    admin = arena.targets[0].endpoint
    endpoint = Endpoint("127.0.0.1", far.port, admin.account, admin.password, Tls("off"), migration="m")
    return connect(endpoint, DATABASE, kind=LoadingConnection, local_infile=True)


def test_i6_a_connection_for_definitions_takes_one_statement(arena: Arena, far: Distance) -> None:
    """DDL of a file or of the source's log is sent as it is written: a second statement in it is a syntax error."""
    admin = arena.targets[0].endpoint
    endpoint = Endpoint("127.0.0.1", far.port, admin.account, admin.password, Tls("off"), migration="m")
    with closing(connect(endpoint, DATABASE, joins=False)) as made:
        set_variables(made, sw_batch=1)
        execute_later(made, "INSERT INTO t VALUES (1, 1)", outside=True)
        assert query(made, "SELECT @sw_batch, id FROM t") == [(1, 1)]
        for hidden in ("ALTER TABLE t ADD c INT; DROP TABLE t", "ALTER TABLE t ADD c INT /*!; DROP TABLE t */"):
            with pytest.raises(pymysql.err.ProgrammingError):
                execute(made, hidden)
    assert _rows(arena) == [(1, 1)]


def _rows(arena: Arena) -> list[tuple[Any, ...]]:
    return arena.targets[0].query("SELECT id, v FROM t ORDER BY id", database=DATABASE)


def test_a_transaction_is_two_round_trips_and_one_of_ledgers_alone_is_one(
    arena: Arena, far: Distance, connection: Connection[Any]
) -> None:
    before = far.read()

    def work(connection: Connection[Any]) -> None:
        record_step(connection, "m", 1, step="upsert:0")
        for number in range(5):
            execute_later(connection, f"INSERT INTO t VALUES ({number}, 0)")
        retain_steps(connection, "m", 1)

    WRITER.transaction(connection, work)
    assert (far.read() - before).round_trips == 2
    before = far.read()
    WRITER.transaction(connection, lambda c: record_step(c, "m", 2, step="stage"))
    assert (far.read() - before).round_trips == 1
    assert len(_rows(arena)) == 5


def test_a_connection_is_three_round_trips(arena: Arena, far: Distance) -> None:
    """Beside those of TCP and of the greeting: the login, and the session. MySQL's login may take one more."""
    before = far.read()
    with closing(_connect(arena, far)):
        found = far.read() - before
    assert found.connections == 1 and found.round_trips <= 4


def test_c11_a_replaced_run_commits_nothing_though_everything_travels_together(
    arena: Arena, far: Distance, connection: Connection[Any]
) -> None:
    take_over(connection, role="data", epoch=8, owner="other")

    def work(connection: Connection[Any]) -> None:
        record_step(connection, "m", 1, step="stage")
        execute_later(connection, "INSERT INTO t VALUES (1, 0)", may_commit=True)

    with pytest.raises(Refused, match=r"SW8201.*epoch 8") as found:
        WRITER.transaction(connection, work)
    assert found.value.code == "SW8201"
    assert _rows(arena) == [] and query(connection, "SELECT * FROM _shardwright_step") == []
    # Nor where nobody holds the role.
    execute(connection, "DELETE FROM _shardwright_epoch")
    with pytest.raises(Refused, match="SW8201"):
        WRITER.transaction(connection, work)
    assert _rows(arena) == []


def test_c11_the_token_is_locked_until_the_commit(arena: Arena, connection: Connection[Any]) -> None:
    with arena.targets[0].connect(DATABASE) as other, other.cursor() as cursor:
        cursor.execute("SET innodb_lock_wait_timeout = 1")

        def work(connection: Connection[Any]) -> None:
            execute(connection, "INSERT INTO t VALUES (1, 0)")
            with pytest.raises(pymysql.err.OperationalError, match="Lock wait timeout"):
                cursor.execute("UPDATE _shardwright_epoch SET epoch = 9")

        WRITER.transaction(connection, work)


def test_a_step_is_recorded_once(arena: Arena, connection: Connection[Any]) -> None:
    def work(connection: Connection[Any]) -> None:
        record_step(connection, "m", 1, step="stage")
        execute(connection, "INSERT INTO t VALUES (1, 0)")

    WRITER.transaction(connection, work)
    execute(connection, "DELETE FROM t")
    with pytest.raises(AlreadyRecorded):
        WRITER.transaction(connection, work)
    assert _rows(arena) == []


def test_the_first_that_fails_ends_the_packet(arena: Arena, connection: Connection[Any]) -> None:
    def work(connection: Connection[Any]) -> None:
        execute_later(connection, "INSERT INTO t VALUES (1, 0)")
        execute_later(connection, "INSERT INTO t VALUES (1, 1)")
        execute_later(connection, "INSERT INTO t VALUES (2, 0)")

    with pytest.raises(pymysql.err.IntegrityError, match="Duplicate entry '1'") as found:
        in_transaction(connection, work)
    assert has_waited(found.value)
    assert _rows(arena) == []
    with pytest.raises(pymysql.err.IntegrityError) as again:
        in_transaction(
            connection, lambda c: (execute_later(c, "DO 0"), execute(c, "INSERT INTO t VALUES (1, 0), (1, 0)"))
        )
    assert not has_waited(again.value)
    in_transaction(connection, lambda c: execute_later(c, "INSERT INTO t VALUES (3, 0)"))
    assert _rows(arena) == [(3, 0)]


def test_g3_a_warning_is_an_error_with_its_words(arena: Arena, connection: Connection[Any]) -> None:
    """Of a statement that travels with others the words are gone: the transaction begins again, one by one."""
    times = []

    def work(connection: Connection[Any]) -> None:
        times.append(1)
        execute_later(connection, "INSERT INTO t VALUES (1, 0)")
        execute_later(connection, "INSERT IGNORE INTO t VALUES (2, 1000)")
        execute_later(connection, "INSERT INTO t VALUES (3, 0)")

    with pytest.raises(pymysql.err.DataError, match=r"Out of range.*a warning of: INSERT IGNORE"):
        in_transaction(connection, work)
    assert len(times) == 2 and _rows(arena) == []
    in_transaction(connection, lambda c: execute_later(c, "DROP TABLE IF EXISTS unknown"))  # a note is none


def test_g10_loads_travel_together_and_a_row_too_few_is_an_error(
    arena: Arena, far: Distance, connection: Connection[Any]
) -> None:
    def load(connection: Connection[Any], *payloads: bytes) -> None:
        for payload in payloads:
            load_later(connection, load_rows, "t", ("id", "v"), hexadecimal=frozenset(), payload=payload)

    before = far.read()
    in_transaction(connection, lambda c: load(c, b"1\t1\n2\t2\n", b"3\t3\n", b"4\t4\n"))
    assert (far.read() - before).round_trips == 5  # the statements, a payload each, the commit
    assert len(_rows(arena)) == 4
    with pytest.raises(pymysql.err.DataError, match="loading t"):
        in_transaction(connection, lambda c: load(c, b"5\t5\n", b"1\t1\n", b"6\t6\n"))
    assert len(_rows(arena)) == 4


def test_what_was_recorded_of_a_connection_survives_a_rollback(connection: Connection[Any]) -> None:
    WRITER.record(connection)

    def fail(_connection: Connection[Any]) -> None:
        raise KeyError

    with pytest.raises(KeyError):
        WRITER.transaction(connection, fail)
    assert len(query(connection, "SELECT * FROM _shardwright_connection")) == 1
