"""Becoming the one writer of a role on all shards (contract C11)."""

from __future__ import annotations

import os
import socket

from shardwright.runtime.connections import Servers
from shardwright.runtime.ledger.epoch import highest_epoch, take_over
from shardwright.runtime.ledger.tables import create_ledger


def take_over_everywhere(servers: Servers, *, role: str) -> int:
    """Make the ledgers where they are missing, end what an older run of the role still does, and return our epoch."""
    owner = f"{socket.gethostname()} pid {os.getpid()}"
    connections = [servers.connect_shard(shard) for shard in range(len(servers.databases))]
    try:
        for shard, connection in enumerate(connections):
            create_ledger(connection, first=shard == 0)
        epoch = 1 + max(highest_epoch(connection, role=role) for connection in connections)
        for connection in connections:
            take_over(connection, role=role, epoch=epoch, owner=owner)
    finally:
        for connection in connections:
            connection.close()
    return epoch
