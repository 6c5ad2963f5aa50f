"""Which statements does the application execute, as the server has counted them?

Runs in the process of the command; only reads.
"""

from __future__ import annotations

from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.workload.placeholders import read_digest_text
from shardwright.compiler.workload.statement import WorkloadStatement
from shardwright.runtime.mysql.transactions import query

PLACE: Final = "performance_schema.events_statements_summary_by_digest"
_DIGESTS: Final = (
    f"SELECT digest_text, count_star, sum_timer_wait FROM {PLACE} "
    "WHERE schema_name = %s AND digest_text IS NOT NULL ORDER BY count_star DESC, digest"
)
_PICOSECONDS: Final = 1e12


def read_digests(connection: Connection[Any], database: str) -> tuple[WorkloadStatement, ...]:
    """With one session that is in `database`. Empty where the server counts none, or does not show them: MariaDB's
    performance_schema is off unless it is asked for."""
    try:
        found = query(connection, _DIGESTS, (database,))
    except pymysql.err.MySQLError:
        return ()
    return tuple(
        WorkloadStatement(
            read_digest_text(str(text)), max(1, int(count)), float(took or 0) / _PICOSECONDS, PLACE, number
        )
        for number, (text, count, took) in enumerate(found, 1)
    )
