"""How a run becomes the one writer of a role on all shards (contract C11).

Runs in the driver; creates missing ledgers on the shards, and ends older runs' connections.
"""

from __future__ import annotations

import os
import socket
from contextlib import closing
from typing import Final

from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.databases import create_ledger_databases
from shardwright.runtime.ledger.fencing import Writer, highest_token, holder, take_over
from shardwright.runtime.ledger.tables import create_ledger
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


def take_over_everywhere(servers: Servers, *, role: str, owner: str | None = None) -> Writer:
    """Create the ledgers where they are missing, and end what an older run of the role still does. `owner`: what the
    ledgers call us; None: a run of this process."""
    owner = owner or our_name()
    if servers.makes_ledgers:
        create_ledger_databases(servers)
    connections = [servers.connect_shard(shard) for shard in range(len(servers.databases))]
    try:
        for shard, connection in enumerate(connections):
            create_ledger(connection, first=shard == 0)
        epoch = 1 + max(highest_token(connection, role=role) for connection in connections)
        failpoint("before-take-over")
        for connection in connections:
            take_over(connection, role=role, epoch=epoch, owner=owner)
            failpoint("after-take-over")
    finally:
        for connection in connections:
            connection.close()
    return Writer(epoch, role)
