"""Changes of a value on its way to the target, as data. Spark and Python see canonical texts and give the canonical
text of the new type; MySQL sees the source's typed value and gives a value that prints as that text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Final, Literal

from sqlglot import exp

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import SqlDialect
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill

Back = Literal["none", "as it is", "if spelled so", "as a year"]
"""How a value comes back that went through the change (`returned`)."""


@dataclass(frozen=True, slots=True)
class Transform:
    """NULL stays NULL, unless `null` says what becomes of it.

    spark_form, mysql_form   templates over `hole_value`; None: the value as it is
    change                   the same in Python
    holes                    what else is in the templates
    more                     what the change only puts behind the text
    """

    spark_form: str | None = None
    mysql_form: str | None = None
    change: Callable[[str], str | None] = str
    holes: Mapping[str, exp.Expr] = field(default_factory=dict)
    null: str | None = None
    back: Back = "none"
    more: str = ""

    def spark(self, value: exp.Expr) -> exp.Expr:
        return self._fill_form(self.spark_form, "spark", value)

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return self._fill_form(self.mysql_form, "mysql", value)

    def python(self, value: str | None) -> str | None:
        return self.null if value is None else self.change(value)

    def _fill_form(self, form: str | None, dialect: SqlDialect, value: exp.Expr) -> exp.Expr:
        if form is None:
            return value
        holes = {"value": value, **self.holes}
        return fill(form, dialect, **{name: node for name, node in holes.items() if f"hole_{name}" in form})


_TEXT: Final = "CAST(hole_value AS CHAR CHARACTER SET utf8mb4)"
_APPENDED: Final = "CONCAT(hole_value, hole_more)"
_COMPARED: Final = "TRIM(TRAILING ' ' FROM hole_value)"


def _of_text(form: str) -> str:
    """MySQL's form where the value is to be a text first."""
    return form.replace("hole_value", _TEXT)


AS_TEXT: Final = Transform(None, _TEXT, back="if spelled so")
"""What SELECT prints, as text."""

AS_COMPARED: Final = Transform(_COMPARED, _COMPARED, lambda value: value.rstrip(" "))
"""Text without the spaces at its end, which its collation does not compare."""

YEAR_NUMBER: Final = Transform(
    "CAST(CAST(hole_value AS BIGINT) AS STRING)",
    "CAST(hole_value AS SIGNED)",
    lambda value: str(int(value)),
    back="as a year",
)
"""A YEAR's four digits as a number: 0000 becomes 0."""

_PADDED: Final = "IF(CHAR_LENGTH(hole_value) < 4, LPAD(hole_value, 4, '0'), hole_value)"
FOUR_DIGITS: Final = Transform(_PADDED, _of_text(_PADDED), lambda value: value.rjust(4, "0"))
"""On the way back: a number as a YEAR is printed; 0 becomes 0000."""

SHA256: Final = Transform(
    "SHA2(CAST(hole_value AS BINARY), 256)",
    _of_text("SHA2(hole_value, 256)"),
    lambda value: hashlib.sha256(value.encode("utf-8")).hexdigest(),
)
"""SHA-256 over the UTF-8 bytes of the canonical text, as 64 hexadecimal digits in lower case."""


def same(cast: str | None = None) -> Transform:
    """The canonical text is that of the other type too. `cast` is what MySQL calls the type, where printing differs."""
    form = None if cast is None else f"CAST(hole_value AS {cast})"
    # The server rounds what has too many digits for a FLOAT.
    return Transform(None, form, back="none" if cast == "DOUBLE" else "as it is")


def plain_text(cast: str) -> Transform:
    """An integer's digits, without the zeros that ZEROFILL prints. `cast` is SIGNED or UNSIGNED."""
    spark = "CAST(CAST(hole_value AS DECIMAL(20, 0)) AS STRING)"
    mysql = f"CAST(CAST(hole_value AS {cast}) AS CHAR CHARACTER SET utf8mb4)"
    return Transform(spark, mysql, lambda value: str(int(value)), back="if spelled so")


def append(more: str) -> Transform:
    """More digits after the point, or the time of day midnight: the text goes on with `more`."""
    holes = {"more": sql.text(more)}
    return Transform(_APPENDED, _of_text(_APPENDED), lambda value: value + more, holes, more=more)


def longer_decimal(precision: int, scale: int, more: str) -> Transform:
    """More digits on either side of the point; `more` is what the text gains."""
    holes, spark = {"more": sql.text(more)}, _APPENDED if more else None
    mysql = f"CAST(hole_value AS DECIMAL({precision}, {scale}))"
    return Transform(spark, mysql, lambda value: value + more, holes, back="as it is", more=more)


def cut(characters: int, *, trimmed: bool = False) -> Transform:
    """The first characters of the text; nothing is rounded. `trimmed`: without the spaces at the end, as a CHAR(n)
    gives them back."""
    form = "LEFT(hole_value, hole_count)"
    form = _COMPARED.replace("hole_value", form) if trimmed else form
    holes = {"count": sql.number(characters)}
    return Transform(
        form, _of_text(form), lambda value: value[:characters].rstrip(" ") if trimmed else value[:characters], holes
    )


def round_decimal(precision: int, scale: int) -> Transform:
    """DECIMAL of fewer digits after the point: rounded half away from zero, as the server does it."""
    number = f"CAST(hole_value AS DECIMAL({precision}, {scale}))"
    return Transform(f"CAST({number} AS STRING)", number, lambda value: _round(value, scale))


def _round(value: str, scale: int) -> str:
    with localcontext() as context:
        context.prec = 80
        number = Decimal(value).quantize(Decimal(1).scaleb(-scale), rounding=ROUND_HALF_UP)
    return f"{abs(number) if number == 0 else number:f}"


_SHORTENED: Final = """
IF(
  hole_value IS NULL OR RIGHT(hole_value, hole_count) = hole_more,
  LEFT(hole_value, CHAR_LENGTH(hole_value) - hole_count),
  CONCAT(hole_value, hole_refused)
)
"""


def shorten(more: str, refused: str) -> Transform:
    """On the way back: without `more` at its end. A value that ends otherwise gets `refused` behind it."""

    def change(value: str) -> str:
        return value.removesuffix(more) if value.endswith(more) else value + refused

    holes = {"count": sql.number(len(more)), "more": sql.text(more), "refused": sql.text(refused)}
    return Transform(_SHORTENED, _of_text(_SHORTENED), change, holes)


def require_spelling(pattern: str, refused: str) -> Transform:
    """On the way back: a text that the source's type prints in just this spelling, by a regular expression of Java and
    Python. Any other gets `refused` behind it: the server would trim it, fill it up or read it otherwise."""
    form = "IF(hole_value IS NULL OR hole_value RLIKE hole_pattern, hole_value, CONCAT(hole_value, hole_refused))"
    holes = {"pattern": sql.text(rf"\A(?:{pattern})\z"), "refused": sql.text(refused)}
    return Transform(form, None, lambda value: value if re.fullmatch(pattern, value) else value + refused, holes)


def default_for(text: str, kind: ColumnType) -> Transform:
    """`text`, canonical text of the source's type, where the value is NULL."""
    is_number = kind.is_integer or kind.name == "decimal"
    holes = {"text": sql.text(text), "literal": _number(text) if is_number else sql.text(text)}
    return Transform("COALESCE(hole_value, hole_text)", "COALESCE(hole_value, hole_literal)", str, holes, null=text)


def _number(text: str) -> exp.Expr:
    literal = exp.Literal.number(text.removeprefix("-"))
    return exp.Neg(this=literal) if text.startswith("-") else literal


_LAST: Final = """
IF(CHAR_LENGTH(hole_value) > hole_count,
   CONCAT(REPEAT('*', CHAR_LENGTH(hole_value) - hole_count), RIGHT(hole_value, hole_count)),
   REPEAT('*', CHAR_LENGTH(hole_value)))
"""


def last_kept(count: int) -> Transform:
    """Masks all but the last `count` characters with '*'. A text of at most `count` characters is masked as a whole:
    otherwise short values would stay readable."""

    def change(value: str) -> str:
        hidden = len(value) - count
        return "*" * hidden + value[hidden:] if hidden > 0 else "*" * len(value)

    return Transform(_LAST, _of_text(_LAST), change, {"count": sql.number(count)})


def redact(text: str | None) -> Transform:
    """`text` whatever the value was, also for NULL: not even that is shown. None: NULL."""
    spark, mysql = ("CAST(NULL AS STRING)", "NULL") if text is None else (f"'{text}'", f"'{text}'")
    return Transform(spark, mysql, lambda _value: text, null=text)
