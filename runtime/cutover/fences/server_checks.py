"""What passes every kind of fence on a server? Prepared transactions.

Runs in the driver; reads one server.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.sessions import has_detached_transactions
from shardwright.runtime.mysql.check import Check, warn


def server_checks(connection: Connection[Any], where: str) -> Iterator[Check]:
    """A warning: setting the fence waits for prepared transactions. Needs the privilege PROCESS."""
    prepared = has_detached_transactions(connection)
    yield warn(
        "prepared transactions", where, warning="a transaction without a connection is open" if prepared else None,
        way_out="look at XA RECOVER: setting the fence fails while one stays open", otherwise="none",
    )  # fmt: skip
