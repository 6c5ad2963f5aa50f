"""May a recorded migration be resumed? It must have the same sources, and no shard's ledger may be lost.

Used in the driver; reads the ledgers of all shards, and asks the sources who they are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.batches import MigrationState, read_open_batch
from shardwright.runtime.ledger.members import ShardLedger, read_shard_ledger, require_staged, require_whole
from shardwright.runtime.mysql.all_shards import work_on_shards
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.sources.binlog.source import log_streams
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources
from shardwright.specs.findings.remedies import START_OVER


def require_same_sources(
    recorded: Mapping[str, str], found: Mapping[str, str], *, movable: Collection[str], aside: Collection[str]
) -> None:
    """The sources are the recorded ones: positions mean nothing on another server. Raises Refused (SW8205).

    `recorded` and `found` are server identities by source name. A `movable` source is asked later for its position on
    its present server (see `run.resume`). The names in `aside` are of sources that are not asked.
    """
    if set(recorded) != {*found, *aside}:
        raise Refused(
            "SW8205",
            f"this migration follows the sources {', '.join(sorted(recorded))}, the environment names "
            f"{', '.join(sorted(found))}: name them as before",
        )
    for name, identity in found.items():
        if recorded[name] != identity and name not in movable:
            raise Refused(
                "SW8205",
                f"{name} is server {identity}, but this migration follows server {recorded[name]}: point the "
                f"environment back, or {START_OVER}",
            )


def require_same_beginning(sources: Sources, state: MigrationState, *, aside: Collection[str]) -> None:
    """The sources are those that the migration began with. Raises Refused (SW8205)."""
    identities = {source.name: source.identity() for source in sources}
    movable = {log.name for log in log_streams(sources)}
    require_same_sources(state.sources, identities, movable=movable, aside=aside)


def shard_ledgers(plan: Plan, servers: Servers, *, only: Collection[int] | None = None) -> tuple[ShardLedger, ...]:
    """What each shard's ledger says of itself. `only`: the shards to ask; None: all."""
    asked = [shard for shard in range(len(servers.databases)) if only is None or shard in only]
    return tuple(
        work_on_shards(
            servers,
            lambda shard, connection: read_shard_ledger(connection, servers.databases[shard], plan.migration),
            asked,
        )
    )


def require_whole_ledgers(plan: Plan, servers: Servers, control: Connection[Any], *, position: StreamPosition) -> None:
    """No shard's ledger was lost, exchanged or restored from a backup since the last run (hazard A13)."""
    opened = read_open_batch(control, plan.migration)
    staged = None
    if opened is not None and opened.state == "staged":
        staged = (opened.batch, frozenset(servers.databases[shard] for shard in opened.work))
    require_whole(control, shard_ledgers(plan, servers), plan.migration, position=position, staged=staged)
    if staged is None:
        return
    for shard, connection in servers.each_shard():
        if servers.databases[shard] in staged[1]:
            require_staged(connection, servers.databases[shard], plan.migration, batch=staged[0])
