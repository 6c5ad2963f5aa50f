"""Can chunks be read from a read replica (`snapshot.read_from`): has it the tables, and may the account read them?

Runs in the driver; reads the replica. It may be read-only, with super_read_only, too: nothing is written there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.mysql.check import Check, Fault, judge_faults
from shardwright.runtime.mysql.errors import BAD_DB, DENIED, NO_SUCH_TABLE
from shardwright.runtime.mysql.read_grants import read_granted
from shardwright.runtime.mysql.rows_database import quote_table
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.run.preflight.any_server import server_kind, session_variables
from shardwright.runtime.run.preflight.context import variables
from shardwright.runtime.run.preflight.grants import MISSING

_COUNTS_NOTHING: Final = "SW8148"
_NO_TABLE: Final = "SW8126"


def replica_checks(connection: Connection[Any], held: Sequence[SourceName], where: str) -> Iterator[Check]:
    """`held`: the tables that are read there."""
    yield server_kind(connection, where)
    yield session_variables(where)
    yield from judge_faults(
        "read replica", where, _unreadable(connection, held), otherwise=f"{len(held)} tables can be read"
    )
    yield from judge_faults("gtid", where, _without_gtids(connection), otherwise="written")


def _unreadable(connection: Connection[Any], held: Sequence[SourceName]) -> Iterator[Fault]:
    account = read_granted(connection)
    for name in held:
        try:
            query(connection, f"SELECT 1 FROM {quote_table(name)} LIMIT 0")
        except pymysql.err.MySQLError as error:
            if error.args[0] in (NO_SUCH_TABLE, BAD_DB):
                yield Fault(
                    _NO_TABLE,
                    f"the read replica has no table {name}",
                    "wait until it has it, or read from the source",
                )
            elif error.args[0] in DENIED:
                wanted = account.remedy_for(("SELECT",), ("SELECT",), name.database)
                yield Fault(MISSING, f"{account.account} may not read {name} on the read replica", wanted)
            else:
                raise


def _without_gtids(connection: Connection[Any]) -> Iterator[Fault]:
    mode = "ON" if is_mariadb(connection) else variables(connection, "gtid_mode").get("gtid_mode", "OFF")
    if mode != "ON":
        found = f"gtid_mode is {mode} on the read replica, so whether it is recent enough is unknown"
        yield Fault(_COUNTS_NOTHING, found, "switch GTIDs on there and at the source, or read from the source")
