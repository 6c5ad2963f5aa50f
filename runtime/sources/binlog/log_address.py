"""The source's address as the log reader wants it. Apart from the stream itself, so that asking needs no Spark."""

from __future__ import annotations

from shardwright.runtime.mysql.servers import Address
from shardwright.runtime.sources.binlog.connection import READ_TIMEOUT, LogConnection


def log_connection(address: Address) -> LogConnection:
    patience = address.patience
    return LogConnection(
        address.host,
        address.port,
        address.user,
        address.password,
        address.tls,
        address.ca,
        address.shown,
        patience.connect_seconds,
        min(READ_TIMEOUT, patience.answer_seconds),
    )
