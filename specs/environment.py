"""The typed, frozen form of an environment file: where a migration runs. Never logic, never a literal secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SecretReference:
    """Where a secret is found at run time: `{env: NAME}` or `{file: PATH}`. Never the secret itself."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{{{self.kind}: {self.name}}}"


@dataclass(frozen=True, slots=True)
class Server:
    """How to reach one server. `user` may be plain text or a reference, `password` is a reference or absent.

    `tls` is one of `off`, `preferred`, `verify_ca`, `verify_identity`; `ca` is a file for the last two.
    """

    host: str
    port: int
    user: str | SecretReference
    password: SecretReference | None
    tls: str = "preferred"
    ca: str | None = None


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """How much of the stream one batch takes: whichever limit is met first."""

    interval_seconds: float = 0.2
    max_rows: int = 50_000
    max_bytes: int = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SnapshotSettings:
    """`chunk_rows` rows are read at a time; `parallel` chunks are under way at once (None: Spark's cores)."""

    chunk_rows: int = 20_000
    parallel: int | None = None


@dataclass(frozen=True, slots=True)
class SparkSettings:
    master: str = "local[*]"
    conf: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Environment:
    """One deployment. `shards` maps every target database to its server; `work_dir` is scratch space."""

    file: str
    name: str
    source: Server
    shards: Mapping[str, Server]
    spark: SparkSettings
    batch: BatchLimits
    snapshot: SnapshotSettings
    protected: bool
    work_dir: str | None
