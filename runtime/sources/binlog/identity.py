"""Which server answers: positions of one server's log mean nothing in another's (hazards E5, E8)."""

from __future__ import annotations

from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.failures import StoppedPartWay

_NAMES = ("server_uuid", "server_uid", "server_id")


def server_identity(connection: Connection[Any]) -> str:
    """MySQL's own uuid. MariaDB makes its `server_uid` from the machine and the port, so the number that an operator gives
    each server stands beside it."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW GLOBAL VARIABLES WHERE Variable_name IN (%s, %s, %s)", _NAMES)
        found = {str(name).lower(): str(value) for name, value in cursor.fetchall()}
    if uuid := found.get("server_uuid"):
        return uuid
    uid, number = found.get("server_uid", ""), found.get("server_id", "")
    return f"{uid}/{number}" if uid else f"server_id {number}"


def require_server(connection: Connection[Any], expected: str | None, *, where: object) -> None:
    """StoppedPartWay when another server answers than the one a position is of: at the next start its log is searched. None:
    the position does not say."""
    found = server_identity(connection) if expected is not None else None
    if found != expected:
        raise StoppedPartWay(
            "SW8135",
            f"{where} is server {found} now, the stream follows server {expected}: running again looks for the same place in "
            "the new server's log",
        )
