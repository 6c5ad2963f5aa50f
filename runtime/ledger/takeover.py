"""How a run becomes the one writer of a role on all shards (contract C11).

Runs in the driver; creates missing ledgers on the shards, and ends older runs' connections.
"""

from __future__ import annotations

import os
import socket
from contextlib import ExitStack, closing
from typing import Final

from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.databases import create_ledger_databases
from shardwright.runtime.ledger.fencing import Writer, highest_token, holder, take_over
from shardwright.runtime.ledger.tables import create_ledger
from shardwright.runtime.mysql.all_shards import work_at_once
from shardwright.runtime.mysql.kept_connections import KeptConnections
from shardwright.runtime.mysql.servers import Servers

_CUTOVER: Final = "cutover on "


def first_writer(servers: Servers, *, owner: str | None = None) -> Writer:
    """The writer of a run that begins. Runs that wrote before are ended."""
    return take_over_everywhere(servers, role="data", owner=owner)


def next_writer(servers: Servers) -> Writer:
    """The writer of the next attempt of a run. It ends what the servers still hold of the run's broken connections.
    Raises Refused (SW8201) when another run has begun meanwhile; that one continues."""
    connection = servers.connect_shard(0)
    try:
        epoch, owner = holder(connection, role="data")
    finally:
        connection.close()
    if owner != our_name():
        raise Refused("SW8201", f"a newer run ({owner}, epoch {epoch}) has taken over from this one: stopped")
    return take_over_everywhere(servers, role="data")


def our_name() -> str:
    """What the ledgers call this process."""
    return f"{socket.gethostname()} pid {os.getpid()}"


def cutover_name() -> str:
    """What the ledgers call a cutover in this process. It ends a run without continuing its work."""
    return f"{_CUTOVER}{our_name()}"


def was_ended_by_cutover(servers: Servers) -> bool:
    """Whether a cutover holds the role of the run, and no newer run."""
    with closing(servers.connect_shard(0)) as connection:
        return holder(connection, role="data")[1].startswith(_CUTOVER)


def end_runs(kept: KeptConnections, *, role: str, owner: str) -> None:
    """Ends what runs of the role still do, where all ledgers are there. `owner`: what the ledgers call us."""
    shards = range(len(kept.servers.databases))

    def read(shard: int) -> int:
        with kept.at(shard) as connection:
            return highest_token(connection, role=role)

    epoch = 1 + max(work_at_once(read, shards))
    failpoint("before-take-over")

    def take(shard: int) -> None:
        with kept.at(shard) as connection:
            take_over(connection, role=role, epoch=epoch, owner=owner)
        failpoint("after-take-over")

    work_at_once(take, shards)


def take_over_everywhere(servers: Servers, *, role: str, owner: str | None = None) -> Writer:
    """Create the ledgers where they are missing, and end what an older run of the role still does. `owner`: what the
    ledgers call us; None: a run of this process."""
    owner = owner or our_name()
    if servers.makes_ledgers:
        create_ledger_databases(servers)
    shards = range(len(servers.databases))
    with ExitStack() as opened:
        connections = work_at_once(servers.connect_shard, shards)
        for connection in connections:
            opened.enter_context(closing(connection))

        def read(shard: int) -> int:
            create_ledger(connections[shard], first=shard == 0)
            return highest_token(connections[shard], role=role)

        epoch = 1 + max(work_at_once(read, shards))
        failpoint("before-take-over")

        def take(shard: int) -> None:
            take_over(connections[shard], role=role, epoch=epoch, owner=owner)
            failpoint("after-take-over")

        work_at_once(take, shards)
    return Writer(epoch, role)
