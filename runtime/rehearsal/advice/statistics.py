"""How many rows has each table, and how are the values of possible shard keys spread? Asked of a server once, for
`advise`.

Runs in the process of the command; only reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.advise import questions
from shardwright.compiler.advise.statistics import ColumnStatistics, Statistics, TableStatistics
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.rehearsal.advice.row_counts import read_row_counts

_SIZES: Final = (
    "SELECT table_name, table_rows, data_length + index_length FROM information_schema.tables "
    "WHERE table_schema = %s AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED')"
)
_EXACT: Final = 1_000_000
"""Tables with fewer rows, as the server estimates, are counted."""
_SHOWN: Final = 64
"""Characters of a heavy value that are kept."""


def measure_tables(
    connection: Connection[Any],
    database: str,
    columns: Mapping[str, Sequence[str]],
    *,
    note: Callable[[str], None],
) -> Statistics:
    """`columns`: those to measure, by table. What the server refuses to answer, because a statement takes longer than
    the session allows or a right is missing, is left out, and `note` gets a sentence about it."""
    found: dict[str, TableStatistics] = {}
    counts = read_row_counts(connection, database)  # before this command's own statements are in them
    for name, rows, size in query(connection, _SIZES, (database,)):
        table = str(name)
        exact = int(rows or 0)
        if exact < _EXACT:
            answer = _ask(connection, questions.count_rows(database, table), table, note)
            exact = int(answer[0][0]) if answer else exact
        measured = {
            column.lower(): known
            for column in columns.get(table, ())
            if (known := _measure_column(connection, (database, table, column), exact, note)) is not None
        }
        found[table] = TableStatistics(exact, int(size or 0), measured, counts.get(table))
    return found


def _measure_column(
    connection: Connection[Any], where: tuple[str, str, str], rows: int, note: Callable[[str], None]
) -> ColumnStatistics | None:
    name = f"{where[1]}.{where[2]}"
    counted = _ask(connection, questions.count_values(*where), name, note)
    if not counted or not rows:
        return None
    heaviest = _ask(connection, questions.find_heaviest(*where), name, note) or []
    distinct, missing = counted[0]
    return ColumnStatistics(
        int(distinct),
        float(missing or 0) / rows,
        tuple((_text(value), int(count) / rows) for value, count in heaviest),
    )


def _text(value: object) -> str:
    text = value.hex() if isinstance(value, (bytes, bytearray)) else str(value)
    return text[:_SHOWN]


def _ask(
    connection: Connection[Any], statement: str, about: str, note: Callable[[str], None]
) -> Sequence[Sequence[Any]] | None:
    try:
        return list(query(connection, statement))
    except pymysql.err.MySQLError as error:
        note(f"nothing is known of {about}: {error.args[-1]}")
        return None
