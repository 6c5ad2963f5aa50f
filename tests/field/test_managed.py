"""A migration with accounts that have exactly the rights of docs/managed-servers.md, behind a proxy that refuses what
providers of managed servers refuse (N37, N38)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from shardwright.runtime.mysql.grants import ON_TARGETS, ROWS, everything_in, grant
from shardwright.runtime.mysql.servers import ledger_beside
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from tests.field.case import SOURCE, Case
from tests.servers.denying import DenyingProxy
from tests.servers.testbed import Arena, Server
from tests.workload.job import ENVIRONMENT, SMALL_SPARK

pytestmark = [pytest.mark.server, pytest.mark.spark]

PAGE = Path(__file__).parents[2] / "docs" / "managed-servers.md"
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
    told = case.call("preflight", "--env", ENVIRONMENT)
    assert "proved by GTIDs: no lock" in told.out if mysql else "with the snapshot: no lock" in told.out, told
    case.run()
    case.write("INSERT INTO item VALUES (4, 'd')", "UPDATE item SET text = 'x' WHERE id = 1")
    case.run()
    case.require_equal("item")
    case.verify()
    assert [proxy.denied for proxy in proxies.values()] == [[], [], []], "nothing was asked that providers refuse"
    _fence(arena)
    told = case.call("cutover", "--dry-run", "--env", ENVIRONMENT, code=6)  # no run is live, so it would not begin
    assert "all required grants present" in told.out and "lacks" not in told.out + told.err, told


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
    arena.source.query(grant(ON_TARGETS, ledger_beside(SOURCE), account))
