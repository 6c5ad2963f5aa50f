"""Has a target server's disk room for what its databases will get? Runs in the driver; reads one target server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.check import Check, Verdict, warn
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.run.preflight.context import Context, bytes_in_words, variables

_DISKS: Final = "SELECT path, available FROM information_schema.DISKS"
_KIB: Final = 1024


def free_space(context: Context, connection: Connection[Any], databases: Sequence[str], where: str) -> Iterator[Check]:
    """Compares the free space with the source's bytes of data and indexes, each table's by the share of the database.

    A row filter is not taken into account. Only MariaDB reports free space, with its plugin DISKS and to accounts with
    FILE.
    """
    if context.has_begun:
        yield Check("free space", where, Verdict.OK, "the migration has begun")
        return
    shares = {name: _bytes_for(context, context.plan.databases.index(name)) for name in databases}
    needed, largest = sum(shares.values()), max(shares, key=lambda name: shares[name])
    how = "as forecast" if context.demands.shares else "if rows spread evenly (see `shardwright forecast`)"
    most = f", at most {bytes_in_words(shares[largest])} ({largest}) of one database" if len(shares) > 1 else ""
    said = f"{bytes_in_words(needed)} needed {how}{most}"
    available = _available(connection)
    if available is None:
        way_out = "look at the disk; MariaDB reports it after INSTALL SONAME 'disks', with the grant FILE"
        yield Check("free space", where, Verdict.UNKNOWN, said, way_out)
        return
    said = f"{said}, {bytes_in_words(available)} free"
    short = said if available < needed else None
    yield warn("free space", where, warning=short, way_out="give the server a larger disk", otherwise=said)


def _bytes_for(context: Context, shard: int) -> float:
    tables = (table for table in context.plan.tables if table.logical in context.sizes)
    return sum(context.sizes[table.logical].bytes * context.share(table, shard) for table in tables)


def _available(connection: Connection[Any]) -> int | None:
    """Free bytes on the disk that holds the server's data; None when the server does not report them."""
    try:
        rows = query(connection, _DISKS)
    except pymysql.err.MySQLError:
        return None
    folder = variables(connection, "datadir").get("datadir", "")
    within = [(len(str(path)), int(free)) for path, free in rows if _holds(str(path), folder)]
    return max(within)[1] * _KIB if within else None


def _holds(path: str, folder: str) -> bool:
    return folder == path or folder.startswith(path.rstrip("/") + "/")
