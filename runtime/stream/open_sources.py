"""Which sources a migration's stream has: one log for each server that source databases stand on, or a queue in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardwright.compiler.catalogue import Column
from shardwright.compiler.plan import Plan
from shardwright.runtime.connections import Address, Servers
from shardwright.runtime.failures import Refused
from shardwright.runtime.queues.connector import client_settings, with_connector
from shardwright.runtime.spark import start_spark
from shardwright.runtime.stream.log_stream import LogStream
from shardwright.runtime.stream.sources import Sources, StreamSource
from shardwright.specs.environment import Environment
from shardwright.specs.stream_place import BinlogStream, FolderStream, KafkaStream, RocketMqStream

if TYPE_CHECKING:
    from shardwright.runtime.queues.message_events import Decoding


def open_sources(plan: Plan, servers: Servers, environment: Environment) -> Sources:
    """Nothing is connected yet. Raises Refused when the environment reads another place than the plan's format needs."""
    _require_fitting(plan, environment)
    match environment.stream:
        case BinlogStream():
            return _logs(plan, servers, environment)
        case KafkaStream() as stream:
            return [_kafka(plan, servers, environment, stream=stream)]
        case RocketMqStream() as stream:
            return [_rocketmq(plan, servers, environment, stream=stream)]
        case FolderStream() as stream:
            return [_folder(plan, servers, environment, stream=stream)]


def _require_fitting(plan: Plan, environment: Environment) -> None:
    stream, form = environment.stream, plan.stream.name
    log = isinstance(stream, BinlogStream)
    if form == "binlog" and not log:
        raise Refused(
            "SW7014",
            f"{environment.file} reads the stream from a queue or a folder, but the spec's source.stream.format is binlog: "
            "name the messages' format in the spec and compile, or leave 'stream' out of the environment",
        )
    if form != "binlog" and isinstance(stream, BinlogStream) and not stream.instead_of_queue:
        raise Refused(
            "SW7014",
            f"the spec's source.stream.format is {form}, but {environment.file} does not say where those messages are: add "
            "'stream' (kafka, rocketmq or folder)",
        )


def _logs(plan: Plan, servers: Servers, environment: Environment) -> list[LogStream]:
    found: list[LogStream] = []
    for name, address in servers.sources.items():
        databases = _databases(servers, name)
        columns = _columns(plan, frozenset(databases))
        found.append(LogStream(name, address, databases[0], columns, environment.batch, failover=environment.failover))
    return found


def _kafka(plan: Plan, servers: Servers, environment: Environment, *, stream: KafkaStream) -> StreamSource:
    # Arrow is loaded with these: only where Kafka is read.
    from shardwright.runtime.queues.brokers import KafkaBrokers
    from shardwright.runtime.queues.kafka_source import KafkaSource

    name, address, database, decoding = _only_source(plan, servers, environment, queue="Kafka")
    settings = with_connector(environment)
    return KafkaSource(
        name,
        address,
        database,
        decoding,
        KafkaBrokers(
            stream, client_settings(stream), lambda: start_spark(settings, name=f"shardwright {plan.migration}")
        ),
        environment.batch,
        stream.group or f"shardwright-{plan.migration}",
    )


def _rocketmq(plan: Plan, servers: Servers, environment: Environment, *, stream: RocketMqStream) -> StreamSource:
    from shardwright.runtime.rocketmq.brokers import RocketMqBrokers
    from shardwright.runtime.rocketmq.source import RocketMqSource

    name, address, database, decoding = _only_source(plan, servers, environment, queue="RocketMQ")
    settings = with_connector(environment)
    group = stream.group or f"shardwright-{plan.migration}"
    return RocketMqSource(
        name,
        address,
        database,
        decoding,
        RocketMqBrokers(stream, group, lambda: start_spark(settings, name=f"shardwright {plan.migration}")),
        environment.batch,
        group,
    )


def _folder(plan: Plan, servers: Servers, environment: Environment, *, stream: FolderStream) -> StreamSource:
    from shardwright.runtime.recorded.source import FolderQueue, FolderSource

    name, address, database, decoding = _only_source(plan, servers, environment, queue="a folder")
    return FolderSource(name, address, database, decoding, FolderQueue(stream), environment.batch, group="")


def _only_source(
    plan: Plan, servers: Servers, environment: Environment, *, queue: str
) -> tuple[str, Address, str, Decoding]:
    """The source's server with one of its databases, and how messages of its tables are read."""
    from shardwright.runtime.queues.message_events import Decoding

    if len(servers.sources) > 1:
        raise Refused(
            "SW8459",
            f"{environment.file}: changes of several source servers cannot be read from {queue} in one migration yet: read their "
            "binary logs",
        )
    ((name, address),) = servers.sources.items()
    databases = _databases(servers, name)
    return name, address, databases[0], Decoding(plan.stream, _columns(plan, frozenset(databases)), _keys(plan))


def _databases(servers: Servers, name: str) -> list[str]:
    return [database for database, server in servers.source_databases.items() if server == name]


def _columns(plan: Plan, databases: frozenset[str]) -> dict[str, tuple[Column, ...]]:
    """The source tables of the plan in these databases, each with all its columns, as decoders want them."""
    return {
        str(source): tuple(Column(column.name, column.type, column.nullable) for column in table.source_columns)
        for table in plan.tables
        for source in table.sources
        if source.database in databases
    }


def _keys(plan: Plan) -> dict[str, tuple[int, ...]]:
    """Of every source table the indexes of its key's columns."""
    return {
        str(source): tuple(column.position for column in table.key_columns)
        for table in plan.tables
        for source in table.sources
    }
