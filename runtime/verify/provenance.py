"""Of which environment, servers and version of the program is a comparison?

Pure; used in the process of the command.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version

from shardwright.runtime.mysql.servers import Servers


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a result comes from."""

    environment: str
    """The environment's name."""
    version: str
    """That of the program."""
    read_side: Mapping[str, tuple[str, ...]]
    """Server (host:port) -> the databases on it that are followed."""
    write_side: Mapping[str, tuple[str, ...]]
    """Server (host:port) -> the databases on it that should be equal."""


def provenance(environment: str, servers: Servers) -> Provenance:
    """`environment` is its name. The servers are those of the direction in force."""
    followed = {name: str(servers.source_of(name)) for name in servers.source_databases}
    equal = {name: str(shard) for name, shard in zip(servers.targets, servers.shards, strict=True)}
    return Provenance(environment, version("shardwright"), _by_server(followed), _by_server(equal))


def _by_server(placed: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {
        server: tuple(sorted(name for name, at in placed.items() if at == server))
        for server in sorted(set(placed.values()))
    }
