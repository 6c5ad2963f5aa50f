"""Which accounts does a sandbox server get? With exactly the grants of the runtime, so that a missing one is noticed.

Runs in the process of the command; writes accounts and databases on the sandbox's servers.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pymysql.cursors import Cursor
from sqlglot import exp

from shardwright.runtime.mysql.grants import ON_TARGETS, ROWS, fence_rights, grant, quote_account
from shardwright.runtime.mysql.servers import ledger_database_of
from shardwright.runtime.rehearsal.sandbox.binary import ServerKind
from shardwright.runtime.rehearsal.sandbox.own_folder import password_in
from shardwright.runtime.rehearsal.sandbox.server import SandboxServer
from shardwright.specs.environment.cutover import FenceKind

RUNTIME_USER = "shardwright"
APPLICATION_USER = "app"

# These serve to read the log, to ask for its position, and to take a brief read lock. MariaDB needs the lock only where
# XA transactions are committed. It split REPLICATION CLIENT; SLAVE MONITOR shows whether the source is a replica.
SOURCE_PRIVILEGES: dict[ServerKind, tuple[str, ...]] = {
    "mariadb": ("REPLICATION SLAVE", "BINLOG MONITOR", "SLAVE MONITOR", "RELOAD"),
    "mysql": ("REPLICATION SLAVE", "REPLICATION CLIENT", "RELOAD"),
}


def create_source_accounts(server: SandboxServer, databases: Sequence[str], *, secrets: Path) -> None:
    """Creates the runtime's reader, and the account of the application that continues to write. The application may
    read the switch rows, which are beside its databases."""
    with server.connect() as connection, connection.cursor() as cursor:
        account = _create(cursor, server, RUNTIME_USER, secrets=secrets)
        cursor.execute(f"GRANT {', '.join(SOURCE_PRIVILEGES[server.kind])} ON *.* TO %s@%s", account)
        for database in databases:
            cursor.execute(grant(("SELECT",), database, quote_account("@".join(account))))
        account = _create(cursor, server, APPLICATION_USER, secrets=secrets)
        for database in databases:
            cursor.execute(grant(("ALL PRIVILEGES",), database, quote_account("@".join(account))))
            cursor.execute(grant(("SELECT",), ledger_database_of(database), quote_account("@".join(account))))


def create_target_accounts(server: SandboxServer, databases: Sequence[str], *, secrets: Path) -> None:
    """Creates the runtime's account on a target server, with grants in the target databases and those of the
    ledgers only."""
    with server.connect() as connection, connection.cursor() as cursor:
        account = _create(cursor, server, RUNTIME_USER, secrets=secrets)
        for database in databases:
            cursor.execute(grant(ON_TARGETS, database, quote_account("@".join(account))))


def let_application_in(
    server: SandboxServer, databases: Sequence[str], ledgers: Sequence[str] = (), *, secrets: Path
) -> None:
    """Creates the application's account on a target server, for the time after a cutover: it reads and writes rows, and
    reads the switch rows, which are in the same databases, or in those of the ledgers."""
    with server.connect() as connection, connection.cursor() as cursor:
        account = _create(cursor, server, APPLICATION_USER, secrets=secrets)
        for database in databases:
            cursor.execute(grant(ROWS, database, quote_account("@".join(account))))
        for database in ledgers:
            cursor.execute(grant(("SELECT",), database, quote_account("@".join(account))))


def allow_way_back(source: SandboxServer, databases: Sequence[str], targets: Sequence[SandboxServer]) -> None:
    """What the runtime's accounts need after a cutover: to write the source's rows and a ledger beside each database,
    and to read the logs of the shards."""
    account = quote_account(f"{RUNTIME_USER}@{source.account_host}")
    with source.connect() as connection, connection.cursor() as cursor:
        for database in databases:
            cursor.execute(grant(ROWS, database, account))
            cursor.execute(grant(ON_TARGETS, ledger_database_of(database), account))
    for target in targets:
        account = quote_account(f"{RUNTIME_USER}@{target.account_host}")
        with target.connect() as connection, connection.cursor() as cursor:
            cursor.execute(f"GRANT {', '.join(SOURCE_PRIVILEGES[target.kind])} ON *.* TO {account}")


def allow_counters(source: SandboxServer, databases: Sequence[str]) -> None:
    """What a rollback needs at the source to set AUTO_INCREMENT to the next number (`ids` of the spec)."""
    account = quote_account(f"{RUNTIME_USER}@{source.account_host}")
    with source.connect() as connection, connection.cursor() as cursor:
        for database in databases:
            cursor.execute(grant(("ALTER",), database, account))


def allow_cutover(server: SandboxServer, databases: Sequence[str], kind: FenceKind) -> None:
    """What the runtime's account needs on a server of either side to stop users' writes there by a fence of that kind.
    `databases` are those of the migration on this server."""
    account = quote_account(f"{RUNTIME_USER}@{server.account_host}")
    with server.connect() as connection, connection.cursor() as cursor:
        for statement in fence_rights(kind, mariadb=server.kind == "mariadb").grants(databases, account):
            cursor.execute(statement)


def create_databases(server: SandboxServer, databases: Sequence[str]) -> None:
    with server.connect() as connection, connection.cursor() as cursor:
        for database in databases:
            name = exp.Table(this=exp.to_identifier(database, quoted=True))
            cursor.execute(exp.Create(this=name, kind="DATABASE", exists=True).sql("mysql"))


def password_file(user: str, *, secrets: Path) -> Path:
    return secrets / f"{user}.password"


def _create(cursor: Cursor, server: SandboxServer, user: str, *, secrets: Path) -> tuple[str, str]:
    account = (user, server.account_host)
    password = password_in(password_file(user, secrets=secrets))
    cursor.execute("CREATE USER IF NOT EXISTS %s@%s IDENTIFIED BY %s", (*account, password))
    return account
