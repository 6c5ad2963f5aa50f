"""The contract of the expression tree: what every node can say about itself and the three forms it takes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from enum import StrEnum

from sqlglot import exp

from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.sql import sql_text

Qualify = Callable[[str], exp.Expr]
"""Gives the SQL node that stands for a column, by the column's name."""

Row = Mapping[str, object]
"""A row as Python sees it: integers as int, text as str, binary as bytes, NULL as None."""


def unqualified(name: str) -> exp.Expr:
    return sql_text.column(name)


class NoMysqlForm(Exception):
    """MySQL cannot compute this expression; the text says why, as the end of a sentence."""


class Expression(ABC):
    """A node of the tree. Immutable; its three forms give the same value for every row. `mysql` raises NoMysqlForm where
    there is none.

    Spark's form expects typed columns: integers up to BIGINT as BIGINT, BIGINT UNSIGNED as DECIMAL(20,0), text as
    STRING, binary as BINARY.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def nullable(self) -> bool:
        """Whether the value may be NULL."""

    @abstractmethod
    def columns(self) -> frozenset[str]:
        """The names of the columns the value depends on."""

    @abstractmethod
    def evaluate(self, row: Row) -> object: ...

    @abstractmethod
    def spark(self, qualify: Qualify = unqualified) -> exp.Expr: ...

    @abstractmethod
    def mysql(self, qualify: Qualify = unqualified) -> exp.Expr: ...


class MysqlInteger(StrEnum):
    """What type the MySQL form of an integer expression has: it decides where casts are needed, because a subtraction
    with one unsigned operand fails when its result is negative."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"
    DECIMAL = "decimal"


class IntegerExpression(Expression):
    """An integer within `interval`. Spark's form is a BIGINT exactly when the interval fits one, else a DECIMAL without
    fraction (a bare literal may be an INT)."""

    __slots__ = ()

    @property
    @abstractmethod
    def interval(self) -> Interval: ...

    @property
    @abstractmethod
    def mysql_type(self) -> MysqlInteger: ...

    @abstractmethod
    def evaluate(self, row: Row) -> int | None: ...


class TextExpression(Expression):
    """Unicode text. MySQL's form is always in utf8mb4, so that its bytes are the UTF-8 bytes of the other two forms."""

    __slots__ = ()

    @property
    @abstractmethod
    def longest(self) -> int | None:
        """The most characters the text can have; None when nothing is known."""

    @abstractmethod
    def evaluate(self, row: Row) -> str | None: ...


class BytesExpression(Expression):
    """Bytes, compared and hashed as they are."""

    __slots__ = ()

    @abstractmethod
    def evaluate(self, row: Row) -> bytes | None: ...
