"""The checked way to a node: each function makes one operator's node or says why there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from shardwright.compiler.expressions.arithmetic import Add, Divide, Modulo, Multiply, Negate, Subtract
from shardwright.compiler.expressions.expression import BytesExpression, Expression, IntegerExpression, TextExpression
from shardwright.compiler.expressions.interval import SIGNED_64_LOW
from shardwright.compiler.expressions.leaves import IntegerLiteral, TextLiteral
from shardwright.compiler.expressions.texts import DecimalText, LeadingInteger

Maker = Callable[[exp.Expr, Sequence[Expression]], Expression]
"""Makes our node of sqlglot's and of the operands. Raises Refusal."""


class Refusal(Exception):
    """Why a node cannot be made; the caller knows the place."""

    def __init__(self, code: str, message: str, hint: str | None = None) -> None:
        self.code = code
        self.message = message
        self.hint = hint
        super().__init__(message)


def fold_constant(value: Expression) -> Expression:
    """A literal in place of an expression without columns: servers then have nothing to type or convert."""
    if value.columns():
        return value
    if isinstance(value, IntegerExpression):
        constant = value.evaluate({})
        return value if constant is None else IntegerLiteral(constant)
    text = value.evaluate({}) if isinstance(value, TextExpression) else None
    return value if text is None else TextLiteral(text)


def integer(value: Expression, user: str) -> IntegerExpression:
    if isinstance(value, IntegerExpression):
        return value
    kind = family_name(value)
    hints = {"text": "crc32(...) or cast(... as signed) makes an integer of text", "binary": "use crc32(...)"}
    raise Refusal("SW3006", f"{user} needs an integer, this is {kind}", hints.get(kind))


def sum_of(left: IntegerExpression, right: IntegerExpression) -> IntegerExpression:
    return _within_range(Add(left, right), "the sum", left, right)


def difference(left: IntegerExpression, right: IntegerExpression) -> IntegerExpression:
    return _within_range(Subtract(left, right), "the difference", left, right)


def product(left: IntegerExpression, right: IntegerExpression) -> IntegerExpression:
    return _within_range(Multiply(left, right), "the product", left, right)


def negate(value: IntegerExpression) -> IntegerExpression:
    return _within_range(Negate(value), "the negation", value)


def modulo(dividend: IntegerExpression, divisor: IntegerExpression) -> IntegerExpression:
    return Modulo(dividend, abs(_divisor(divisor, "%")))


def quotient(dividend: IntegerExpression, divisor: IntegerExpression) -> IntegerExpression:
    number = _divisor(divisor, "div")
    if number == 1:
        return dividend
    made = Divide(dividend, number)
    # MySQL, unlike MariaDB, refuses even the quotient -2**63, which a BIGINT could hold
    if not made.interval.fits_signed_64 or made.interval.low == SIGNED_64_LOW:
        raise Refusal("SW3008", f"the quotient may overflow: it is {made.interval}, and div yields 64 bits signed")
    return made


def as_text(value: Expression, user: str) -> TextExpression:
    if isinstance(value, TextExpression):
        return value
    if isinstance(value, IntegerExpression):
        return DecimalText(value)
    if isinstance(value, BytesExpression):
        raise Refusal("SW3006", f"{user} cannot take a binary column: its bytes are no characters", "use crc32(column)")
    raise Refusal("SW3006", f"{user} needs text or an integer, this is {family_name(value)}")


def family_name(value: Expression) -> str:
    from shardwright.compiler.expressions import families  # knows every class; only a refusal needs it

    return families.family_name(value)


def coalesce(choices: Sequence[Expression]) -> Expression:
    from shardwright.compiler.expressions.choice import one_of  # rare in rules

    made = one_of((), choices)
    if made is None:
        raise Refusal("SW3006", "coalesce needs values of one kind: all integers, all text or all binary")
    return made


def cast_signed(value: Expression) -> IntegerExpression:
    number = _number_in(value, "signed")
    if not number.interval.fits_signed_64:
        raise Refusal("SW3008", f"the cast may overflow: the value is {number.interval}, signed holds 64 bits")
    return number


def cast_unsigned(value: Expression) -> IntegerExpression:
    number = _number_in(value, "unsigned")
    if number.interval.low < 0 or number.interval.high >= 2**64:
        hint = "cast as signed, then ((x % n) + n) % n" if number.interval.low < 0 else None
        raise Refusal("SW3008", f"the cast may overflow: the value is {number.interval}, unsigned holds 64 bits", hint)
    return number


def _number_in(value: Expression, target: str) -> IntegerExpression:
    return LeadingInteger(value) if isinstance(value, TextExpression) else integer(value, f"cast as {target}")


def _within_range(made: IntegerExpression, what: str, *operands: IntegerExpression) -> IntegerExpression:
    """64 bits signed; DECIMAL(38,0) only where an operand is wider than that already."""
    wide = any(not operand.interval.fits_signed_64 for operand in operands)
    if made.interval.fits_signed_64 or (wide and made.interval.fits_decimal_38):
        return made
    limit = "38 digits" if wide else "64 bits signed"
    hint = "bring the operands down with % first"
    raise Refusal("SW3008", f"{what} may overflow: it is {made.interval}, more than {limit} hold", hint)


def _divisor(value: IntegerExpression, operator: str) -> int:
    if not isinstance(value, IntegerLiteral):
        raise Refusal("SW3007", f"the divisor of {operator} must be an integer literal")
    if value.value == 0:
        raise Refusal("SW3007", f"the divisor of {operator} is zero")
    if abs(value.value) >= 2**63:
        raise Refusal("SW3007", f"the divisor of {operator} does not fit 64 bits signed")
    return value.value
