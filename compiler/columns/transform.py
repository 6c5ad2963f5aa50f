"""Changes of a value on its way to the target. Spark and Python see canonical texts and give the canonical text of
the new type; MySQL sees the source's typed value and gives a value that prints as that text.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Protocol

from sqlglot import exp

from shardwright.compiler.expressions.expression import utf8mb4
from shardwright.compiler.plan.plan import SqlDialect
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import without_spaces_at_end


class Transform(Protocol):
    """NULL stays NULL, except under `Default`."""

    def spark(self, value: exp.Expr) -> exp.Expr: ...

    def mysql(self, value: exp.Expr) -> exp.Expr: ...

    def python(self, value: str | None) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Same:
    """The canonical text is that of the other type too. `cast` is what MySQL calls the type, where printing differs."""

    cast: str | None = None

    def spark(self, value: exp.Expr) -> exp.Expr:
        return value

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return exp.cast(value, self.cast, dialect="mysql") if self.cast else value

    def python(self, value: str | None) -> str | None:
        return value


@dataclass(frozen=True, slots=True)
class AsText:
    """What SELECT prints, as text."""

    def spark(self, value: exp.Expr) -> exp.Expr:
        return value

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return utf8mb4(value)

    def python(self, value: str | None) -> str | None:
        return value


@dataclass(frozen=True, slots=True)
class AsCompared:
    """Text without the spaces at its end, which its collation does not compare."""

    def spark(self, value: exp.Expr) -> exp.Expr:
        return without_spaces_at_end(value)

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return without_spaces_at_end(value)

    def python(self, value: str | None) -> str | None:
        return None if value is None else value.rstrip(" ")


@dataclass(frozen=True, slots=True)
class PlainText:
    """An integer's digits, without the zeros that ZEROFILL prints. `cast` is SIGNED or UNSIGNED."""

    cast: str

    def spark(self, value: exp.Expr) -> exp.Expr:
        return exp.cast(exp.cast(value, "DECIMAL(20, 0)"), "STRING", dialect="spark")

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return utf8mb4(exp.cast(value, self.cast, dialect="mysql"))

    def python(self, value: str | None) -> str | None:
        return None if value is None else str(int(value))


@dataclass(frozen=True, slots=True)
class LongerDecimal:
    """More digits on either side of the point; `more` is what the text gains."""

    precision: int
    scale: int
    more: str

    def spark(self, value: exp.Expr) -> exp.Expr:
        return Appended(self.more).spark(value) if self.more else value

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return exp.cast(value, f"DECIMAL({self.precision}, {self.scale})", dialect="mysql")

    def python(self, value: str | None) -> str | None:
        return None if value is None else value + self.more


@dataclass(frozen=True, slots=True)
class PlainInteger:
    """A YEAR's four digits as a number: 0000 becomes 0."""

    def spark(self, value: exp.Expr) -> exp.Expr:
        return exp.cast(exp.cast(value, "BIGINT"), "STRING", dialect="spark")

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return exp.cast(value, "SIGNED", dialect="mysql")

    def python(self, value: str | None) -> str | None:
        return None if value is None else str(int(value))


@dataclass(frozen=True, slots=True)
class Appended:
    """More digits after the point, or the time of day midnight: the text goes on with `more`."""

    more: str

    def spark(self, value: exp.Expr) -> exp.Expr:
        return fill("CONCAT(hole_value, hole_more)", "spark", value=value, more=sql.text(self.more))

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return fill("CONCAT(hole_value, hole_more)", "mysql", value=utf8mb4(value), more=sql.text(self.more))

    def python(self, value: str | None) -> str | None:
        return None if value is None else value + self.more


@dataclass(frozen=True, slots=True)
class Cut:
    """The first `characters` of the text; nothing is rounded."""

    characters: int

    def spark(self, value: exp.Expr) -> exp.Expr:
        return exp.Left(this=value, expression=sql.number(self.characters))

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return exp.Left(this=utf8mb4(value), expression=sql.number(self.characters))

    def python(self, value: str | None) -> str | None:
        return None if value is None else value[: self.characters]


@dataclass(frozen=True, slots=True)
class CutAndTrimmed:
    """What a CHAR(n) gives back of a text: its first n characters without the spaces at the end."""

    characters: int

    def spark(self, value: exp.Expr) -> exp.Expr:
        return without_spaces_at_end(Cut(self.characters).spark(value))

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return without_spaces_at_end(Cut(self.characters).mysql(value))

    def python(self, value: str | None) -> str | None:
        return None if value is None else value[: self.characters].rstrip(" ")


@dataclass(frozen=True, slots=True)
class Rounded:
    """DECIMAL of fewer digits after the point: rounded half away from zero, as the server does it."""

    precision: int
    scale: int

    def spark(self, value: exp.Expr) -> exp.Expr:
        return exp.cast(exp.cast(value, self._type), "STRING", dialect="spark")

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return exp.cast(value, self._type, dialect="mysql")

    def python(self, value: str | None) -> str | None:
        if value is None:
            return None
        with localcontext() as context:
            context.prec = 80
            rounded = Decimal(value).quantize(Decimal(1).scaleb(-self.scale), rounding=ROUND_HALF_UP)
        return f"{abs(rounded) if rounded == 0 else rounded:f}"

    @property
    def _type(self) -> str:
        return f"DECIMAL({self.precision}, {self.scale})"


@dataclass(frozen=True, slots=True)
class Shortened:
    """On the way back: without `more` at its end. A value that ends otherwise gets `refused` behind it."""

    more: str
    refused: str

    def spark(self, value: exp.Expr) -> exp.Expr:
        return self._filled(value, "spark")

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return self._filled(utf8mb4(value), "mysql")

    def _filled(self, value: exp.Expr, dialect: SqlDialect) -> exp.Expr:
        count, more, refused = sql.number(len(self.more)), sql.text(self.more), sql.text(self.refused)
        return fill(_SHORTENED, dialect, value=value, count=count, more=more, refused=refused)

    def python(self, value: str | None) -> str | None:
        if value is None:
            return None
        return value.removesuffix(self.more) if value.endswith(self.more) else value + self.refused


_SHORTENED = """
IF(
  hole_value IS NULL OR RIGHT(hole_value, hole_count) = hole_more,
  LEFT(hole_value, CHAR_LENGTH(hole_value) - hole_count),
  CONCAT(hole_value, hole_refused)
)
"""


@dataclass(frozen=True, slots=True)
class FourDigits:
    """On the way back: a number as a YEAR is printed; 0 becomes 0000."""

    def spark(self, value: exp.Expr) -> exp.Expr:
        return fill(_FOUR_DIGITS, "spark", value=value)

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return fill(_FOUR_DIGITS, "mysql", value=utf8mb4(value))

    def python(self, value: str | None) -> str | None:
        return None if value is None else value.rjust(4, "0")


_FOUR_DIGITS = "IF(CHAR_LENGTH(hole_value) < 4, LPAD(hole_value, 4, '0'), hole_value)"


@dataclass(frozen=True, slots=True)
class Spelled:
    """On the way back: a text that the source's type prints in just this spelling, by a regular expression of Java and
    Python. Any other gets `refused` behind it: the server would trim it, fill it up or read it otherwise."""

    pattern: str
    refused: str

    def spark(self, value: exp.Expr) -> exp.Expr:
        pattern, refused = sql.text(rf"\A(?:{self.pattern})\z"), sql.text(self.refused)
        return fill(_SPELLED, "spark", value=value, pattern=pattern, refused=refused)

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return value

    def python(self, value: str | None) -> str | None:
        fits = value is None or re.fullmatch(self.pattern, value) is not None
        return value if fits else f"{value}{self.refused}"


_SPELLED = "IF(hole_value IS NULL OR hole_value RLIKE hole_pattern, hole_value, CONCAT(hole_value, hole_refused))"


@dataclass(frozen=True, slots=True)
class Default:
    """`text` where the value is NULL: canonical text of the source's type. `number`: MySQL takes it as a number."""

    text: str
    number: bool

    def spark(self, value: exp.Expr) -> exp.Expr:
        return exp.Coalesce(this=value, expressions=[sql.text(self.text)])

    def mysql(self, value: exp.Expr) -> exp.Expr:
        literal = _number(self.text) if self.number else sql.text(self.text)
        return exp.Coalesce(this=value, expressions=[literal])

    def python(self, value: str | None) -> str | None:
        return self.text if value is None else value


@dataclass(frozen=True, slots=True)
class Hashed:
    """SHA-256 over the UTF-8 bytes of the canonical text, as 64 hexadecimal digits in lower case."""

    def spark(self, value: exp.Expr) -> exp.Expr:
        return fill("SHA2(CAST(hole_value AS BINARY), 256)", "spark", value=value)

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return fill("SHA2(hole_value, 256)", "mysql", value=utf8mb4(value))

    def python(self, value: str | None) -> str | None:
        return None if value is None else hashlib.sha256(value.encode("utf-8")).hexdigest()


@dataclass(frozen=True, slots=True)
class LastKept:
    """All but the last `count` characters become '*'; a text that is no longer than that becomes '*' wholly, else short
    values would stand there as they are."""

    count: int

    def spark(self, value: exp.Expr) -> exp.Expr:
        return fill(_LAST, "spark", value=value, count=sql.number(self.count))

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return fill(_LAST, "mysql", value=utf8mb4(value), count=sql.number(self.count))

    def python(self, value: str | None) -> str | None:
        if value is None:
            return None
        hidden = len(value) - self.count
        return "*" * hidden + value[hidden:] if hidden > 0 else "*" * len(value)


_LAST = """
IF(CHAR_LENGTH(hole_value) > hole_count,
   CONCAT(REPEAT('*', CHAR_LENGTH(hole_value) - hole_count), RIGHT(hole_value, hole_count)),
   REPEAT('*', CHAR_LENGTH(hole_value)))
"""


@dataclass(frozen=True, slots=True)
class Redacted:
    """`text` whatever the value was, also for NULL: not even that is shown. None: NULL."""

    text: str | None

    def spark(self, value: exp.Expr) -> exp.Expr:
        return exp.cast(exp.Null(), "STRING", dialect="spark") if self.text is None else sql.text(self.text)

    def mysql(self, value: exp.Expr) -> exp.Expr:
        return exp.Null() if self.text is None else sql.text(self.text)

    def python(self, value: str | None) -> str | None:
        return self.text


def _number(text: str) -> exp.Expr:
    negative = text.startswith("-")
    literal = exp.Literal.number(text.removeprefix("-"))
    return exp.Neg(this=literal) if negative else literal
