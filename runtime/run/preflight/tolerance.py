"""How far the source's tables may differ from the plan before a run: a change of them may stand in the log, ahead of the stream,
which then stops there or brings it to the targets."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Any

import pymysql

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.ledger.batches import MigrationState, read_migration
from shardwright.runtime.mysql.errors import BAD_FIELD, NO_SUCH_TABLE
from shardwright.runtime.mysql.servers import Servers

Columns = Sequence[tuple[str, ColumnType]]
_NO_LEDGER = frozenset({NO_SUCH_TABLE, BAD_FIELD})


class Tolerance(Enum):
    """NONE: the migration has not begun. ADDED: chunks are still read by the plan's columns. ANY: only the stream goes on."""

    NONE = auto()
    ADDED = auto()
    ANY = auto()

    def admits(self, planned: Columns, found: Columns) -> bool:
        """Whether a table that has `found` may be followed by a plan that knows `planned`."""
        if self is Tolerance.ANY or planned == found:
            return True
        return self is Tolerance.ADDED and [column for column in found if column in planned] == list(planned)


def tolerance(plan: Plan, servers: Servers) -> Tolerance:
    state = begun(plan, servers)
    if state is None:
        return Tolerance.NONE
    return Tolerance.ADDED if state.copying else Tolerance.ANY


def begun(plan: Plan, servers: Servers) -> MigrationState | None:
    """What the ledger says of the migration; None before it has begun, also where there is no ledger yet."""
    connection: Any = servers.connect_shard(0)
    try:
        return read_migration(connection, plan.migration)
    except pymysql.err.MySQLError as error:
        if error.args and error.args[0] in _NO_LEDGER:
            return None
        raise
    finally:
        connection.close()
