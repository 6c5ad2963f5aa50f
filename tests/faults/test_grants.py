"""Grants as the server evaluates them (N38), the proof of the start position that an account may use (N37), and who
holds a lock that a statement waits for (issue 53, 15)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pymysql
import pytest

from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.mysql.check import Check, Verdict
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.grants import NEEDED_ON_TARGETS
from shardwright.runtime.mysql.kill import end_connection
from shardwright.runtime.mysql.read_grants import read_granted
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.transactions import execute, query
from shardwright.runtime.run.log_retention import read_retention
from shardwright.runtime.run.preflight.context import Demands
from shardwright.runtime.run.preflight.copy_forecast import CopyForecast
from shardwright.runtime.run.preflight.grants import fence_grants, source_grants, target_grants
from shardwright.runtime.run.preflight.preflight import checks
from shardwright.runtime.run.preflight.retention import judge_retention
from shardwright.runtime.run.preflight.start_position import start_position
from shardwright.runtime.run.preflight.tolerance import Tolerance
from shardwright.specs.environment.environment import NetworkPatience
from tests.keys.bench import Bench
from tests.servers.denying import deny
from tests.servers.testbed import Arena, Server

pytestmark = pytest.mark.server
FOLLOWED = [SourceName("shop", "person")]


@contextmanager
def account(server: Server, *statements: str, name: str = "ours") -> Iterator[Endpoint]:
    """An account that has what the statements give it; `{account}` in them is its name."""
    quoted = f"'{name}'@'{server.sandbox.account_host}'"
    drop = [f"DROP USER IF EXISTS {quoted}", "DROP ROLE IF EXISTS readers, writers"]
    if server.sandbox.kind == "mariadb":
        drop[1:] = ["DROP ROLE IF EXISTS readers", "DROP ROLE IF EXISTS writers"]
    for statement in (*drop, f"CREATE USER {quoted} IDENTIFIED BY 'pw'", *statements):
        server.query(statement.replace("{account}", quoted).replace("%", "%%") % ())
    endpoint = Endpoint(server.host, server.port, name, "pw")
    connect(endpoint).close()  # over TLS: MySQL then takes a proof of the password in plain text
    try:
        yield endpoint
    finally:
        for statement in drop:
            server.query(statement)


def _find_lacking(endpoint: Endpoint, database: str) -> list[str]:
    with connect(endpoint) as connection:
        return [fault.message for fault in target_grants(connection, [database], "here")]


def _default_role(server: Server, role: str) -> str:
    return f"SET DEFAULT ROLE {role} {'TO' if server.sandbox.kind == 'mysql' else 'FOR'} {{account}}"


@pytest.mark.mysql
def test_n38_a_role_that_gives_nothing_more_is_no_reason_to_pass(bench: Bench, arena: Arena) -> None:
    server = arena.placement["guarded_0"]
    rows = "GRANT SELECT, INSERT, UPDATE, DELETE ON *.* TO {account}"
    reader = ("CREATE ROLE readers", "GRANT SELECT ON *.* TO readers", "GRANT readers TO {account}")
    with account(server, rows, *reader, _default_role(server, "readers")) as ours:
        (said,) = _find_lacking(ours, "guarded_0")
        assert "lacks CREATE, DROP, ALTER, INDEX, CREATE TEMPORARY TABLES, TRIGGER in guarded_0" in said


@pytest.mark.mysql
def test_n38_an_active_role_counts_and_one_that_sleeps_is_named(bench: Bench, arena: Arena) -> None:
    server = arena.placement["guarded_0"]
    role = ("CREATE ROLE readers", "CREATE ROLE writers", "GRANT readers TO writers", "GRANT SELECT ON *.* TO readers",
            f"GRANT {', '.join(NEEDED_ON_TARGETS[1:])} ON *.* TO writers", "GRANT writers TO {account}")  # fmt: skip
    with account(server, *role) as ours:
        (said,) = _find_lacking(ours, "guarded_0")
        assert "is granted and not active" in said, said
        assert re.search(r": SET DEFAULT ROLE `writers`\S* (TO|FOR) 'ours'@'[^']+'$", said), said
        server.query(_default_role(server, "writers").format(account=f"'ours'@'{server.sandbox.account_host}'"))
        assert _find_lacking(ours, "guarded_0") == []
        with connect(ours) as connection:
            read_granted(connection)
            assert query(connection, "SELECT CURRENT_ROLE()")[0][0], "it stays active"


@pytest.mark.mysql
def test_n38_what_partial_revokes_take_away_is_missing(bench: Bench, arena: Arena) -> None:
    server = arena.placement["guarded_0"]
    if server.sandbox.kind != "mysql":
        pytest.skip("MySQL only: partial revokes")
    with (
        _partial_revokes(server),
        account(
            server,
            f"GRANT {', '.join(NEEDED_ON_TARGETS)} ON *.* TO {{account}}",
            "REVOKE INSERT, UPDATE ON guarded_0.* FROM {account}",
        ) as ours,
    ):
        (said,) = _find_lacking(ours, "guarded_0")
        assert "partial revokes take INSERT, UPDATE away" in said and "ON `guarded_0`.* TO" in said, said
        server.query(said.rpartition(": ")[2])
        assert _find_lacking(ours, "guarded_0") == [], "the statement of the message gives it"
        assert _find_lacking(ours, "guarded_1") == []


@contextmanager
def _partial_revokes(server: Server) -> Iterator[None]:
    server.query("SET GLOBAL partial_revokes = ON")
    try:
        yield
    finally:
        server.query("SET GLOBAL partial_revokes = OFF")


@pytest.mark.mysql
def test_n38_an_escaped_name_is_another_database_under_partial_revokes(bench: Bench, arena: Arena) -> None:
    server = arena.placement["guarded_0"]
    if server.sandbox.kind != "mysql":
        pytest.skip("MySQL only: partial revokes")
    with account(server, f"GRANT {', '.join(NEEDED_ON_TARGETS)} ON `guarded\\_0`.* TO {{account}}") as ours:
        assert _find_lacking(ours, "guarded_0") == []
        with _partial_revokes(server):
            assert "lacks SELECT" in _find_lacking(ours, "guarded_0")[0]


@pytest.mark.mysql
def test_n38_the_fence_read_only_says_that_managed_servers_do_not_give_it(bench: Bench, arena: Arena) -> None:
    server = arena.source
    role = ("CREATE ROLE writers", "GRANT PROCESS, RELOAD, CREATE USER ON *.* TO writers", "GRANT writers TO {account}")
    with account(server, *role, _default_role(server, "writers")) as ours, connect(ours) as connection:
        faults = [fault.message for fault in fence_grants(connection, (), "here", kind="read_only")]
        assert re.search(
            r"lacks .*(READ_ONLY ADMIN|SYSTEM_VARIABLES_ADMIN).*triggers or lock_accounts", "".join(faults)
        )


def _start(endpoint: Endpoint, *, exact: bool = False) -> Check:
    with connect(endpoint) as connection:
        (check,) = start_position(connection, FOLLOWED, endpoint, exact=exact)
        return check


@contextmanager
def _without_gtids(server: Server) -> Iterator[None]:
    """As far as that can be switched while it runs: transactions need none."""
    server.query("SET GLOBAL gtid_mode = ON_PERMISSIVE")
    try:
        yield
    finally:
        server.query("SET GLOBAL gtid_mode = ON")


LOG_READER = "GRANT SELECT, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO {account}"
LOCK = r"FLUSH\s+TABLES"


@pytest.mark.mysql
def test_n37_preflight_says_how_the_start_position_is_proved(bench: Bench, arena: Arena) -> None:
    server = arena.source
    if server.sandbox.kind != "mysql":
        with account(server, "GRANT SELECT, REPLICATION SLAVE, BINLOG MONITOR ON *.* TO {account}") as ours:
            assert _start(ours).found == "the server says it with the snapshot: no lock"
        return
    with account(server, LOG_READER) as ours, deny(server.host, server.port, LOCK) as proxy:
        managed = replace(ours, port=proxy.port)
        assert (_start(managed).verdict, _start(managed).found) == (Verdict.OK, "proved by GTIDs: no lock")
        exact = _start(managed, exact=True)
        assert exact.verdict is Verdict.WARNING and "GRANT SELECT, LOCK TABLES ON `shop`.* TO 'ours'@" in exact.way_out
        assert proxy.denied == [], "nothing is locked where it is not needed"
        with _without_gtids(server):
            refused = _start(managed)
            assert (refused.verdict, refused.code) == (Verdict.REFUSED, "SW8125")
            assert "FLUSH TABLES WITH READ LOCK (Access denied" in refused.found and len(proxy.denied) == 1
            server.query(refused.way_out.partition(". Or")[0])
            assert "LOCK TABLES ... READ of the followed tables: gtid_mode is not ON" in _start(managed).found
            server.query(f"REVOKE LOCK TABLES ON `shop`.* FROM 'ours'@'{server.sandbox.account_host}'")
            server.query(f"GRANT RELOAD ON *.* TO 'ours'@'{server.sandbox.account_host}'")
            assert "proved by FLUSH TABLES WITH READ LOCK, for a moment" in _start(ours).found
            assert _start(managed).verdict is Verdict.REFUSED, "the privilege is there, and the provider refuses"
        with connect(managed) as connection:
            assert list(source_grants(connection, "here")) == []


@pytest.mark.mysql
def test_a_statement_that_waited_for_a_lock_names_the_table_and_who_holds_it(bench: Bench, arena: Arena) -> None:
    server = arena.placement["guarded_0"]
    address = replace(bench.servers.shards[0], patience=NetworkPatience(answer_seconds=8.0))
    shows = server.sandbox.kind == "mysql"
    if shows:
        user = f"'{address.account}'@'{server.sandbox.account_host}'"
        server.query(f"GRANT SELECT ON performance_schema.* TO {user}")
    with server.connect("guarded_0") as other, other.cursor() as cursor, connect(address, "guarded_0") as ours:
        number = other.thread_id()  # type: ignore[no-untyped-call]
        cursor.execute("LOCK TABLES person WRITE")
        with pytest.raises(pymysql.err.OperationalError) as waited:
            execute(ours, "INSERT INTO `guarded_0`.`person` (`id`, `place`) VALUES (1, 1)")
        text = str(waited.value.args[1])
        assert waited.value.args[0] == 1205
        said = (
            rf"guarded_0\.person is held by connection {number} of root@" if shows else r"guarded_0\.person is locked"
        )
        assert re.search(said, text), text
        cursor.execute("UNLOCK TABLES")
        execute(ours, "INSERT INTO `guarded_0`.`person` (`id`, `place`) VALUES (1, 1)")


@pytest.mark.mysql
def test_a_read_replica_that_cannot_be_read_is_named_before_the_run(bench: Bench, arena: Arena) -> None:
    replica, name = arena.placement["guarded_0"], "shop"

    def said(endpoint: Endpoint) -> list[tuple[str, str]]:
        servers = replace(bench.servers, replicas={"source": endpoint})
        found = checks(bench.plan, servers, Tolerance.NONE, Demands(parallel=1))
        return [(check.code, check.found) for check in found if check.where == str(endpoint) and check.code]

    with account(replica, "GRANT SELECT ON guarded_0.* TO {account}") as ours:
        assert said(ours) == [("SW8125", f"{_account_of(ours)} may not read shop.person on the read replica")]
        replica.query(f"GRANT SELECT ON {name}.* TO 'ours'@'{replica.sandbox.account_host}'")
        assert said(ours) == [("SW8126", "the read replica has no table shop.person")]
        replica.query("CREATE DATABASE shop")
        replica.query("CREATE TABLE shop.person LIKE guarded_0.person")
        replica.query("SET GLOBAL read_only = 1")
        assert said(ours) == []
        replica.query("SET GLOBAL read_only = 0")
        replica.query("DROP DATABASE shop")


def _account_of(endpoint: Endpoint) -> str:
    with connect(endpoint) as connection:
        return read_granted(connection).account


@pytest.mark.mysql
def test_n38_where_no_one_may_kill_the_providers_procedure_is_called(bench: Bench, arena: Arena) -> None:
    server = arena.source
    procedure = "CREATE PROCEDURE mysql.rds_kill (number BIGINT) SQL SECURITY DEFINER KILL number"
    fence = "GRANT PROCESS ON *.* TO {account}"
    with account(server, fence, "GRANT TRIGGER ON shop.* TO {account}") as ours, connect(ours) as connection:
        lacking = [fault.message for fault in fence_grants(connection, ["shop"], "here", kind="triggers")]
        assert any(re.search("lacks CONNECTION.ADMIN", message) for message in lacking), lacking
        server.query(procedure)
        try:
            server.query(f"GRANT EXECUTE ON PROCEDURE mysql.rds_kill TO 'ours'@'{server.sandbox.account_host}'")
            lacking = [fault.message for fault in fence_grants(connection, ["shop"], "here", kind="triggers")]
            assert not any("CONNECTION" in message for message in lacking), lacking
            with account(server, "GRANT SELECT ON shop.* TO {account}", name="theirs") as theirs:
                other = connect(theirs)
                end_connection(connection, other.thread_id())  # type: ignore[no-untyped-call]
                with pytest.raises(pymysql.err.MySQLError):
                    other.ping(reconnect=False)
        finally:
            server.query("DROP PROCEDURE mysql.rds_kill")


@pytest.mark.mysql
def test_the_log_retention_of_rds_is_that_of_its_table(bench: Bench, arena: Arena) -> None:
    server = arena.source
    server.query("CREATE TABLE mysql.rds_configuration (name VARCHAR(100), value VARCHAR(100))")
    try:
        with server.connect() as connection:
            assert not read_retention(connection).by_rds
            server.query("INSERT INTO mysql.rds_configuration VALUES ('binlog retention hours', NULL)")
            soon = read_retention(connection)
            assert soon.by_rds and soon.seconds is not None and soon.seconds <= 60
            check = judge_retention(soon, CopyForecast(0.0, 0.0, ""), rows=1, turnover=None, where="here")
            assert check.verdict is Verdict.WARNING
            assert check.way_out == "CALL mysql.rds_set_configuration('binlog retention hours', 168)"
            server.query("UPDATE mysql.rds_configuration SET value = '24'")
            assert read_retention(connection).seconds == 86_400.0
    finally:
        server.query("DROP TABLE mysql.rds_configuration")
