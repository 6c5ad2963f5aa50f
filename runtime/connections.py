"""Connections to the servers: one way in, with our own session settings (hazard G4) and clear failures."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan import Plan
from shardwright.runtime.failures import Refused, RuntimeFailure, Unreachable
from shardwright.specs.environment import Environment, Server
from shardwright.specs.read_environment import SecretUnavailable, resolve_secret

SESSION = (
    "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ERROR_FOR_DIVISION_BY_ZERO,"
    "NO_ENGINE_SUBSTITUTION,ALLOW_INVALID_DATES', "
    "SESSION time_zone = '+00:00', SESSION TRANSACTION_ISOLATION = 'REPEATABLE-READ', "
    "SESSION innodb_lock_wait_timeout = 20, SESSION net_write_timeout = 600, SESSION wait_timeout = 28800"
)
CONNECT_SECONDS = 10
READ_SECONDS = 900

# Server error numbers that mean the network or the server went away.
_GONE = frozenset({2002, 2003, 2006, 2013, 1040, 1053, 1152, 1158, 1159, 1160, 1161})
_DENIED = frozenset({1044, 1045, 1698})


@dataclass(frozen=True, slots=True)
class Address:
    """A server with its secrets resolved: made on the driver, shipped to tasks in closures, never printed."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    tls: str = "preferred"
    ca: str | None = None

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def address_of(server: Server, environ: Mapping[str, str]) -> Address:
    """Resolve the server's secrets. Raises Unreachable (SW7003) when one is not where its reference says."""
    try:
        user = server.user if isinstance(server.user, str) else resolve_secret(server.user, environ)
        password = resolve_secret(server.password, environ) if server.password is not None else ""
    except SecretUnavailable as error:
        raise Unreachable(error.code, str(error)) from error
    return Address(server.host, server.port, user, password, server.tls, server.ca)


def connect(
    address: Address, database: str | None = None, *, kind: type[Connection[Any]] = Connection, **options: Any
) -> Connection[Any]:
    """A connection with autocommit on and our session settings. Raises Unreachable or Refused with one clear message."""
    try:
        connection = kind(
            host=address.host,
            port=address.port,
            user=address.user,
            password=address.password,
            database=database,
            charset="utf8mb4",
            autocommit=True,
            connect_timeout=CONNECT_SECONDS,
            **{"read_timeout": READ_SECONDS, "write_timeout": READ_SECONDS, **tls_options(address), **options},
        )
        with connection.cursor() as cursor:
            cursor.execute(_session_for(connection))
    except pymysql.err.MySQLError as error:
        raise explain_failure(error, str(address), database) from error
    return connection


def _session_for(connection: Connection[Any]) -> str:
    # MariaDB 10.11 knows the variable by its old name only.
    name = "tx_isolation" if is_mariadb(connection) else "transaction_isolation"
    return SESSION.replace("TRANSACTION_ISOLATION", name)


def is_mariadb(connection: Connection[Any]) -> bool:
    driver: Any = connection
    return "mariadb" in str(driver.get_server_info()).lower()


def tls_options(address: Address) -> dict[str, Any]:
    if address.tls == "off":
        return {"ssl_disabled": True}
    if address.tls == "preferred":
        return {}
    context = ssl.create_default_context(cafile=address.ca)
    context.check_hostname = address.tls == "verify_identity"
    return {"ssl": context}


def explain_failure(error: pymysql.err.MySQLError, where: str, database: str | None) -> RuntimeFailure:
    """The operator's message for a driver error at connect time."""
    number, text = (*error.args, None, "")[:2] if error.args else (None, str(error))
    if number in _DENIED:
        what = f" to database {database}" if number == 1044 and database else ""
        return Unreachable("SW8102", f"{where} denies access{what}: {text}")
    if number == 1049:
        return Refused("SW8103", f"database {database} does not exist on {where}: create it, then run again")
    if number in _GONE:
        return Unreachable("SW8101", f"cannot reach {where}: {text}")
    return Unreachable("SW8101", f"cannot connect to {where}: {text}")


@dataclass(frozen=True, slots=True)
class Servers:
    """Every address a migration needs. Small and picklable, so that tasks can connect by themselves."""

    source: Address
    shards: tuple[Address, ...]
    databases: tuple[str, ...]
    source_database: str

    def connect_source(self, **options: Any) -> Connection[Any]:
        """A connection in the source database: MySQL refuses some qualified statements without one."""
        return connect(self.source, self.source_database, **options)

    def connect_shard(self, shard: int, **options: Any) -> Connection[Any]:
        """A connection in the shard's own database."""
        return connect(self.shards[shard], self.databases[shard], **options)

    def each_shard(self) -> Iterator[tuple[int, Connection[Any]]]:
        """Every shard's number with a connection to it, one after the other, closed when the next one comes."""
        for shard in range(len(self.databases)):
            connection = self.connect_shard(shard)
            try:
                yield shard, connection
            finally:
                connection.close()


def servers_of(environment: Environment, plan: Plan, environ: Mapping[str, str]) -> Servers:
    """Resolve all secrets, once, on the driver. Raises Refused (SW7xxx) for a database without a server."""
    databases = plan.databases
    missing = [name for name in databases if name not in environment.shards]
    if missing:
        names = ", ".join(missing[:5])
        raise Refused("SW7005", f"{environment.file}: no server for target database {names}: add it under shards")
    return Servers(
        source=address_of(environment.source, environ),
        shards=tuple(address_of(environment.shards[name], environ) for name in databases),
        databases=databases,
        source_database=plan.tables[0].sources[0].database,
    )
