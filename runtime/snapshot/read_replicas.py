"""Has a read replica all that the stream's start requires? Then chunks may be read from it instead of its source.

Runs in the driver; reads source servers and replicas, and waits.

What such a chunk holds may be older than the stream: whatever the stream has changed or deleted since its start is a
row or a tombstone on the shards. It may not be older than the stream's start. So before the first chunk a replica must
have all that its source has by then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.events.copy import ReplicaWait
from shardwright.runtime.events.event import Emit
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.servers import Servers, connect, is_mariadb
from shardwright.runtime.mysql.transactions import query

_SLICE_SECONDS = 1
_REPORT_SECONDS = 30.0


def wait_for_read_replicas(
    servers: Servers,
    readers: Mapping[str, Connection[Any]],
    emit: Emit,
    stopped: Callable[[], bool],
) -> None:
    """`readers` are connections to the servers that chunks are read from, by the source's name. Returns when the
    replicas among them have what their sources have now, or the run is being stopped. Raises Refused (SW8148) where
    servers count no transactions."""
    for name, endpoint in servers.replicas.items():
        if name in readers:
            source = connect(servers.sources[name])
            try:
                gtids = _read_executed(source, str(endpoint))
            finally:
                source.close()
            _wait(readers[name], gtids, ReplicaWait(str(endpoint), name), emit, stopped)


def _wait(replica: Connection[Any], gtids: str, waiting: ReplicaWait, emit: Emit, stopped: Callable[[], bool]) -> None:
    wait = (
        "SELECT MASTER_GTID_WAIT(%s, %s) = 0"
        if is_mariadb(replica)
        else "SELECT WAIT_FOR_EXECUTED_GTID_SET(%s, %s) = 0"
    )
    began, reported_at = time.monotonic(), 0.0
    while not stopped():
        if query(replica, wait, (gtids, _SLICE_SECONDS))[0][0]:
            if reported_at:
                emit(replace(waiting, seconds=time.monotonic() - began))
            return
        if not reported_at or time.monotonic() - reported_at > _REPORT_SECONDS:
            emit(waiting)
            reported_at = time.monotonic()


def _read_executed(source: Connection[Any], replica: str) -> str:
    if is_mariadb(source):
        counts, found = "ON", query(source, "SELECT @@GLOBAL.gtid_binlog_pos")[0][0]
    else:
        # A server whose gtid_mode was switched off continues without GTIDs: what it had executed before proves nothing.
        counts, found = query(source, "SELECT @@GLOBAL.gtid_mode, @@GLOBAL.gtid_executed")[0]
    if counts != "ON" or not found:
        raise Refused(
            "SW8148",
            f"snapshot.read_from names {replica}, and its source counts no transactions (GTIDs): whether the replica "
            "is recent enough is unknown. Switch GTIDs on at both (MySQL: gtid_mode = ON), or read from the source "
            "itself",
        )
    return str(found).replace("\n", "")
