"""Under which relaxed rule are two values of a column equal? MySQL statements over the texts of both values, and one
that reads texts in full. They name a cause and decide nothing about data, so no plan holds them: what is asked follows
from a column's type alone. `tests/verify/golden/loose_rules.sql` has every form.

The value of the followed side is in @sw_source_1, ..., that of the other side in @sw_target_1, ...: as the plan's
statement `row` prints them, and never NULL.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache

from sqlglot import exp

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.keys import Side, at
from shardwright.compiler.steps.verify_statements import column_on_side


class LooseRule(StrEnum):
    """The rules under which values are compared again, in this order."""

    COLLATION = "collation"
    """Equal by the column's collation, without spaces at the end."""
    TRUNCATED = "truncated"
    """The other side has the beginning of the value."""
    JSON_NUMBER = "json_number"
    """The same document, but for how its numbers are written."""
    ROUNDING = "rounding"
    """They differ by less than one in the last digit of the shorter one."""
    TIME_ZONE = "time_zone"
    """They differ by whole quarter-hours, 14 hours at most."""


_SAME = "hole_source = hole_target"
_TRUNCATED = """
CHAR_LENGTH(hole_target) BETWEEN 1 AND CHAR_LENGTH(hole_source) - 1
AND CAST(LEFT(hole_source, CHAR_LENGTH(hole_target)) AS BINARY) = CAST(hole_target AS BINARY)
"""
_JSON_NUMBER = """
CASE WHEN JSON_VALID(hole_source) AND JSON_VALID(hole_target)
THEN JSON_CONTAINS(hole_source, hole_target) AND JSON_CONTAINS(hole_target, hole_source)
  AND REGEXP_REPLACE(hole_source, '[0-9.eE+ -]+', '') = REGEXP_REPLACE(hole_target, '[0-9.eE+ -]+', '')
ELSE FALSE END
"""
"""JSON_CONTAINS compares numbers as such, on both kinds of servers, but finds the members of an array in any order. So
what is no number has to be the same text."""
_DIGITS = """
CASE WHEN LOCATE('e', hole_value) > 0 THEN 30
WHEN LOCATE('.', hole_value) = 0 THEN 0
ELSE CHAR_LENGTH(TRIM(TRAILING '0' FROM hole_value)) - LOCATE('.', hole_value) END
"""
"""Digits behind the point, without zeros at the end."""
_LESS_THAN_A_DIGIT = "ABS(hole_source - hole_target) * POW(10, LEAST(hole_digits, hole_other)) < 1"
_SAME_DOUBLE = "CAST(hole_source AS DOUBLE) = CAST(hole_target AS DOUBLE)"
_SAME_FLOAT = """
ABS(CAST(hole_source AS DOUBLE) - CAST(hole_target AS DOUBLE))
  <= 0.000001 * GREATEST(ABS(CAST(hole_source AS DOUBLE)), ABS(CAST(hole_target AS DOUBLE)))
"""
_MICROSECONDS = "TIMESTAMPDIFF(MICROSECOND, CAST(hole_source AS DATETIME(6)), CAST(hole_target AS DATETIME(6)))"
_LESS_THAN_A_FRACTION = "ABS(hole_apart) < POW(10, 6 - LEAST(hole_digits, hole_other))"
_QUARTER_HOURS = "hole_apart % 900000000 = 0 AND ABS(hole_apart) BETWEEN 1 AND 50400000000"
_RULE = "CASE WHEN hole_when THEN hole_name ELSE hole_rest END"
_SELECT = "SELECT hole_rules"
_FULL = "SELECT hole_columns FROM hole_table WHERE hole_same"
_FULL_VALUE = "IF(LENGTH(hole_value) <= hole_most, hole_text, NULL)"
_MOST = 1_000_000
"""Bytes of a value that is read in full."""
_TEMPORAL = frozenset({"datetime", "timestamp"})


def has_rule(kind: ColumnType) -> bool:
    """Whether values of that type can be equal under a relaxed rule."""
    return any(True for _ in _rules(kind, _variable("source", 1), _variable("target", 1)))


@cache
def loose_rules(kinds: tuple[ColumnType, ...]) -> str:
    """One row, a column for each of `kinds`: the name of the first rule that holds (`LooseRule`), or NULL."""
    rules = [sql.alias(_first(kind, number), f"sw_rule_{number}") for number, kind in enumerate(kinds, start=1)]
    return sql.to_sql(fill(_SELECT, "mysql", rules=rules), "mysql")


def full_values(table: TablePlan, side: Side, place: tuple[str, str], names: Sequence[str]) -> str | None:
    """The values of those columns (names of the target) of one row, in full; NULL for one of more than a million bytes.
    `place`: database and table; the key is in @sw_key_1, .... None where a column is made by an expression, and for a
    table whose key is not all in its own columns."""
    columns = [column for column in table.columns if column.target in names]
    made = side == "source" and any(column.mapping != "copied" for column in columns)
    if made or table.source_lacks is not None or table.target_lacks is not None:
        return None
    database, name = place
    values = [
        fill(
            _FULL_VALUE,
            "mysql",
            value=column_on_side(column, side),
            most=sql.number(_MOST),
            text=fill(
                "HEX(hole_it)" if column.type.is_bytes else "CONVERT(hole_it USING utf8mb4)",
                "mysql",
                it=column_on_side(column, side),
            ),
        )
        for column in columns
    ]
    tree = fill(
        _FULL, "mysql", columns=values, table=sql.table(name, database=database), same=at(table, side, "sw_key")
    )
    return sql.to_sql(tree, "mysql")


def _first(kind: ColumnType, number: int) -> exp.Expr:
    tree: exp.Expr = exp.Null()
    for rule, condition in reversed(list(_rules(kind, _variable("source", number), _variable("target", number)))):
        tree = fill(_RULE, "mysql", when=condition, name=sql.text(rule.value), rest=tree)
    return tree


def _rules(kind: ColumnType, source: exp.Expr, target: exp.Expr) -> Iterator[tuple[LooseRule, exp.Expr]]:
    both = {"source": source, "target": target}
    if kind.is_text and kind.collation not in (None, "binary"):
        collated = {name: _collate(value, kind) for name, value in both.items()}
        yield LooseRule.COLLATION, fill(_SAME, "mysql", **collated)
    if kind.is_text or kind.is_bytes:
        yield LooseRule.TRUNCATED, fill(_TRUNCATED, "mysql", **both)
    if kind.name in ("json", "longtext"):  # MariaDB's JSON is a LONGTEXT
        yield LooseRule.JSON_NUMBER, fill(_JSON_NUMBER, "mysql", **both)
    if kind.is_integer:
        yield LooseRule.ROUNDING, fill(_SAME_DOUBLE, "mysql", **both)
    if kind.name in ("float", "double"):
        yield LooseRule.ROUNDING, fill(_SAME_FLOAT, "mysql", **both)
    if kind.name in ("decimal", "float", "double"):
        type_ = "DECIMAL(65, 30)" if kind.name == "decimal" else "DOUBLE"
        numbers = {name: sql.cast(value, type_, "mysql") for name, value in both.items()}
        yield LooseRule.ROUNDING, fill(_LESS_THAN_A_DIGIT, "mysql", **numbers, **_digits(source, target))
    if kind.name in _TEMPORAL:
        apart = fill(_MICROSECONDS, "mysql", **both)
        yield LooseRule.ROUNDING, fill(_LESS_THAN_A_FRACTION, "mysql", apart=apart, **_digits(source, target))
        yield LooseRule.TIME_ZONE, fill(_QUARTER_HOURS, "mysql", apart=apart)


def _collate(value: exp.Expr, kind: ColumnType) -> exp.Expr:
    charset = exp.DataType(this=exp.DType.CHARACTER_SET, kind=exp.Var(this=kind.charset or "utf8mb4"))
    bare = fill("RTRIM(hole_value)", "mysql", value=value)
    return exp.Collate(this=exp.Cast(this=bare, to=charset), expression=exp.Var(this=kind.collation))


def _digits(source: exp.Expr, target: exp.Expr) -> dict[str, exp.Expr]:
    return {"digits": fill(_DIGITS, "mysql", value=source), "other": fill(_DIGITS, "mysql", value=target)}


def _variable(side: Side, number: int) -> exp.Expr:
    return exp.Parameter(this=exp.Var(this=f"sw_{side}_{number}"))
