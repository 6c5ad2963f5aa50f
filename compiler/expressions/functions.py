"""The functions, conditions and choices of derived columns and row filters, beyond what sharding rules use: an
allow-list, and the checked way to each node, like `make`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from sqlglot import exp

from shardwright.compiler.expressions import make, make_conditions
from shardwright.compiler.expressions.comparable import DayOf, DecimalLiteral, MomentExpression, MomentPart
from shardwright.compiler.expressions.conditions import SIGNS
from shardwright.compiler.expressions.expression import BytesExpression, Expression, IntegerExpression, TextExpression
from shardwright.compiler.expressions.families import family_name
from shardwright.compiler.expressions.leaves import IntegerLiteral, TextLiteral
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.expressions.text_functions import (
    AsciiCase,
    ByteCount,
    CharacterCount,
    ExactText,
    HexText,
    LastCharacters,
    Sha2,
    most_bytes,
)
from shardwright.compiler.expressions.texts import Substring

_SHA2_BITS = (224, 256, 384, 512)


def first_characters(value: Expression, count: Expression) -> TextExpression:
    return Substring(_text(value, "left"), 1, _count(count, "left"))


def last_characters(value: Expression, count: Expression) -> TextExpression:
    return LastCharacters(_text(value, "right"), _count(count, "right"))


def ascii_case(value: Expression, *, upper: bool) -> TextExpression:
    return AsciiCase(_text(value, "upper" if upper else "lower"), upper)


def hexadecimal(value: Expression) -> TextExpression:
    part = _text_or_bytes(value, "hex")
    return HexText(part, most_bytes(part))


def sha2(value: Expression, bits: Expression) -> TextExpression:
    if not isinstance(bits, IntegerLiteral) or bits.value not in _SHA2_BITS:
        raise Refusal("SW3006", f"sha2 needs a literal length: {', '.join(map(str, _SHA2_BITS))}")
    return Sha2(_text_or_bytes(value, "sha2"), bits.value)


def character_count(value: Expression) -> IntegerExpression:
    return CharacterCount(_text(value, "char_length"))


def byte_count(value: Expression) -> IntegerExpression:
    part = _text_or_bytes(value, "length")
    return ByteCount(part, most_bytes(part))


def moment_part(part: str, value: Expression) -> IntegerExpression:
    moment = _moment(value, part)
    if moment.fraction is None and part in ("hour", "minute", "second"):
        raise Refusal("SW3006", f"{part} of a DATE is always 0")
    return MomentPart(part, moment)


def day_of(value: Expression) -> MomentExpression:
    moment = _moment(value, "date")
    return moment if moment.fraction is None else DayOf(moment)


def exact_text(value: TextExpression) -> TextExpression:
    return ExactText(value)


def _text(value: Expression, user: str) -> TextExpression:
    if isinstance(value, TextExpression):
        return value
    raise Refusal(
        "SW3006", f"{user} needs text, this is {family_name(value)}", "cast(... as char) makes text of an integer"
    )


def _text_or_bytes(value: Expression, user: str) -> TextExpression | BytesExpression:
    if isinstance(value, TextExpression | BytesExpression):
        return value
    raise Refusal("SW3006", f"{user} needs text or binary, this is {family_name(value)}")


def _moment(value: Expression, user: str) -> MomentExpression:
    if isinstance(value, MomentExpression):
        return value
    raise Refusal("SW3006", f"{user} needs a DATE, DATETIME or TIMESTAMP, this is {family_name(value)}")


def _count(value: Expression, user: str) -> int:
    if isinstance(value, IntegerLiteral) and 0 <= value.value <= make.MOST_CHARACTERS:
        return value.value
    raise Refusal("SW3006", f"{user} needs a literal number of characters")


Operands = Callable[[exp.Expr], list[exp.Expr]]
Maker = Callable[[exp.Expr, Sequence[Expression]], Expression]


def further_operands(node: exp.Expr) -> list[exp.Expr] | None:
    """The parts of a node of this list that are expressions themselves; None when it is not on it."""
    found = _NODES.get(type(node))
    if found is None or _is_other_cast(node):
        return None
    return [part for part in found[0](node) if not isinstance(part, exp.Null)]


def further(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    """The node made. Raises Refusal."""
    if not isinstance(node, _MAY_HOLD_NULL) and any(isinstance(part, exp.Null) for part in _NODES[type(node)][0](node)):
        raise Refusal("SW3051", "NULL equals nothing and decides nothing here", "x IS NULL, x IS NOT NULL")
    return _NODES[type(node)][1](node, operands)


_MAY_HOLD_NULL = (exp.If, exp.Case, exp.In)


def _is_other_cast(node: exp.Expr) -> bool:
    return isinstance(node, exp.Cast) and node.to.this not in _CASTS


def _left_and_right(node: exp.Expr) -> list[exp.Expr]:
    return [node.this, node.expression]


def _only(node: exp.Expr) -> list[exp.Expr]:
    return [node.this]


def _unwrapped(node: exp.Expr) -> list[exp.Expr]:
    """The argument; sqlglot wraps that of YEAR, MONTH and DAY as if DATE() had been written."""
    return [node.this.this if isinstance(node.this, exp.TsOrDsToDate) else node.this]


def _compared(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    return make_conditions.comparison(SIGNS[type(node)], operands[0], operands[1])


def _is(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    if not isinstance(node.expression, exp.Null):
        raise Refusal("SW3003", "IS takes NULL only", "x IS NULL, x IS NOT NULL")
    return make_conditions.is_null(operands[0])


def _in(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    if len(operands) != 1 + len(node.expressions) or len(operands) < 2:
        raise Refusal("SW3051", "IN takes a list of literals, without NULL")
    return make_conditions.membership(operands[0], operands[1:])


def _like(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    made = make_conditions.starts_like(operands[0], operands[1])
    return make_conditions.negation(made) if node.args.get("negate") else made


def _branches(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.If):
        return [part for part in (node.this, node.args.get("true"), node.args.get("false")) if part is not None]
    parts = [node.this] if node.this is not None else []
    for branch in node.args["ifs"]:
        parts += [branch.this, branch.args["true"]]
    default = node.args.get("default")
    return parts if default is None else [*parts, default]


def _choice(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    rest = iter(operands)

    def value(part: exp.Expr | None) -> Expression | make_conditions.NullLiteral:
        return make_conditions.NullLiteral() if part is None or isinstance(part, exp.Null) else next(rest)

    if isinstance(node, exp.If):
        test = next(rest)
        return make_conditions.choice([(test, value(node.args.get("true")))], value(node.args.get("false")))
    subject = next(rest) if node.this is not None else None
    branches = []
    for branch in node.args["ifs"]:
        if isinstance(branch.this, exp.Null):
            raise Refusal("SW3051", "WHEN NULL is never true", "CASE WHEN x IS NULL THEN … END")
        test = next(rest)
        test = test if subject is None else make_conditions.comparison("=", subject, test)
        branches.append((test, value(branch.args["true"])))
    return make_conditions.choice(branches, value(node.args.get("default")))


def _length(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    return byte_count(operands[0]) if node.args.get("binary") else character_count(operands[0])


def _sha2(node: exp.Expr) -> list[exp.Expr]:
    length = node.args.get("length")
    return [node.this, exp.Literal.number(256) if length is None else length]


def _cast(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    """BINARY x: the text itself, since texts are compared by their bytes anyway. DATE '…': a literal."""
    value = operands[0]
    if isinstance(node, exp.Cast) and node.to.this is exp.DType.BINARY:
        if node.to.expressions:
            raise Refusal("SW3006", "binary takes no length here")
        if isinstance(value, TextExpression):
            return exact_text(value)
        if isinstance(value, BytesExpression):
            return value
        raise Refusal("SW3006", "binary takes text")
    if isinstance(value, TextLiteral):
        return make_conditions.moment_literal(value.value)
    if isinstance(node, exp.Cast) and node.to.this is exp.DType.DATE:
        return day_of(value)
    raise Refusal("SW3006", "cast takes signed, unsigned, char, binary and date here")


def decimal_literal(text: str) -> Expression:
    """Raises Refusal for what is no plain decimal number."""
    whole, _, part = text.partition(".")
    if not (text.isascii() and (whole + part).isdigit() and part) or len(whole) + len(part) > 38:
        raise Refusal("SW3009", f"{text}: write integers and decimals of at most 38 digits, without an exponent")
    return DecimalLiteral(Decimal(text))


_CASTS = (exp.DType.BINARY, exp.DType.DATE, exp.DType.TIMESTAMPTZ)


def _part(name: str) -> Maker:
    return lambda _node, operands: moment_part(name, operands[0])


_NODES: Mapping[type[exp.Expr], tuple[Operands, Maker]] = {
    **dict.fromkeys(SIGNS, (_left_and_right, _compared)),
    exp.And: (_left_and_right, lambda _node, parts: make_conditions.connected("and", parts)),
    exp.Or: (_left_and_right, lambda _node, parts: make_conditions.connected("or", parts)),
    exp.Not: (_only, lambda _node, parts: make_conditions.negation(parts[0])),
    exp.Is: (_only, _is),
    exp.In: (lambda node: [node.this, *node.expressions], _in),
    exp.Between: (lambda node: [node.this, node.args["low"], node.args["high"]],
                  lambda _node, parts: make_conditions.between(parts[0], parts[1], parts[2])),
    exp.Like: (_left_and_right, _like),
    exp.If: (_branches, _choice),
    exp.Case: (_branches, _choice),
    exp.Left: (_left_and_right, lambda _node, parts: first_characters(parts[0], parts[1])),
    exp.Right: (_left_and_right, lambda _node, parts: last_characters(parts[0], parts[1])),
    exp.Upper: (_only, lambda _node, parts: ascii_case(parts[0], upper=True)),
    exp.Lower: (_only, lambda _node, parts: ascii_case(parts[0], upper=False)),
    exp.Length: (_only, _length),
    exp.Hex: (_only, lambda _node, parts: hexadecimal(parts[0])),
    exp.SHA2: (_sha2, lambda _node, parts: sha2(parts[0], parts[1])),
    exp.Year: (_unwrapped, _part("year")),
    exp.Month: (_unwrapped, _part("month")),
    exp.Day: (_unwrapped, _part("day")),
    exp.DayOfMonth: (_unwrapped, _part("day")),
    exp.Hour: (_only, _part("hour")),
    exp.Minute: (_only, _part("minute")),
    exp.Second: (_only, _part("second")),
    exp.TsOrDsToDate: (lambda node: [node.this], lambda _node, parts: day_of(parts[0])),
    exp.Cast: (_only, _cast),
}  # fmt: skip
