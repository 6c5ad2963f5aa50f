"""How to connect to a server: one way for all, with our own session settings (hazard G4) and clear failures.

Used in the driver, which resolves the secrets, and in Spark tasks; changes nothing on the servers but the session.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, SourceName
from shardwright.runtime.failures import InputAtFault, Refused, RuntimeFailure, Unreachable
from shardwright.runtime.mysql.errors import BAD_DB, DBACCESS_DENIED, GONE, LOGIN_DENIED, TOO_BUSY, driver_refusal
from shardwright.runtime.mysql.grants import ON_TARGETS, grant
from shardwright.runtime.mysql.secret_files import CarriedFile, carried
from shardwright.runtime.mysql.session import set_session
from shardwright.runtime.mysql.tls import TlsConnection, require_protected, tls_failure, tls_options, with_certificate
from shardwright.specs.environment.environment import ClientCertificate, Environment, NetworkPatience, Server
from shardwright.specs.environment.read import SecretUnavailable, resolve_secret

_LOCK_WAIT_SECONDS = 20
_LONG_STATEMENT_SECONDS = 24 * 3600.0
_KEEPALIVE = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 4}
"""In seconds, and a number of probes. A server that is gone without notice (power, a cable, a firewall that forgot the
connection) is noticed after 30 seconds, while a statement that only takes long continues."""


_PATIENCE = NetworkPatience()


@dataclass(frozen=True, slots=True)
class Address:
    """A server with its secrets resolved: made in the driver, shipped to tasks in closures, never printed."""

    host: str
    """Name or IP address."""
    port: int
    """TCP port."""
    user: str
    """The account."""
    password: str = field(repr=False)
    """In plain text; empty where the environment names none."""
    tls: str = "preferred"
    """`off`, `preferred`, `verify_ca` or `verify_identity`."""
    ca: str | None = None
    """PEM file of the certificate authority; None: what this machine trusts."""
    shown: ClientCertificate | None = None
    """The client certificate; None where the server asks for none."""
    patience: NetworkPatience = _PATIENCE
    """How long to wait for a connection and for an answer."""
    migration: str = ""
    """The migration that its connections work for, by which the ledger distinguishes runs. They set it in
    `@sw_migration`. Empty for a source."""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    def patient(self) -> Address:
        """The same server for statements that may take hours."""
        return replace(self, patience=replace(self.patience, answer_seconds=_LONG_STATEMENT_SECONDS))


def address_of(server: Server, environ: Mapping[str, str], patience: NetworkPatience = _PATIENCE) -> Address:
    """Resolve the server's secrets. Raises InputAtFault (SW7003) when one is not where its reference says."""
    try:
        user = server.user if isinstance(server.user, str) else resolve_secret(server.user, environ)
        password = resolve_secret(server.password, environ) if server.password is not None else ""
    except SecretUnavailable as error:
        raise InputAtFault(error.code, str(error)) from error
    return Address(server.host, server.port, user, password, server.tls, carried(server.ca), _carried(server), patience)


def _carried(server: Server) -> ClientCertificate | None:
    shown = server.shown
    return None if shown is None else ClientCertificate(CarriedFile(shown.file), CarriedFile(shown.key))


def connect(
    address: Address, database: str | None = None, *, kind: type[TlsConnection] = TlsConnection, **options: Any
) -> Connection[Any]:
    """A connection with autocommit on and our session settings. Raises Unreachable or Refused with one clear
    message."""
    patience = address.patience
    try:
        connection = kind(
            host=address.host,
            port=address.port,
            user=address.user,
            password=address.password,
            database=database,
            charset="utf8mb4",
            autocommit=True,
            connect_timeout=patience.connect_seconds,
            read_timeout=patience.connect_seconds,  # until the session is set
            write_timeout=patience.connect_seconds,
            **{**tls_options(address.tls, address.ca, address.shown), **options},
        )
        connection.where = f"{address}, database {database}" if database else str(address)
        require_protected(connection, address.tls, str(address))
        # The server gives up first: so a wait for a lock is distinguished from a connection that is gone, and tried
        # again (G1).
        lock_wait = max(1, min(_LOCK_WAIT_SECONDS, int(patience.answer_seconds / 2)))
        set_session(connection, address, lock_wait_seconds=lock_wait, migration=address.migration)
        _wait_for_answers(connection, patience.answer_seconds)
    except pymysql.err.MySQLError as error:
        where = with_certificate(address, address.shown)
        unprotected = tls_failure(error, address.tls, address.ca, where)
        plainly = f"{where} in plain text (tls: off)" if address.tls == "off" else where
        raise unprotected or explain_failure(error, plainly, database) from error
    except RuntimeError as error:
        raise driver_refusal(error, address) from error
    return connection


def _wait_for_answers(connection: Connection[Any], seconds: float) -> None:
    """From now on wait for statements; meanwhile the kernel probes whether the other side still lives."""
    raw: Any = connection  # PyMySQL takes its timeouts only with the address, also for the greeting
    raw._read_timeout = raw._write_timeout = seconds
    for option, value in _KEEPALIVE.items():
        if hasattr(socket, option):  # names differ between systems
            raw._sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def is_mariadb(connection: Connection[Any]) -> bool:
    driver: Any = connection
    return "mariadb" in str(driver.get_server_info()).lower()


def explain_failure(error: pymysql.err.MySQLError, where: str, database: str | None) -> RuntimeFailure:
    """The operator's message for a driver error at connect time."""
    number, text = (*error.args, None, "")[:2] if error.args else (None, str(error))
    if number in LOGIN_DENIED:
        if number == DBACCESS_DENIED and database:
            who = "that account"
            way_out = f"on a source {grant(('SELECT',), database, who)}, on a target {grant(ON_TARGETS, database, who)}"
            return Refused("SW8102", f"{where} denies access to database {database}: {text}: {way_out}")
        return Refused("SW8102", f"{where} denies access: {text}")
    if number == BAD_DB:
        return Refused("SW8103", f"database {database} does not exist on {where}: create it, then run again")
    if number in GONE | TOO_BUSY:
        return Unreachable("SW8101", f"cannot reach {where}: {text}")
    return Unreachable("SW8101", f"cannot connect to {where}: {text}")


@dataclass(frozen=True, slots=True)
class Servers:
    """Every address a migration needs. Small and picklable, so that tasks can connect by themselves.
    `source_databases`: source database -> name in `sources`; `replicas`: name in `sources` -> the replica that its
    chunks are read from."""

    sources: Mapping[str, Address]
    source_databases: Mapping[str, str]
    shards: tuple[Address, ...]
    databases: tuple[str, ...]
    replicas: Mapping[str, Address] = field(default_factory=dict)

    def patient(self) -> Servers:
        """The same servers for statements that may take hours, such as an ALTER TABLE, or a read of all keys of a
        table."""
        sources = {name: address.patient() for name, address in self.sources.items()}
        return replace(self, sources=sources, shards=tuple(shard.patient() for shard in self.shards))

    def source_of(self, database: str) -> Address:
        """The server of a source database."""
        return self.sources[self.source_databases[database]]

    def reader_of(self, database: str) -> Address:
        """The server that chunks of a source database are read from."""
        return self.replicas.get(self.source_databases[database], self.source_of(database))

    def connect_source(self, database: str, **options: Any) -> Connection[Any]:
        """A connection in a source database: MySQL refuses some qualified statements without one."""
        return connect(self.source_of(database), database, **options)

    def each_source(self, tables: Sequence[SourceName]) -> Iterator[tuple[tuple[SourceName, ...], Connection[Any]]]:
        """Every source server that holds some of `tables`: these tables, and a connection that is closed when the next
        one is made."""
        for server in self.sources:
            held = tuple(name for name in tables if self.source_databases[name.database] == server)
            if held:
                connection = self.connect_source(held[0].database)
                try:
                    yield held, connection
                finally:
                    connection.close()

    def connect_shard(self, shard: int, **options: Any) -> Connection[Any]:
        """A connection in the shard's own database."""
        return connect(self.shards[shard], self.databases[shard], **options)

    def each_shard(self) -> Iterator[tuple[int, Connection[Any]]]:
        """Every shard's number with a connection to it, one after the other; each is closed when the next one is
        made."""
        for shard in range(len(self.databases)):
            connection = self.connect_shard(shard)
            try:
                yield shard, connection
            finally:
                connection.close()


def servers_of(environment: Environment, plan: Plan, environ: Mapping[str, str]) -> Servers:
    """Resolve all secrets, once, in the driver. Raises Refused (SW7xxx) for a database without a server."""
    databases = plan.databases
    missing = [name for name in databases if name not in environment.shards]
    if missing:
        names = ", ".join(missing[:5])
        raise Refused("SW7005", f"{environment.file}: no server for target database {names}: add it under shards")
    placed, patience = _placed_sources(environment, plan), environment.network
    return Servers(
        sources={
            name: address_of(environment.sources[name], environ, patience) for name in sorted(set(placed.values()))
        },
        source_databases=placed,
        shards=tuple(
            replace(address_of(environment.shards[name], environ, patience), migration=plan.migration)
            for name in databases
        ),
        databases=databases,
        replicas={
            name: address_of(environment.servers[replica], environ, patience)
            for name, replica in environment.snapshot.read_from.items()
            if name in placed.values()
        },
    )


def _placed_sources(environment: Environment, plan: Plan) -> Mapping[str, str]:
    """Source database -> the name of its server."""
    names = {source.database for table in plan.tables for source in table.sources}
    return {name: environment.source_of(name) for name in sorted(names)}
