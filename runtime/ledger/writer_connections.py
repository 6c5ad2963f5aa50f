"""Which connections a Spark worker keeps from one batch to the next. Making one takes longer than staging a small
batch, and leaves a row in the shard's record of connections.

Used in Spark tasks; writes that row to the shard.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.load_data import connect_for_loading

_MOST = 16
_SECONDS = 20.0
"""A connection that was idle for longer is made again: something on the way may have dropped it without notice."""
_FRESH_SECONDS = 2.0
"""After so long it is asked whether it still lives."""

_lock = threading.Lock()
_kept: OrderedDict[tuple[Endpoint, str, Writer], tuple[Connection[Any], float]] = OrderedDict()


@contextmanager
def connection_for_loading(
    endpoint: Endpoint, database: str, *, writer: Writer, keeping: bool = True
) -> Iterator[Connection[Any]]:
    """A recorded connection for loading, kept when the work within succeeds (and `keeping`), closed when it fails."""
    key = (endpoint, database, writer)
    connection = _take_idle(key)
    if connection is None:
        connection = connect_for_loading(endpoint, database)
        writer.record(connection)
    try:
        yield connection
    except BaseException:
        connection.close()
        raise
    if not keeping:
        writer.forget(connection)
        connection.close()
        return
    left = []
    with _lock:
        _kept[key] = (connection, time.monotonic())
        while len(_kept) > _MOST:
            _, (oldest, _) = _kept.popitem(last=False)
            left.append(oldest)
    for oldest in left:
        oldest.close()


def _take_idle(key: tuple[Endpoint, str, Writer]) -> Connection[Any] | None:
    with _lock:
        connection, since = _kept.pop(key, (None, 0.0))
    if connection is None:
        return None
    idle = time.monotonic() - since
    if idle < _SECONDS and connection.open:
        try:
            if idle > _FRESH_SECONDS:
                connection.ping(reconnect=False)
            return connection
        except pymysql.err.Error:
            pass
    if connection.open:
        connection.close()
    return None
