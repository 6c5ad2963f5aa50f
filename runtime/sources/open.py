"""Which sources a migration's stream has: one log for each server that has source databases, or a queue in its place;
on the way back one log for each server of shards.

Runs in the driver. A queue may start Spark when it is first used. On the way back it reads the shards' columns; else it
connects to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from shardwright.compiler.ddl.logged.new_tables import new_table_patterns
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.servers import Servers, ledger_database_of
from shardwright.runtime.sources.binlog.before_columns import find_replaced
from shardwright.runtime.sources.binlog.log import Own
from shardwright.runtime.sources.binlog.source import LogStream
from shardwright.runtime.sources.positions.message_ref import Where
from shardwright.runtime.sources.queue.fetched_jars import start_with_queue
from shardwright.runtime.sources.queue.kafka.connector import client_settings
from shardwright.runtime.sources.shard_columns import columns_to_decode, shard_columns
from shardwright.runtime.sources.source import Sources, StreamSource
from shardwright.runtime.spark import worker_daemon
from shardwright.specs.environment.environment import Environment
from shardwright.specs.environment.stream_place import BinlogStream, FolderStream, KafkaStream, RocketMqStream

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from shardwright.runtime.sources.queue.message_events import Decoding


def open_sources(
    plan: Plan,
    servers: Servers,
    environment: Environment,
    passed: Collection[Where] = frozenset(),
    *,
    daemon: str = worker_daemon.MODULE,
) -> Sources:
    """One source for each server of source databases; on the way back, for each server of shards. Messages of `passed`
    are skipped. A queue may start Spark: `daemon` as for `start_spark`. Raises Refused when the environment reads
    another place than the plan's format needs."""
    if plan.direction.reads_shards:
        return shard_logs(plan, servers, environment)
    _require_fitting(plan, environment)
    session = cache(  # every query to a queue asks for it
        lambda: start_with_queue(environment, name=f"shardwright {plan.migration}", daemon=daemon)
    )
    deployed = _SourceParts(plan, servers, environment, session, frozenset(passed))
    return [deployed.source(name) for name in servers.sources]


def shard_logs(plan: Plan, servers: Servers, environment: Environment) -> list[LogStream]:
    """The logs of the shards' servers, for a backward plan. It reads the columns of the shards' tables."""
    columns, orders = shard_columns(plan, servers)
    keys = _keys(plan)

    def log(name: str) -> LogStream:
        databases = frozenset(_databases(servers, name))
        here = {str(table) for item in plan.tables for table in item.sources if table.database in databases}
        return LogStream(
            name,
            servers.sources[name],
            min(databases),
            {table: columns[table] for table in sorted(here)},
            find_replaced(plan),
            environment.batch,
            orders={table: order for table, order in orders.items() if table in here},
            own=_own([plan.migration], (plan.shard_ledgers.get(database, database) for database in databases)),
            failover=environment.failover,
            keys=keys,
            connections=servers.stream_connections,
        )

    return [log(name) for name in servers.sources]


def source_log(name: str, plan: Plan, servers: Servers, environment: Environment) -> LogStream:
    """The log of a server of source databases."""
    databases = _databases(servers, name)
    beside = [ledger_database_of(database) for database in databases]
    return LogStream(
        name,
        servers.sources[name],
        databases[0],
        _columns(plan, frozenset(databases)),
        find_replaced(plan),
        environment.batch,
        own=_own([plan.migration], beside) | _own(plan.ignore_marks, (*databases, *beside, *plan.ignore_marks_in)),
        meant=new_table_patterns(plan),
        failover=environment.failover,
        keys=_keys(plan),
        connections=servers.stream_connections,
    )


def _own(migrations: Collection[str], ledgers: Iterable[str]) -> Own:
    """A server that ignores letter case logs names in lower case."""
    names = {spelled for ledger in ledgers for spelled in (ledger, ledger.lower())}
    return frozenset((name, migration) for name in names for migration in migrations)


def _require_fitting(plan: Plan, environment: Environment) -> None:
    form = plan.stream.name
    if form == "binlog" and not all(isinstance(stream, BinlogStream) for stream in environment.stream_places):
        raise Refused(
            "SW7014",
            f"{environment.file} reads the stream from a queue or a folder, but the spec's source.stream.format is "
            "binlog: name the messages' format in the spec and compile, or leave 'stream' out of the environment",
        )
    logs = [stream for stream in environment.stream_places if isinstance(stream, BinlogStream)]
    if form != "binlog" and any(not log.instead_of_queue for log in logs):
        raise Refused(
            "SW7014",
            f"the spec's source.stream.format is {form}, but {environment.file} does not say where those messages are: "
            "add 'stream' (kafka, rocketmq or folder)",
        )


@dataclass(frozen=True, slots=True)
class _SourceParts:
    """What the sources are made of. `session` starts Spark when it is first needed."""

    plan: Plan
    servers: Servers
    environment: Environment
    session: Callable[[], SparkSession]
    passed: frozenset[Where]

    def source(self, name: str) -> StreamSource:
        match self.environment.stream_of(name):
            case BinlogStream():
                return source_log(name, self.plan, self.servers, self.environment)
            case KafkaStream() as stream:
                return self._kafka(name, stream)
            case RocketMqStream() as stream:
                return self._rocketmq(name, stream)
            case FolderStream() as stream:
                return self._folder(name, stream)

    # The modules that these import load Arrow: only where a queue is read.

    def _kafka(self, name: str, stream: KafkaStream) -> StreamSource:
        from shardwright.runtime.sources.queue.kafka.brokers import KafkaBrokers
        from shardwright.runtime.sources.queue.kafka.source import KafkaSource

        brokers = KafkaBrokers(stream, client_settings(stream), self.session)
        group, settle = self._group(stream), stream.settle_seconds
        return KafkaSource(name, *self._read(name), brokers, self.environment.batch, group, settle, self.session)

    def _rocketmq(self, name: str, stream: RocketMqStream) -> StreamSource:
        from shardwright.runtime.sources.queue.rocketmq.brokers import RocketMqBrokers
        from shardwright.runtime.sources.queue.rocketmq.source import RocketMqSource

        group, settle = self._group(stream), stream.settle_seconds
        brokers = RocketMqBrokers(stream, group, self.session)
        return RocketMqSource(name, *self._read(name), brokers, self.environment.batch, group, settle, self.session)

    def _folder(self, name: str, stream: FolderStream) -> StreamSource:
        from shardwright.runtime.sources.queue.recorded.source import FolderQueue, FolderSource

        queue, settle = FolderQueue(stream), stream.settle_seconds
        return FolderSource(name, *self._read(name), queue, self.environment.batch, "", settle, self.session)

    def _group(self, stream: KafkaStream | RocketMqStream) -> str:
        return stream.group or f"shardwright-{self.plan.migration}"

    def _read(self, name: str) -> tuple[Endpoint, str, Decoding]:
        """The server, one of its databases, and how messages of its tables are decoded."""
        from shardwright.runtime.sources.queue.marker import TABLE as MARKER_TABLE
        from shardwright.runtime.sources.queue.message_events import Decoding

        databases = _databases(self.servers, name)
        columns = _columns(self.plan, frozenset(databases))
        decoding = Decoding(
            name,
            self.plan.stream,
            columns,
            _keys(self.plan),
            self.passed,
            marker=f"{databases[0]}.{MARKER_TABLE}",
            hidden=_columns_to_hide(self.plan),
            meant=new_table_patterns(self.plan),
        )
        return self.servers.sources[name], databases[0], decoding


def _databases(servers: Servers, name: str) -> list[str]:
    return [database for database, server in servers.source_databases.items() if server == name]


def _columns(plan: Plan, databases: frozenset[str]) -> dict[str, tuple[Column, ...]]:
    """The source tables of the plan in these databases, each with its columns."""
    return {
        str(source): columns
        for table in plan.tables
        for columns in [columns_to_decode(table)]
        for source in table.sources
        if source.database in databases
    }


def _columns_to_hide(plan: Plan) -> dict[str, frozenset[str]]:
    """Source table -> the columns whose values no shard gets as they are: masked ones, and those that are left out."""
    return {
        str(source): frozenset(column.name for column in table.source.columns) - table.readable_columns
        for table in plan.tables
        for source in table.sources
    }


def _keys(plan: Plan) -> dict[str, tuple[int, ...]]:
    """Source table -> the indexes of its key's columns."""
    return {
        str(source): tuple(column.position for column in table.source_key_columns)
        for table in plan.tables
        for source in table.sources
    }
