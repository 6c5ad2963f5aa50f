"""A migration with accounts that have exactly the rights of docs/how-to/managed-servers.md, behind a proxy that refuses what
providers of managed servers refuse (N37, N38)."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pymysql
import pytest
import yaml

from shardwright.runtime.mysql.grants import ON_TARGETS, ROWS, everything_in, grant
from shardwright.runtime.mysql.servers import ledger_database_of
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from tests.servers.denying import DenyingProxy
from tests.servers.testbed import Arena, Server
from tests.support.case import SOURCE, Case
from tests.support.job import ENVIRONMENT, SMALL_SPARK

pytestmark = [pytest.mark.server, pytest.mark.spark]

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "managed-servers.md"
REFUSED = (r"(/\*.*?\*/)?\s*FLUSH\s+TABLES", r"SET\s+GLOBAL", r"FLUSH\s+(BINARY\s+)?LOGS", r"LOCK\s+INSTANCE")
SETUP = (
    "CREATE TABLE item (id INT PRIMARY KEY, text VARCHAR(40)) DEFAULT CHARSET=utf8mb4",
    "INSERT INTO item VALUES (1, 'a'), (2, 'b'), (3, 'c')",
)
TABLES = "tables:\n  - {table: item, sharding: by_id}"
CUTOVER = {**SMALL_SPARK, "cutover": {"fence": {"source": "triggers", "shards": "triggers"}, "max_lag": "60s"}}


def grants_of_the_page(heading: str) -> list[str]:
    """The GRANT statements of the first block of SQL behind a line of the page."""
    _, found, rest = PAGE.read_text(encoding="utf-8").partition(heading)
    assert found, heading
    block = rest.partition("```sql\n")[2].partition("```")[0]
    text = re.sub(r"--.*", "", block)
    return [" ".join(one.split()) for one in text.split(";") if one.strip().startswith("GRANT")]


def let_in(server: Server, statements: list[str], databases: tuple[str, ...]) -> None:
    """The runtime's account has what the statements give it, and nothing else."""
    account = f"'{RUNTIME_USER}'@'{server.sandbox.account_host}'"
    server.query(f"REVOKE ALL PRIVILEGES, GRANT OPTION FROM {account}")
    for statement in statements:
        for database in databases:
            wanted = statement.replace("`shop`.*", everything_in(database))
            wanted = wanted.replace(r"`order\_db\_0`.*", everything_in(database))
            server.query(wanted.replace("'shardwright'@'%'", account))


@pytest.fixture
def proxies(arena: Arena) -> Iterator[dict[int, DenyingProxy]]:
    """By the port of the server behind it."""
    made: dict[int, DenyingProxy] = {}
    servers = (arena.source, *arena.targets)
    for server in servers:
        made[server.port] = DenyingProxy(server.host, server.port, REFUSED)
    yield made
    for proxy in made.values():
        proxy.close()


@pytest.mark.mysql
def test_n37_n38_the_grants_of_the_page_are_enough(
    arena: Arena, tmp_path: Path, proxies: dict[int, DenyingProxy]
) -> None:
    case = Case(arena, tmp_path, TABLES, setup=SETUP, settings=CUTOVER)
    mysql = arena.source.sandbox.kind == "mysql"
    let_in(arena.source, grants_of_the_page(f"On a {'MySQL' if mysql else 'MariaDB'} source"), (SOURCE,))
    for server in {id(one): one for one in arena.placement.values()}.values():
        databases = tuple(name for name, at in arena.placement.items() if at is server)
        let_in(server, grants_of_the_page("On the targets"), databases)
    _through(case, proxies)
    case.plan()
    reported = case.call("preflight", "--env", ENVIRONMENT)
    assert "proved by GTIDs: no lock" in reported.out if mysql else "with the snapshot: no lock" in reported.out, (
        reported
    )
    case.run()
    case.write("INSERT INTO item VALUES (4, 'd')", "UPDATE item SET text = 'x' WHERE id = 1")
    case.run()
    case.require_equal("item")
    case.verify()
    assert [proxy.denied for proxy in proxies.values()] == [[], [], []], "nothing was asked that providers refuse"
    _fence(arena)
    reported = case.call("cutover", "--dry-run", "--env", ENVIRONMENT, code=6)  # no run is live, so it would not begin
    assert "all required grants present" in reported.out and "lacks" not in reported.out + reported.err, reported


@pytest.mark.mysql
def test_a_target_that_takes_no_table_without_a_primary_key(arena: Arena, tmp_path: Path) -> None:
    """With MySQL's own invisible keys it takes the table."""
    if arena.source.sandbox.kind != "mysql":
        pytest.skip("MySQL only: MariaDB's innodb_force_primary_key is about the tables of one engine")
    setup = ("CREATE TABLE line (id INT NOT NULL, text VARCHAR(40))", "INSERT INTO line VALUES (1, 'x'), (1, 'x')")
    case = Case(arena, tmp_path, "tables:\n  - {table: line, sharding: by_id, key: all_columns}", setup=setup)
    case.plan()
    with global_setting(arena.targets, "sql_require_primary_key = 1"):
        case.call("preflight", "--env", ENVIRONMENT, code=6, saying="SW8171")
        case.run(code=6, saying="and line has none")
        with global_setting(arena.targets, "sql_generate_invisible_primary_key = 1"):
            case.run()
    case.write("INSERT INTO line VALUES (1, 'x'), (2, 'y')", "DELETE FROM line WHERE id = 1 LIMIT 1")
    case.run()
    case.verify()


@pytest.mark.in_turn
def test_what_lasts_longer_than_a_moment_is_killed(arena: Arena, tmp_path: Path) -> None:
    """As a service does with transactions of 20 s: here with those of one second, and a copy of many chunks."""
    rows = ", ".join(f"({number}, 'text {number}')" for number in range(10, 2_000))
    small = {**SMALL_SPARK, "snapshot": {"chunk_rows": 100}, "batch": {"max_rows": 100}}
    case = Case(arena, tmp_path, TABLES, setup=(*SETUP, f"INSERT INTO item VALUES {rows}"), settings=small)
    case.plan()
    updates = (f"UPDATE item SET text = CONCAT(text, '.') WHERE id % 20 = {number % 20}" for number in range(10**6))
    with killing_old_transactions((arena.source, *arena.targets), seconds=1), case.write_meanwhile(updates, pause=0.2):
        case.run()
    case.run()
    case.require_equal("item")
    case.verify()


@contextmanager
def global_setting(servers: Iterable[Server], setting: str) -> Iterator[None]:
    for server in servers:
        server.query(f"SET GLOBAL {setting}")
    try:
        yield
    finally:
        for server in servers:
            server.query(f"SET GLOBAL {setting.partition(' ')[0]} = 0")


@contextmanager
def killing_old_transactions(servers: Iterable[Server], *, seconds: int) -> Iterator[None]:
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.1):
            for server in servers:
                old = server.query(
                    "SELECT trx_mysql_thread_id FROM information_schema.innodb_trx "
                    f"WHERE trx_started < NOW() - INTERVAL {seconds} SECOND AND trx_mysql_thread_id > 0"
                )
                for (connection,) in old:
                    with suppress(pymysql.err.MySQLError):  # it has ended
                        server.query(f"KILL {connection}")

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _through(case: Case, proxies: dict[int, DenyingProxy]) -> None:
    """The environment's servers are reached through the proxies from now on."""
    file = case.project / "environments" / f"{ENVIRONMENT}.yaml"
    settings = yaml.safe_load(file.read_text(encoding="utf-8"))
    for entry in (settings["source"], *settings["servers"].values()):
        entry |= {"port": proxies[entry["port"]].port, "tls": "off"}
    file.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")


def _fence(arena: Arena) -> None:
    """For the fence, by the page, and for the way back."""
    everywhere, _ = grants_of_the_page("For a cutover with the fence `triggers`")
    targets = list({id(one): one for one in arena.placement.values()}.values())
    for server in (arena.source, *targets):
        account = f"'{RUNTIME_USER}'@'{server.sandbox.account_host}'"
        mysql = server.sandbox.kind == "mysql"
        server.query(
            everywhere.replace("'shardwright'@'%'", account).replace("_ADMIN", "_ADMIN" if mysql else " ADMIN")
        )
        if mysql:
            server.query(f"GRANT SELECT ON performance_schema.* TO {account}")
        reader = "REPLICATION CLIENT" if mysql else "BINLOG MONITOR"
        server.query(f"GRANT REPLICATION SLAVE, {reader} ON *.* TO {account}")
    account = f"'{RUNTIME_USER}'@'{arena.source.sandbox.account_host}'"
    arena.source.query(grant(ROWS, SOURCE, account))
    arena.source.query(grant(ON_TARGETS, ledger_database_of(SOURCE), account))
