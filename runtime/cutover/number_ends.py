"""Where do the numbers of a column or of a counter end?

Runs in the driver; reads one server, writes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pymysql.connections import Connection
from sqlglot import exp

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.next_ids import NextIds
from shardwright.compiler.schema.column_type import read_listed_type, type_words
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.runtime.mysql.transactions import decode_text, query

_COLUMN: Final = (
    "SELECT column_type FROM information_schema.columns "
    "WHERE table_schema = %s AND table_name = %s AND column_name = %s"
)
_BITS: Final = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}


@dataclass(frozen=True, slots=True, order=True)
class End:
    """The largest number that a column holds."""

    number: int
    where: str
    """The column and its type, for people."""


def end_of(connection: Connection[Any], database: str, table: str, column: str) -> End | str | None:
    """Where the column's numbers end; its type in words where that is no type of whole numbers. None without the
    column."""
    rows = query(connection, _COLUMN, (database, table, column))
    if not rows:
        return None
    kind = read_listed_type(str(decode_text(rows[0][0])), charset=None, collation=None)
    number = _largest(kind)
    if number is None:
        return type_words(kind)
    return End(number, f"{database}.{table}.{column} ({type_words(kind)})")


def next_number_column(ids: NextIds) -> str:
    """The column of a segment table that has the next number."""
    column = parse_sql(ids.read).find(exp.Column)
    assert column is not None
    return column.name


def _largest(kind: ColumnType) -> int | None:
    if kind.name == "decimal" and not kind.scale:
        return int(10 ** (kind.precision or 0)) - 1
    if not kind.is_integer:
        return None
    return int(2 ** (_BITS[kind.name] - (not kind.unsigned))) - 1
