"""Does a server, source or target, suit a run: its version, its TLS, its room for connections?

Runs in the driver; reads one server.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.mysql.check import Check, Verdict, warn
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.run.preflight.context import variables

_OLDEST: Final = {"mariadb": (10, 6), "mysql": (8, 0)}
"""Older versions are not maintained by their makers any more, and no test covers them."""


def server_kind(connection: Connection[Any], where: str) -> Check:
    text = str(query(connection, "SELECT VERSION()")[0][0])
    kind = "mariadb" if is_mariadb(connection) else "mysql"
    match = re.match(r"(\d+)\.(\d+)", text)
    is_old = match is not None and (int(match[1]), int(match[2])) < _OLDEST[kind]
    oldest = ".".join(map(str, _OLDEST[kind]))
    return warn(
        "server", where, warning=f"{kind} {text}, older than {oldest}" if is_old else None,
        way_out="it is untested: rehearse the migration on a copy first", otherwise=f"{kind} {text}",
    )  # fmt: skip


def protection(endpoint: Endpoint) -> Check:
    """Warns where the connection crosses the network and the server's certificate is not verified: another machine
    could answer at the address."""
    tls = endpoint.tls
    return warn(
        "tls", str(endpoint),
        warning=None if tls.verifies or _is_loopback(endpoint.host) else f"{tls.mode}: the server is not verified",
        way_out="tls: verify_identity in the environment, with the server's authority in `ca`", otherwise=tls.mode,
    )  # fmt: skip


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def session_variables(where: str) -> Check:
    """Always OK: a connection that cannot set its session variables is refused when it is made (SW8150)."""
    return Check("session variables", where, Verdict.OK, "those of a run are set and read back")


def connection_room(connection: Connection[Any], where: str, needed: int) -> Iterator[Check]:
    """Whether the server takes as many more connections as a run may open."""
    found = variables(connection, "max_connections")
    limit = int(found["max_connections"])
    rows = query(connection, "SHOW GLOBAL STATUS LIKE 'Threads_connected'")
    used = int(rows[0][1]) if rows else 0
    free = limit - used
    short = f"{used} of {limit} are in use, and a run may open {needed} more" if free < needed else None
    yield warn(
        "connections", where, warning=short,
        way_out=f"SET GLOBAL max_connections = {used + needed + 10}, or lower throttle.connections or snapshot.parallel",  # noqa: E501
        otherwise=f"{used} of {limit} are in use, a run opens up to {needed}",
    )  # fmt: skip
