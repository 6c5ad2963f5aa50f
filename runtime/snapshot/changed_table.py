"""Which error of a server means that a chunk's source table is no longer the plan's? The copy may meet the change
before the stream comes to the statement (hazard B5).

Used in the driver (planning) and in Spark tasks (reading); writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pymysql

from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.errors import BAD_FIELD, CHANGED_MEANWHILE, NO_SUCH_TABLE
from shardwright.specs.findings.remedies import START_OVER

_CHANGED: Final = frozenset({BAD_FIELD, NO_SUCH_TABLE} | CHANGED_MEANWHILE)
"""No such column; no such table; changed since the snapshot that is read."""


@contextmanager
def as_planned(source: SourceName) -> Iterator[None]:
    """Within the block, statements of the plan read `source`."""
    try:
        yield
    except pymysql.err.MySQLError as error:
        if not error.args or error.args[0] not in _CHANGED:
            raise
        raise Refused(
            "SW8128",
            f"table {source} was changed at the source while it was being copied ({error.args[1]}). Rows are read as "
            f"the source is now, so the copy cannot continue: with the new schema, {START_OVER}",
        ) from error
