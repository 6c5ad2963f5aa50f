"""How far may the source's tables differ from the plan before a run? The log may have a change of them that the stream
has not reached; the stream then stops there or brings it to the targets.

Runs in the driver; reads the first shard's ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from enum import Enum, auto
from typing import Any

import pymysql

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.batches import MigrationState, read_migration
from shardwright.runtime.ledger.databases import require_not_elsewhere
from shardwright.runtime.ledger.stream_ddl import read_recorded_plan
from shardwright.runtime.mysql.errors import BAD_FIELD, NO_SUCH_TABLE, UNKNOWN_TABLE
from shardwright.runtime.mysql.servers import Servers

Columns = Sequence[tuple[str, ColumnType]]
_NO_LEDGER = frozenset({NO_SUCH_TABLE, UNKNOWN_TABLE, BAD_FIELD})


class Tolerance(Enum):
    """How far the migration is, and so which differences a run may start with."""

    NONE = auto()
    """The migration has not begun: no difference."""
    ADDED = auto()
    """Chunks are still read by the plan's columns: added columns."""
    ANY = auto()
    """Only the stream goes on: any difference."""

    def admits(self, planned: Columns, found: Columns) -> bool:
        """Whether a plan that knows the columns `planned` may follow a table that has `found`."""
        if self is Tolerance.ANY or planned == found:
            return True
        return self is Tolerance.ADDED and [column for column in found if column in planned] == list(planned)


def tolerance(plan: Plan, servers: Servers) -> Tolerance:
    state = read_state(plan, servers)
    if state is None:
        return Tolerance.NONE
    copying = state.is_copying(())  # no source is open yet: a queue's mark counts as not passed
    return Tolerance.ADDED if copying or _has_new_table(plan, servers) else Tolerance.ANY


def _has_new_table(plan: Plan, servers: Servers) -> bool:
    """Whether a source table would be copied that the plan of the begun migration does not have."""
    with closing(servers.connect_shard(0)) as connection:
        recorded = read_recorded_plan(connection, plan.migration)
    tables = {} if recorded is None else recorded[1]["tables"]
    known = {name: table["sources"] for name, table in tables.items()}
    return recorded is not None and any(
        str(source) not in known.get(table.logical, ()) for table in plan.tables for source in table.sources
    )


def read_state(plan: Plan, servers: Servers) -> MigrationState | None:
    """What the ledger says of the migration. None before it has begun, also where there is no ledger yet. Raises
    Refused (SW8203) where it has begun with its ledger in another database."""
    try:
        connection: Any = servers.connect_shard(0)
    except Refused:
        require_not_elsewhere(plan, servers)
        raise
    state = None
    try:
        state = read_migration(connection, plan.migration)
    except pymysql.err.MySQLError as error:
        if not error.args or error.args[0] not in _NO_LEDGER:
            raise
    finally:
        connection.close()
    if state is None:
        require_not_elsewhere(plan, servers)
    return state
