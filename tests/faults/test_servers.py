"""What servers do to a client that trusts them: they skip rows, have modes of their own, too little room for a value,
triggers and foreign keys on the tables (C29, G1, G2, G4, G5, G10).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymysql
import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.load_data import connect_for_loading, load_rows
from shardwright.runtime.mysql.raw_connection import RawConnection, raw_connection
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.text_protocol import fetch_rows
from shardwright.runtime.mysql.tls import Tls
from shardwright.runtime.mysql.transactions import execute, query
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.run.preflight.context import Demands
from shardwright.runtime.run.preflight.preflight import preflight
from shardwright.runtime.sources.binlog.connection import log_head
from shardwright.specs.environment.environment import NetworkPatience
from shardwright.specs.findings.diagnostics import SpecError
from tests.faults.conftest import GUARDED, GUARDED_SCHEMA
from tests.keys.bench import Bench
from tests.servers.testbed import Arena, Server

pytestmark = pytest.mark.server

_ALL = ("id", "place", "bytes")
_HEXADECIMAL = frozenset({"bytes"})


@pytest.fixture
def small_packets(arena: Arena, bench: Bench) -> Iterator[None]:
    """Every server takes and makes a megabyte at the most."""
    servers = (arena.source, *arena.targets)
    limits = [server.query("SELECT @@GLOBAL.max_allowed_packet")[0][0] for server in servers]
    for server in servers:
        server.query("SET GLOBAL max_allowed_packet = 1048576")
    yield
    for server, limit in zip(servers, limits, strict=True):
        server.query("SET GLOBAL max_allowed_packet = %s", (limit,))


def _load(bench: Bench, payload: bytes) -> int:
    """As staging does: in a transaction of the shard."""
    connection = connect_for_loading(bench.servers.shards[0], bench.servers.databases[0])
    with connection:
        return bench.writer.transaction(connection, lambda c: _load_persons(c, payload))


def _load_persons(connection: pymysql.Connection[Any], payload: bytes) -> int:
    return load_rows(connection, "person", _ALL, hexadecimal=_HEXADECIMAL, payload=payload)


def _present(bench: Bench) -> list[tuple[Any, ...]]:
    (table,) = bench.plan.tables
    return sorted(present.row[:2] for present in bench.read_rows(table))


def test_g10_rows_that_the_server_skips_are_noticed(bench: Bench) -> None:
    """LOCAL means IGNORE: what has a key that stands already is left out; what does not fit is bent."""
    assert _load(bench, b"1\t0\t\\N\n2\t0\t\\N\n") == 2
    with pytest.raises(pymysql.err.DataError, match="1 of 2 rows, Duplicate entry '2'"):
        _load(bench, b"3\t0\t\\N\n2\t2\t\\N\n")
    with pytest.raises(pymysql.err.DataError, match=r"2 of 2 rows, .*Out of range"):
        _load(bench, b"4\t0\t\\N\n99999999999\t0\t\\N\n")
    assert _present(bench) == [(1, 0), (2, 0)], "a transaction with a row too few leaves nothing"


@pytest.mark.usefixtures("small_packets")
def test_g2_rows_and_values_beyond_the_packets_of_a_shard_go_in(bench: Bench) -> None:
    """LOAD DATA is no statement: it comes in small packets, and a row may be of any size."""
    rows = b"".join(b"%d\t0\t%s\n" % (at, b"AB" * 500_000) for at in range(5))
    assert _load(bench, rows) == 5
    assert _load(bench, b"9\t0\t%s\n" % (b"AB" * 3_000_000)) == 1
    with bench.servers.connect_shard(0) as connection:
        assert query(connection, "SELECT SUM(LENGTH(bytes)) FROM person") == [(5_500_000,)]


@pytest.mark.usefixtures("small_packets")
def test_g2_a_value_that_the_source_cannot_show_is_named_and_never_null(bench: Bench, arena: Arena) -> None:
    """HEX doubles a value, and beyond max_allowed_packet MariaDB gives NULL and a warning; MySQL does so when it joins
    texts."""
    arena.source.query("INSERT INTO shop.person VALUES (1, 0, REPEAT(CHAR(0), 600000))")
    with raw_connection(bench.servers.sources["source"], "shop") as connection:
        for shown in ("HEX(bytes)", "CONCAT(HEX(bytes), '')"):
            statement = f"SELECT id, {shown} FROM person"
            if arena.source.sandbox.kind == "mysql" and shown == "HEX(bytes)":
                assert fetch_rows(connection, statement, columns=2).to_pylist() == [["1", "00" * 600_000]]
                continue
            with pytest.raises(Refused, match=r"SW8143.*max_allowed_packet, 1048576 bytes"):
                fetch_rows(connection, statement, columns=2)
        assert fetch_rows(connection, "SELECT id FROM person", columns=1).to_pylist() == [["1"]]


@pytest.mark.parametrize(
    ("how", "own"),
    [
        ("", 57),  # 4 BIGINT, 4 INT, a VARCHAR(8)
        (", version_column: place", 53),  # the version before is an INT, too
        (", write: changed", 57 + 2 + 4096),  # which columns changed
    ],
)
def test_c29_the_widest_row_goes_through_and_wider_ones_no_server_would_stage(
    arena: Arena, tmp_path: Path, how: str, own: int
) -> None:
    widest = 65_535 - own - 11  # 8 bytes of id and place, 2 of its own length, 1 of NULLs
    bench = _wide(arena, tmp_path / "wide", widest, how=how)
    (table,) = bench.plan.tables
    row = ["1", "1", "AB" * widest]
    bench.deliver({"person": [Event("shop.person", "I", (1, 1, 10, 0), 0, None, row)]})
    bench.deliver({"person": [Event("shop.person", "U", (1, 1, 20, 0), 0, row, ["1", "0", row[2]])]})
    (found,) = bench.read_rows(table)
    assert (found.shard, found.row) == (0, (1, 0, b"\xab" * widest))
    ((_, stage),) = arena.placement["guarded_0"].query(f"SHOW CREATE TABLE {table.ours.stage}", database="guarded_0")
    wider = stage.replace(table.ours.stage, "wider").replace(str(widest), str(widest + 1))
    with pytest.raises(pymysql.err.OperationalError, match="Row size too large"):
        arena.placement["guarded_0"].query(wider, database="guarded_0")
    with pytest.raises(SpecError, match="SW4317"):
        _wide(arena, tmp_path / "wider", widest + 1, how=how)


def _wide(arena: Arena, folder: Path, size: int, *, how: str) -> Bench:
    folder.mkdir()
    spec = GUARDED.replace("sharding: by_place}\n", f"sharding: by_place{how}}}\n")
    return Bench(arena, folder, spec, GUARDED_SCHEMA.replace("longblob", f"varbinary({size})"))


def test_g4_sessions_are_ours_however_the_server_is_set_up_and_after_each_reconnect(bench: Bench, arena: Arena) -> None:
    server = arena.placement["guarded_0"]
    asked = "SELECT @@sql_mode, @@time_zone, @@innodb_lock_wait_timeout, @@character_set_client"
    names = ("sql_mode", "time_zone", "innodb_lock_wait_timeout")
    kept = {name: server.query(f"SELECT @@GLOBAL.{name}")[0][0] for name in names}
    with bench.servers.connect_shard(0) as connection:
        (usual,) = query(connection, asked)
    hostile = ("ANSI,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH", "+13:00", 1)
    try:
        for name, value in zip(names, hostile, strict=True):
            server.query(f"SET GLOBAL {name} = %s", (value,))
        for kind in (pymysql.Connection, RawConnection):
            with connect(bench.servers.shards[0], "guarded_0", kind=kind) as connection:
                assert query(connection, asked) == [usual]
        with connect_for_loading(bench.servers.shards[0], "guarded_0") as connection:
            assert query(connection, asked) == [usual]
            assert query(connection, "SELECT %s", ("back\\slash'\"`\0\x1a",)) == [("back\\slash'\"`\0\x1a",)]
    finally:
        for name, value in kept.items():
            server.query(f"SET GLOBAL {name} = %s", (value,))
    assert "STRICT_ALL_TABLES" in usual[0] and usual[1:] == ("+00:00", 20, "utf8mb4")


def test_a_way_to_log_in_that_needs_a_package_is_named(arena: Arena) -> None:
    """MariaDB's ed25519: the driver raises an error that is none of MySQL's."""
    if arena.source.sandbox.kind == "mysql":
        pytest.skip("MySQL's own ways need no package")
    with _account(arena.source, "VIA ed25519 USING PASSWORD('canary-secret')", plugin="auth_ed25519") as address:
        for work in _logins(address):
            with pytest.raises(Refused) as caught:
                work()
            assert caught.value.code == "SW8106" and "canary" not in caught.value.message
            assert "without the package pynacl" in caught.value.message and "PyMySQL[ed25519]" in caught.value.message


def test_i7_mysqls_own_way_without_tls_gives_no_one_the_password(arena: Arena) -> None:
    """The server must have seen the password, over TLS, before it takes a proof of it."""
    if arena.source.sandbox.kind == "mariadb":
        pytest.skip("MariaDB's accounts prove that they know the password")
    with _account(arena.source, "BY 'canary-secret'") as address:
        for work in _logins(address):
            with pytest.raises(Refused) as caught:
                work()
            assert caught.value.code == "SW8105" and "canary" not in caught.value.message
        connect(replace(address, tls=Tls("preferred"))).close()
        connect(address).close()


@contextmanager
def _account(server: Server, identified: str, plugin: str = "") -> Iterator[Endpoint]:
    """An account that connects in plain text."""
    who = f"'choosy'@'{server.sandbox.account_host}'"
    server.query(f"DROP USER IF EXISTS {who}")
    if plugin:
        server.query(f"INSTALL SONAME '{plugin}'")
    server.query(f"CREATE USER {who} IDENTIFIED {identified}")
    try:
        yield Endpoint(server.host, server.port, "choosy", "canary-secret", Tls("off"))
    finally:
        server.query(f"DROP USER {who}")
        if plugin:
            server.query(f"UNINSTALL SONAME '{plugin}'")


def _logins(address: Endpoint) -> tuple[Callable[[], object], ...]:
    return (lambda: connect(address), lambda: log_head(address))


def test_g3_what_a_server_calls_deprecated_is_no_error(bench: Bench) -> None:
    with bench.servers.connect_shard(0) as connection:
        execute(
            connection,
            "CREATE TABLE old (a INT(5) ZEROFILL, b FLOAT(7,3) UNSIGNED, c DOUBLE(9,2), d YEAR(4), e VARCHAR(9) CHARACTER SET utf8,"
            " f VARCHAR(9) CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci, g NATIONAL CHAR(3), `$h` CHAR(3) BINARY,"
            " i VARCHAR(9) CHARACTER SET ucs2 COLLATE ucs2_general_ci, j VARCHAR(9) CHARACTER SET macroman)",
        )
        with pytest.raises(pymysql.err.DataError, match="Out of range"):
            execute(connection, "INSERT IGNORE INTO old (b) VALUES (1e9)")


def test_g1_a_lock_is_waited_for_no_longer_than_an_answer(bench: Bench) -> None:
    address = replace(bench.servers.shards[0], patience=NetworkPatience(answer_seconds=8.0))
    with connect(address, "guarded_0") as connection:
        assert query(connection, "SELECT @@innodb_lock_wait_timeout") == [(4,)]


def test_g5_triggers_and_foreign_keys_on_the_target_are_refused_before_anything_is_written(
    bench: Bench, arena: Arena
) -> None:
    preflight(bench.plan, bench.servers)
    shard = arena.placement["guarded_1"]
    arena.placement["guarded_0"].query(
        "CREATE TRIGGER theirs BEFORE INSERT ON guarded_0.person FOR EACH ROW SET NEW.place = 7", database="guarded_0"
    )
    shard.query(
        "CREATE TABLE note (person int UNIQUE, FOREIGN KEY of_person (person) REFERENCES person (id))",
        database="guarded_1",
    )
    shard.query(
        "CREATE TABLE other (id int PRIMARY KEY, FOREIGN KEY of_note (id) REFERENCES note (person))",
        database="guarded_1",
    )
    shard.query(
        "CREATE TRIGGER elsewhere BEFORE INSERT ON guarded_1.other FOR EACH ROW SET NEW.id = 7", database="guarded_1"
    )
    with pytest.raises(Refused) as caught:
        preflight(bench.plan, bench.servers)
    first, second = caught.value.message.splitlines()
    assert caught.value.code == "SW8141" and "trigger theirs on guarded_0.person" in first
    assert second.startswith("SW8142: foreign key ") and "from guarded_1.note to guarded_1.person" in second
    with pytest.raises(Refused, match="SW8142"):
        preflight(bench.plan, bench.servers, demands=Demands(frozenset({"SW8141"})))
    preflight(bench.plan, bench.servers, demands=Demands(frozenset({"SW8141", "SW8142"})))
