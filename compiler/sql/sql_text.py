"""The one way from sqlglot nodes to text, and the one place that quotes identifiers and refuses names that could not be
quoted.

Nodes are shared: nothing here copies those it is given, and equal columns are one node. Steps build trees to be printed
and change none of them; a caller that wants to change one copies it first.
"""

from __future__ import annotations

import sys
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache, reduce

import sqlglot
from sqlglot import exp

from shardwright.compiler.plan.plan import SqlDialect
from shardwright.compiler.sql import printer
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.printer import OPTIONS, share, statement_text

PLACEHOLDER = "${"
"""How the placeholders of compiled SQL begin."""


def why_name_is_refused(name: str) -> str | None:
    """Why a table, column or key cannot be called so; None when it can."""
    if not name:
        return "is empty"
    if PLACEHOLDER in name:
        return f"holds '{PLACEHOLDER}'"
    if name.isascii() and name.isprintable():
        return None
    if any(unicodedata.category(character) in _CONTROLS for character in name):
        return "holds a control character"
    return None


# Control and format characters (also those that turn the writing direction), and what ends a line for some reader.
_CONTROLS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def to_sql(node: exp.Expr, dialect: SqlDialect) -> str:
    """Readable SQL. That it parses back to the same text is shown by `check_sql`, not here: see docs/performance.md."""
    return statement_text(node, dialect)


def check_sql(text: str, dialect: SqlDialect) -> None:
    """Raises ValueError when the text does not parse back to itself (a bug: SW9001)."""
    with _room_to_recurse():
        tree = parse_sql(text) if dialect == "mysql" else sqlglot.parse_one(text, dialect=dialect)
        again = tree.sql(dialect=dialect, copy=False, **OPTIONS)
    if again != text:
        raise ValueError(f"SW9001: generated SQL does not parse back to itself:\n{text}\n--\n{again}")


_ROOM = 4_000
_one_at_a_time = threading.Lock()


@contextmanager
def _room_to_recurse() -> Iterator[None]:
    """A bracket costs sqlglot's parser 25 calls, and a hash function written out in SQL nests 30 of them: printing it
    is flat enough, reading it again is not. What users write is bounded before it is parsed (expressions/read_sql.py).
    The limit is the process's, so one thread at a time raises it."""
    with _one_at_a_time:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, _ROOM))
        try:
            yield
        finally:
            sys.setrecursionlimit(before)


@lru_cache(maxsize=8192)
def identifier(name: str) -> exp.Identifier:
    return share(exp.Identifier(this=name, quoted=True))


def quote(name: str) -> str:
    """The name as both MySQL and Spark read it, whatever it holds."""
    return printer.quote_name(name, "mysql")


@lru_cache(maxsize=8192)
def column(name: str, table: str | None = None) -> exp.Column:
    return share(
        exp.Column(this=identifier(name), table=identifier(table)) if table else exp.Column(this=identifier(name))
    )


def alias(value: exp.Expr, name: str) -> exp.Alias:
    """`value AS name`; the value is not copied."""
    return exp.Alias(this=value, alias=identifier(name))


@lru_cache(maxsize=4096)
def element(array: str, position: int, name: str) -> exp.Alias:
    """`array[position] AS name`: tables that are alike ask for the same ones."""
    return share(alias(exp.Bracket(this=column(array), expressions=[number(position)]), name))


@lru_cache(maxsize=4096)
def same_column(name: str, left: str, right: str) -> exp.EQ:
    """`left.name = right.name`."""
    return share(equal(column(name, left), column(name, right)))


def equal(left: exp.Expr, right: exp.Expr) -> exp.EQ:
    """`left = right`; the sides, which are no operators, are not copied."""
    return exp.EQ(this=left, expression=right)


@lru_cache(maxsize=1024)
def table(name: str, *, alias: str | None = None, database: str | None = None) -> exp.Expr:
    node = exp.Table(this=identifier(name), db=identifier(database) if database else None)
    return share(exp.alias_(node, identifier(alias), table=True) if alias else node)


def text(value: str) -> exp.Literal:
    return exp.Literal.string(value)


@lru_cache(maxsize=8192)
def spark_text(value: str) -> str:
    """A text of Spark SQL, whatever it holds."""
    return text(value).sql("spark")


def number(value: int) -> exp.Expr:
    return exp.Literal.number(value) if value >= 0 else exp.Neg(this=exp.Literal.number(-value))


def paren(node: exp.Expr) -> exp.Paren:
    return exp.Paren(this=node)


def cast(value: exp.Expr, kind: str, dialect: SqlDialect | None = None) -> exp.Cast:
    """`kind` is a type of our own, such as DECIMAL(20, 0), in that dialect's words."""
    return exp.Cast(this=value, to=_data_type(kind, dialect))


@cache
def _data_type(kind: str, dialect: SqlDialect | None) -> exp.DataType:
    return exp.DataType.build(kind, dialect=dialect)


def all_of(conditions: Iterable[exp.Expr]) -> exp.Expr:
    return exp.and_(*conditions, copy=False)


def any_of(conditions: Iterable[exp.Expr]) -> exp.Expr:
    return exp.or_(*conditions, copy=False)


def sum_of(values: Iterable[exp.Expr]) -> exp.Expr:
    return reduce(lambda left, right: exp.Add(this=left, expression=right), values)
