"""The typed, frozen form of an environment file: where a migration runs. Never logic, never a literal secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from shardwright.specs.environment.cutover import CutoverSettings
from shardwright.specs.environment.notifications import EventSettings
from shardwright.specs.environment.secret_references import SecretReference
from shardwright.specs.environment.stream_place import BinlogStream, StreamPlace

__all__ = [
    "SOURCE",
    "BatchLimits",
    "ClientCertificate",
    "CutoverSettings",
    "Environment",
    "EventSettings",
    "FailoverSettings",
    "SecretReference",
    "Server",
    "SnapshotSettings",
    "SparkSettings",
    "StreamPlace",
    "ThrottleSettings",
]

SOURCE: Final = "source"
"""What the server under `source` is called."""


@dataclass(frozen=True, slots=True)
class ClientCertificate:
    """What we show a server that asks who we are: PEM files, the key without a passphrase."""

    file: str
    key: str


@dataclass(frozen=True, slots=True)
class Server:
    """How to reach one server. `user` may be plain text or a reference, `password` is a reference or absent.

    `tls` is one of `off`, `preferred`, `verify_ca`, `verify_identity`; `ca` is a file for the last two, `shown` goes
    with them.
    """

    host: str
    port: int
    user: str | SecretReference
    password: SecretReference | None
    tls: str = "preferred"
    ca: str | None = None
    shown: ClientCertificate | None = None


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """How much of the stream one batch takes: whichever limit is met first."""

    interval_seconds: float = 0.2
    max_rows: int = 200_000
    max_bytes: int = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SnapshotSettings:
    """`chunk_rows` rows make a chunk (None: as many as a second allows); `parallel` chunks are under way at once (None:
    one more than Spark has cores). `read_from`: name in `Environment.sources` -> name in `servers` of the replica that
    its chunks are read from."""

    chunk_rows: int | None = None
    parallel: int | None = None
    read_from: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NetworkPatience:
    """How long servers are waited for. `connect_seconds`: for a connection and its greeting; `answer_seconds`: for the
    answer to one statement; `retry_seconds`: a run that is under way tries again for so long without getting any
    further."""

    connect_seconds: float = 10.0
    answer_seconds: float = 300.0
    retry_seconds: float = 300.0


@dataclass(frozen=True, slots=True)
class FailoverSettings:
    """How the stream goes over to another server of the source. `margin_seconds` of commit times may be read again;
    `wait_seconds`: so long a server that lags is waited for since its last progress; `reread_rows`: so many rows, at
    most, are read again by key when transactions were lost."""

    margin_seconds: float = 60.0
    wait_seconds: float = 60.0
    reread_rows: int = 200_000


@dataclass(frozen=True, slots=True)
class ThrottleSettings:
    """Writing pauses while one of `replicas`, names in `servers`, is more than `max_lag_seconds` behind its shard's
    server, while one of the shards' servers has more than `threads_running` statements under way or takes longer than
    `commit_latency_seconds` for one row. Copying pauses, and the stream goes on, for the same of the source.
    `connections`: of the copy and the stream together, to one server."""

    replicas: tuple[str, ...] = ()
    max_lag_seconds: float = 10.0
    source_replicas: tuple[str, ...] = ()
    threads_running: int | None = None
    source_threads_running: int | None = None
    commit_latency_seconds: float | None = None
    rows_per_second: int | None = None
    bytes_per_second: int | None = None
    connections: int | None = None
    source_commit_latency_seconds: float | None = None

    @property
    def stream_connections(self) -> int | None:
        """The stream's part of `connections`: a third, so that it keeps up while rows are copied."""
        return None if self.connections is None else max(1, self.connections // 3)

    @property
    def copy_connections(self) -> int | None:
        """What the stream leaves of `connections`."""
        stream = self.stream_connections
        return None if self.connections is None or stream is None else max(1, self.connections - stream)

    def swap_sides(self) -> ThrottleSettings:
        """The same limits for the way back, which writes to the source and reads the shards."""
        return replace(
            self,
            replicas=self.source_replicas,
            source_replicas=self.replicas,
            threads_running=self.source_threads_running,
            source_threads_running=self.threads_running,
            commit_latency_seconds=self.source_commit_latency_seconds,
            source_commit_latency_seconds=None,
        )


@dataclass(frozen=True, slots=True)
class SparkSettings:
    master: str = "local[*]"
    conf: Mapping[str, str | SecretReference] = field(default_factory=dict)
    """Settings by name. Where a reference is given, the driver finds the value when it starts Spark."""


@dataclass(frozen=True, slots=True)
class Environment:
    """One deployment. `shards` maps every target database to its server, `source_databases` those source databases that
    are not on `source` to a name in `servers`; `work_dir` is scratch space. `stream` says where changes of
    `source` are read, `other_streams` where those of other servers are, by the server's name."""

    file: str
    name: str
    source: Server
    shards: Mapping[str, Server]
    spark: SparkSettings
    batch: BatchLimits
    snapshot: SnapshotSettings
    network: NetworkPatience
    protected: bool
    work_dir: str | None
    servers: Mapping[str, Server] = field(default_factory=dict)
    source_databases: Mapping[str, str] = field(default_factory=dict)
    stream: StreamPlace = field(default_factory=BinlogStream)
    other_streams: Mapping[str, StreamPlace] = field(default_factory=dict)
    failover: FailoverSettings = field(default_factory=FailoverSettings)
    throttle: ThrottleSettings = field(default_factory=ThrottleSettings)
    cutover: CutoverSettings = field(default_factory=CutoverSettings)
    on_event: EventSettings = field(default_factory=EventSettings)

    @property
    def sources(self) -> Mapping[str, Server]:
        """Every server that source databases stand on, by the name that positions know it by."""
        others = {name: self.servers[name] for name in self.source_databases.values()}
        return {SOURCE: self.source, **others}

    def source_of(self, database: str) -> str:
        """The name in `sources` of a source database's server."""
        return self.source_databases.get(database, SOURCE)

    @property
    def stream_places(self) -> tuple[StreamPlace, ...]:
        """Everywhere that changes are read."""
        return tuple(self.stream_of(name) for name in self.sources)

    def stream_of(self, name: str) -> StreamPlace:
        """Where changes of a server of `sources` are read. Queues are named for each; logs need no word."""
        return self.stream if name == SOURCE else self.other_streams.get(name, BinlogStream())
