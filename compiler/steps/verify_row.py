"""A row as one number, for comparing tables without moving them, and as text, for people.

The hash is the first 64 bits of a SHA-256 over all copied columns. It is not linear, so equal changes to several rows do
not cancel (hazard H2), and the text under it is unambiguous (H5): a value is either a number or a date, which hold no
comma, or hexadecimal; NULL is `N`, which is neither. Source and target give the same text for equal values whatever the
character sets of the two columns, and every byte of a value counts.

SHA-256, because MySQL 9 has dropped SHA1() and MD5(); `tests/bench/verify/row_hash.py` compares the forms.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from sqlglot import exp

from shardwright.compiler.columns.mapping import FromColumn
from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.catalogue import SPATIALS, ColumnType
from shardwright.compiler.plan.plan import CopiedColumn, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.printer import shared
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.keys import Side

_HASH = "CAST(CONV(LEFT(SHA2(CONCAT_WS(',', hole_values), 256), 16), 16, 10) AS UNSIGNED)"
_IN_FULL = 200
"""A longer text or byte value is shown by its length and hash."""

# Types whose values may be as long as max_allowed_packet. Their own hash stands for them: doubled by HEX they could make
# CONCAT_WS give up and return NULL, and rows that hash to NULL all look equal.
_LONG = SPATIALS | {"text", "mediumtext", "longtext", "json", "blob", "mediumblob", "longblob"}
_PLAIN = frozenset({"decimal", "float", "double", "date", "datetime", "timestamp", "time", "year"})


Values = Callable[[CopiedColumn], exp.Expr]
"""The value of a target column, as MySQL SQL: its own on the shards, what it should be at the source."""


def row_hash(table: TablePlan, values: Values) -> exp.Expr:
    """The row as a BIGINT UNSIGNED, never NULL. Add it up as it stands: the sum is exact."""
    return fill(_HASH, "mysql", values=[_hashed(values(column), column) for column in table.columns])


def shown(value: exp.Expr, column: CopiedColumn) -> exp.Expr:
    """The value as text for people, named as the target's column; equal for equal values only."""
    if isinstance(value, exp.Column):
        return _shown_column(value.name, column.type, column.target)
    return sql.named(_shown_value(value, column.type), column.target)


@lru_cache(maxsize=4096)
def _shown_column(name: str, kind: ColumnType, target: str) -> exp.Expr:
    return shared(sql.named(_shown_value(sql.column(name), kind), target))


def _shown_value(value: exp.Expr, kind: ColumnType) -> exp.Expr:
    if not (_is_text(kind) or kind.is_bytes):
        return _utf8(_exact(value, kind))
    text = fill("HEX(hole_value)", "mysql", value=value) if kind.is_bytes else _utf8(value)
    return fill(
        "IF(LENGTH(hole_value) <= hole_limit, hole_text, CONCAT(LENGTH(hole_value), ' bytes, SHA-256 ', SHA2(hole_bytes, 256)))",
        "mysql",
        value=value,
        limit=sql.number(_IN_FULL),
        text=text,
        bytes=value if kind.is_bytes else _utf8(value),
    )


def named(column: CopiedColumn, side: Side) -> exp.Column:
    return sql.column(column.source if side == "source" else column.target)


def values_of(side: Side, mapping: RowMapping | None) -> Values:
    """Without a mapping every column is taken as it is. A bare column has the target's type; one whose type is only as good as the
    target's stands in parentheses."""
    if side == "target" or mapping is None:
        return lambda column: named(column, side)
    mapped = {item.column.target: item.mapping for item in mapping.columns}

    def value(column: CopiedColumn) -> exp.Expr:
        it = mapped[column.target]
        as_it_is = isinstance(it, FromColumn) and not it.steps
        made = it.mysql()
        return made if as_it_is or not isinstance(made, exp.Column) else exp.paren(made, copy=False)

    return value


def _hashed(value: exp.Expr, column: CopiedColumn) -> exp.Expr:
    if isinstance(value, exp.Column):
        return _hashed_column(value.name, column.type, column.nullable)
    return _hashed_value(value, column.type, column.nullable)


@lru_cache(maxsize=4096)  # asked for four times a table, and columns of different tables are alike
def _hashed_column(name: str, kind: ColumnType, nullable: bool) -> exp.Expr:
    return shared(_hashed_value(sql.column(name), kind, nullable))


def _hashed_value(value: exp.Expr, kind: ColumnType, nullable: bool) -> exp.Expr:
    if kind.is_integer or kind.name in _PLAIN:
        text = _exact(value, kind)
    else:
        form = "SHA2(hole_bytes, 256)" if kind.name in _LONG else "HEX(hole_bytes)"
        # Converting what is utf8mb4 already costs as much as the hash does.
        as_it_is = kind.is_bytes or (kind.charset == "utf8mb4" and isinstance(value, exp.Column))
        text = fill(form, "mysql", bytes=value if as_it_is else _utf8(value))
    return fill("COALESCE(hole_text, 'N')", "mysql", text=text) if nullable else text


def _exact(value: exp.Expr, kind: ColumnType) -> exp.Expr:
    """FLOAT prints six digits unless it is widened (hazard C5)."""
    return sql.cast(value, "DOUBLE") if kind.name == "float" else value


def _utf8(value: exp.Expr) -> exp.Expr:
    if (
        isinstance(value, exp.Cast)
        and value.to.this is exp.DType.CHARACTER_SET
        and value.to.args["kind"].name == "utf8mb4"
    ):
        return value
    return fill("CONVERT(hole_value USING utf8mb4)", "mysql", value=value)


def _is_text(kind: ColumnType) -> bool:
    return not (kind.is_integer or kind.name in _PLAIN or kind.is_bytes)
