"""How to connect to a server: one way for all, with our own session settings (hazard G4) and clear failures.

Used in the driver, which resolves the secrets, and in Spark tasks; changes nothing on the servers but the session.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, bookkeeping_name
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.failures import Refused, RuntimeFailure, Unreachable
from shardwright.runtime.mysql.dialect import is_of_mariadb, warn_of_dialect
from shardwright.runtime.mysql.endpoint import Endpoint, endpoint_of
from shardwright.runtime.mysql.errors import BAD_DB, DBACCESS_DENIED, GONE, LOGIN_DENIED, TOO_BUSY, driver_refusal
from shardwright.runtime.mysql.grants import ON_TARGETS, grant
from shardwright.runtime.mysql.rows_database import NOWHERE
from shardwright.runtime.mysql.session import set_session
from shardwright.runtime.mysql.tls import TlsConnection
from shardwright.specs.environment.environment import Environment

_LOCK_WAIT_SECONDS = 20
_KEEPALIVE = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 4}
"""In seconds, and a number of probes. A server that is gone without notice (power, a cable, a firewall that forgot the
connection) is noticed after 30 seconds, while a statement that only takes long continues."""


def open_connection(
    endpoint: Endpoint, database: str | None = None, *, kind: type[TlsConnection] = TlsConnection, **options: Any
) -> Connection[Any]:
    """A connection with autocommit on, our session settings and the protection that the endpoint asks for. Raises
    Unreachable (SW8105) when it cannot be protected, Refused for what PyMySQL itself refuses, else PyMySQL's error:
    the caller says what it wanted the connection for."""
    patience, tls = endpoint.patience, endpoint.tls
    try:
        connection = kind(
            host=endpoint.host,
            port=endpoint.port,
            user=endpoint.account,
            password=endpoint.password,
            database=database,
            charset="utf8mb4",
            autocommit=True,
            connect_timeout=patience.connect_seconds,
            read_timeout=patience.connect_seconds,  # until the session is set
            write_timeout=patience.connect_seconds,
            **{**tls.options(), **options},
        )
        connection.where = f"{endpoint}, database {database}" if database else str(endpoint)
        connection.own_database = database or ""
        connection.rows_in = endpoint.rows_in or connection.own_database
        tls.require(connection, str(endpoint))
        warn_of_dialect(str(endpoint), written=endpoint.dialect, version=server_version(connection))
        # The server gives up first: so a wait for a lock is distinguished from a connection that is gone, and tried
        # again (G1).
        lock_wait = max(1, min(_LOCK_WAIT_SECONDS, int(patience.answer_seconds / 2)))
        set_session(
            connection,
            endpoint,
            lock_wait_seconds=lock_wait,
            migration=endpoint.migration,
            checks_foreign_keys=endpoint.checks_foreign_keys,
        )
        _wait_for_answers(connection, patience.answer_seconds)
    except pymysql.err.MySQLError as error:
        if unprotected := tls.failure(error, tls.name_in_message(endpoint)):
            raise unprotected from error
        raise
    except RuntimeError as error:
        raise driver_refusal(error, endpoint) from error
    return connection


def connect(
    endpoint: Endpoint, database: str | None = None, *, kind: type[TlsConnection] = TlsConnection, **options: Any
) -> Connection[Any]:
    """The same for statements. Raises Unreachable or Refused with one clear message."""
    try:
        return open_connection(endpoint, database, kind=kind, **options)
    except pymysql.err.MySQLError as error:
        where = endpoint.tls.name_in_message(endpoint)
        plainly = f"{where} in plain text (tls: off)" if endpoint.tls.mode == "off" else where
        raise explain_failure(error, plainly, database) from error


def _wait_for_answers(connection: Connection[Any], seconds: float) -> None:
    """From now on wait for statements; meanwhile the kernel probes whether the other side still lives."""
    raw: Any = connection  # PyMySQL takes its timeouts only with the address, also for the greeting
    raw._read_timeout = raw._write_timeout = seconds
    for option, value in _KEEPALIVE.items():
        if hasattr(socket, option):  # names differ between systems
            raw._sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


_MARIADB: Final = re.compile(r"(\d+)\.(\d+)\.\d+-MariaDB", re.IGNORECASE)
"""Behind "5.5.5-", where a server greets with that for the sake of old replicas."""


def server_version(connection: Connection[Any]) -> str:
    """As the server greets with it."""
    driver: Any = connection
    return str(driver.get_server_info())


def is_mariadb(connection: Connection[Any]) -> bool:
    return is_of_mariadb(server_version(connection))


def mariadb_version(connection: Connection[Any]) -> tuple[int, int] | None:
    """Its first two numbers, as (11, 8); None for MySQL."""
    found = _MARIADB.search(server_version(connection))
    return None if found is None else (int(found[1]), int(found[2]))


def current_account(connection: Connection[Any]) -> str:
    """The account that the server knows us as, user@host; `grants.quote_account` writes it as GRANT does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT CURRENT_USER()")
        return str(cursor.fetchall()[0][0])


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
    """Every server that one direction of a migration needs. Small and picklable, so that tasks can connect by
    themselves. On the way back the sources are the shards' servers, and a "shard" is a ledger beside the source."""

    sources: Mapping[str, Endpoint]
    """By the names that positions know them by."""
    source_databases: Mapping[str, str]
    """Source database -> name in `sources`."""
    shards: tuple[Endpoint, ...]
    """The server of each of `databases`."""
    databases: tuple[str, ...]
    """The databases that have the ledgers: a plan's databases, or those that it names for its ledgers; on the way back
    those beside the source's."""
    replicas: Mapping[str, Endpoint] = field(default_factory=dict)
    """Name in `sources` -> the replica that its chunks are read from."""
    makes_ledgers: bool = False
    """Whether a run creates the databases of the ledgers, which may not exist yet."""
    stream_connections: int | None = None
    """The most connections that the stream's tasks, or the driver while it applies, hold to one server at a time. Then
    none is kept for the next batch. None: no cap."""

    @property
    def targets(self) -> tuple[str, ...]:
        """The databases that have the rows, in the order of `databases`: a plan's databases."""
        return tuple(at.rows_in or name for at, name in zip(self.shards, self.databases, strict=True))

    def ledger_of(self, database: str) -> str:
        """The database of the ledger of the shard whose rows are in that one."""
        return self.databases[self.targets.index(database)]

    def patient(self) -> Servers:
        """The same servers for statements that may take hours, such as an ALTER TABLE, or a read of all keys of a
        table."""
        return self._reach(Endpoint.patient)

    def wait_at_most(self, answer_seconds: float) -> Servers:
        """The same servers, waited for no longer than that after each statement."""
        return self._reach(lambda one: one.wait_for(min(answer_seconds, one.patience.answer_seconds)))

    def _reach(self, how: Callable[[Endpoint], Endpoint]) -> Servers:
        sources = {name: how(source) for name, source in self.sources.items()}
        return replace(self, sources=sources, shards=tuple(how(shard) for shard in self.shards))

    def source_of(self, database: str) -> Endpoint:
        """The server of a source database."""
        return self.sources[self.source_databases[database]]

    def reader_of(self, database: str) -> Endpoint:
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
        """A connection in the database that has the shard's ledger; NOWHERE while that is to be created."""
        try:
            return connect(self.shards[shard], self.databases[shard], **options)
        except Refused as refused:
            if refused.code != "SW8103" or not self.makes_ledgers:
                raise
            return connect(self.shards[shard], NOWHERE, **options)

    def connect_shard_of(self, database: str) -> Connection[Any]:
        """The same for the shard whose rows are in that database, for definitions: DDL of others is one statement."""
        return self.connect_shard(self.targets.index(database), joins=False)

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
    """The servers of a plan of either direction. Resolve all secrets, once, in the driver. Raises Refused (SW7xxx) for
    a database without a server."""
    if plan.direction.reads_shards:
        return _servers_back(environment, plan, environ)
    placed, patience = _servers_of_sources(environment, plan), environment.network
    shards = _shards(environment, plan.databases, environ)
    return Servers(
        sources={
            name: endpoint_of(environment.sources[name], environ, patience, dialect=plan.dialect)
            for name in sorted(set(placed.values()))
        },
        source_databases=placed,
        shards=tuple(
            replace(shard, migration=plan.migration, rows_in=database)
            for shard, database in zip(shards, plan.databases, strict=True)
        ),
        databases=plan.ledgers or plan.databases,
        makes_ledgers=bool(plan.ledgers),
        stream_connections=environment.throttle.stream_connections,
        replicas={
            name: endpoint_of(environment.servers[replica], environ, patience)
            for name, replica in environment.snapshot.read_from.items()
            if name in placed.values()
        },
    )


def _shards(environment: Environment, databases: Sequence[str], environ: Mapping[str, str]) -> tuple[Endpoint, ...]:
    missing = [name for name in databases if name not in environment.shards]
    if missing:
        names = ", ".join(missing[:5])
        raise Refused("SW7005", f"{environment.file}: no server for target database {names}: add it under shards")
    return tuple(endpoint_of(environment.shards[name], environ, environment.network) for name in databases)


def _servers_back(environment: Environment, plan: Plan, environ: Mapping[str, str]) -> Servers:
    """A server that holds several shards has one log. Positions know it by its first shard's name."""
    names = sorted({source.database for table in plan.tables for source in table.sources})
    shards = dict(zip(names, _shards(environment, names, environ), strict=True))
    first: dict[tuple[str, int], str] = {}
    placed = {name: first.setdefault((shard.host, shard.port), name) for name, shard in shards.items()}
    return Servers(
        sources={name: shards[name] for name in first.values()},
        source_databases=placed,
        shards=tuple(
            replace(
                endpoint_of(environment.sources[environment.source_of(name)], environ, environment.network),
                migration=plan.migration,
                checks_foreign_keys=False,
                rows_in=name,
            )
            for name in plan.databases
        ),
        databases=tuple(ledger_database_of(name) for name in plan.databases),
        stream_connections=environment.throttle.stream_connections,
    )


def ledger_database_of(database: str) -> str:
    """The database that has the ledger of the way back for a source database. An application's own tools would see
    tables of ours in the database itself."""
    return bookkeeping_name("_shardwright_", database)


def _servers_of_sources(environment: Environment, plan: Plan) -> Mapping[str, str]:
    """Source database -> the name of its server."""
    names = {source.database for table in plan.tables for source in table.sources}
    return {name: environment.source_of(name) for name in sorted(names)}
