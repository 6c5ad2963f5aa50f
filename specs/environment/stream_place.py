"""Where a deployment reads the change stream: a log, a queue or a folder. The form of its events stands in the spec."""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.specs.environment.secret_references import SecretReference

SETTLE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class BinlogStream:
    """The source's own log. `instead_of_queue`: for good, although the spec names a queue's format."""

    instead_of_queue: bool = False


@dataclass(frozen=True, slots=True)
class KafkaLogin:
    mechanism: str
    user: str | SecretReference
    password: SecretReference | None


@dataclass(frozen=True, slots=True)
class KafkaStream:
    """Either `topics` or `topics_pattern`. `group` None: named after the migration. `settle_seconds`: how long a
    committed change may need to arrive in the queue. `tls` is one of `off`, `verify_ca`, `verify_identity`."""

    bootstrap: str
    topics: tuple[str, ...] = ()
    topics_pattern: str | None = None
    group: str | None = None
    settle_seconds: float = SETTLE_SECONDS
    tls: str = "off"
    ca: str | None = None
    sasl: KafkaLogin | None = None


@dataclass(frozen=True, slots=True)
class RocketMqStream:
    """Name servers separated as RocketMQ wants them, by semicolons."""

    name_servers: str
    topics: tuple[str, ...]
    group: str | None = None
    settle_seconds: float = SETTLE_SECONDS
    access_key: SecretReference | None = None
    secret_key: SecretReference | None = None


@dataclass(frozen=True, slots=True)
class FolderStream:
    """Files of JSON lines, read in the order of their names. What is committed stands there at once."""

    path: str
    settle_seconds: float = 0.0


QueuePlace = KafkaStream | RocketMqStream | FolderStream
StreamPlace = BinlogStream | QueuePlace
