"""The checked way to conditions and choices, like `make`, and which of sqlglot's nodes they are for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from shardwright.compiler.expressions import functions
from shardwright.compiler.expressions.canonical import NotAValue, canonical, moment
from shardwright.compiler.expressions.choice import one_of
from shardwright.compiler.expressions.comparable import (
    MOST_DIGITS,
    DecimalExpression,
    EnumColumn,
    MomentExpression,
    MomentLiteral,
)
from shardwright.compiler.expressions.conditions import (
    SIGNS,
    BooleanExpression,
    Comparison,
    IsNull,
    Junction,
    Membership,
    Not,
)
from shardwright.compiler.expressions.expression import BytesExpression, Expression, IntegerExpression, TextExpression
from shardwright.compiler.expressions.families import family_name, find_folding_column
from shardwright.compiler.expressions.leaves import AddressColumn, TextLiteral
from shardwright.compiler.expressions.make import Maker, Refusal
from shardwright.specs.findings.wording import did_you_mean


def condition(value: Expression, user: str) -> BooleanExpression:
    if isinstance(value, BooleanExpression):
        return value
    raise Refusal("SW3050", f"{user} needs a condition", "compare the value with something: x = 1, x IS NOT NULL")


def connect(word: str, parts: Sequence[Expression]) -> BooleanExpression:
    checked = tuple(condition(part, word.upper()) for part in parts)
    flat: list[BooleanExpression] = []
    for part in checked:
        flat += part.parts if isinstance(part, Junction) and part.word == word else [part]
    return Junction("and" if word == "and" else "or", tuple(flat))


def comparison(sign: str, left: Expression, right: Expression) -> BooleanExpression:
    one, other = _of_one_family(sign, [left, right])
    return Comparison(sign, one, other)


def membership(value: Expression, choices: Sequence[Expression]) -> BooleanExpression:
    made, *others = _of_one_family("IN", [value, *choices])
    if any(other.columns() for other in others):
        raise Refusal("SW3051", "IN takes literals only", "write the comparisons out: a = b OR a = c")
    return Membership(made, tuple(others))


def starts_like(value: Expression, pattern: Expression) -> BooleanExpression:
    if not isinstance(value, TextExpression) or not isinstance(pattern, TextLiteral):
        raise Refusal("SW3051", "LIKE compares text with a literal pattern")
    start = pattern.value.removesuffix("%")
    if "%" in start or "_" in start:
        hint = "LIKE 'abc%' is exact; other patterns match differently under different collations"
        raise Refusal("SW3053", "LIKE may only ask how a text begins", hint)
    if start == pattern.value:
        return comparison("=", value, pattern)
    if not start:
        return Not(IsNull(value))
    return comparison("=", functions.LEFT(value, len(start)), TextLiteral(start))


def choice(branches: Sequence[tuple[Expression, Expression | None]], default: Expression | None) -> Expression:
    """None is NULL."""
    tests = [condition(test, "IF and CASE") for test, _ in branches]
    made = one_of(tests, [*(value for _, value in branches), default])
    if made is None:
        raise Refusal("SW3006", "IF and CASE need values of one kind: all integers, all text or all binary")
    return made


def moment_literal(text: str) -> MomentLiteral:
    """Of the form that columns have: with a space, and no zero date."""
    found = None if "T" in text or text.startswith("0000-00-00") else moment(text)
    if found is None:
        hint = "'2024-01-31', '2024-01-31 10:00:00' or '2024-01-31 10:00:00.000000'"
        raise Refusal("SW3052", f"'{text}' is no date or time of the calendar", hint)
    _, clock, digits = found
    return MomentLiteral(text, None if clock is None else len(digits))


def _of_one_family(sign: str, values: Sequence[Expression]) -> list[Expression]:
    """The values, literals turned into the family of the others. Raises Refusal when they are of different families."""
    if any(isinstance(value, MomentExpression) for value in values):
        values = [moment_literal(value.value) if isinstance(value, TextLiteral) else value for value in values]
        if all(isinstance(value, MomentExpression) for value in values):
            return list(values)
    elif any(isinstance(value, DecimalExpression) for value in values):
        if all(isinstance(value, IntegerExpression | DecimalExpression) for value in values):
            _check_digits(sign, values)
            return list(values)
    elif all(isinstance(value, TextExpression) for value in values):
        values = _addresses(sign, values)
        _check_labels(values)
        _check_collations(values)
        return list(values)
    else:
        for family in (IntegerExpression, BytesExpression):
            if all(isinstance(value, family) for value in values):
                return list(values)
    kinds = " and ".join(dict.fromkeys(family_name(value) for value in values))
    hint = "write text literals in quotes, numbers without" if "text" in kinds and "integer" in kinds else None
    raise Refusal("SW3051", f"'{sign}' cannot compare {kinds} exactly", hint)


def _check_digits(sign: str, values: Sequence[Expression]) -> None:
    whole = max(value.whole if isinstance(value, DecimalExpression) else _digits(value) for value in values)
    scale = max(value.scale if isinstance(value, DecimalExpression) else 0 for value in values)
    if whole + scale > MOST_DIGITS:
        raise Refusal("SW3051", f"'{sign}' needs {whole + scale} digits here, Spark has {MOST_DIGITS}")


def _digits(value: Expression) -> int:
    assert isinstance(value, IntegerExpression)
    return max(19, len(str(abs(value.interval.low))), len(str(abs(value.interval.high)))) + 1


def _addresses(sign: str, values: Sequence[Expression]) -> Sequence[Expression]:
    """The literals that are compared with a UUID, INET4 or INET6 as the server prints them. It orders these values by
    their bytes, which their texts do not show."""
    column = next((value for value in values if isinstance(value, AddressColumn)), None)
    if column is None:
        return values
    name = column.type.name
    if sign in ("<", "<=", ">", ">="):
        message = f"'{sign}' cannot compare {name.upper()} exactly: its order is not that of its text"
        raise Refusal("SW3051", message, "compare with = or IN, or a part of its text: substr(column, 1, 2)")
    try:
        return [
            TextLiteral(canonical(value.value, column.type)) if isinstance(value, TextLiteral) else value
            for value in values
        ]
    except NotAValue as reason:
        raise Refusal("SW3051", f"'{sign}' with column '{column.name}': {reason.reason}", reason.hint) from None


def _check_labels(values: Sequence[Expression]) -> None:
    """Under the column's collation another spelling may match too: only labels as they are written are exact."""
    for column in values:
        if isinstance(column, EnumColumn):
            for literal in values:
                if isinstance(literal, TextLiteral) and literal.value not in column.type.labels:
                    hint = did_you_mean(literal.value, column.type.labels)
                    message = f"'{literal.value}' is no label of column '{column.name}'"
                    raise Refusal("SW3054", message, hint or f"labels: {', '.join(column.type.labels)}")


def _check_collations(values: Sequence[Expression]) -> None:
    column = next((found for value in values if (found := find_folding_column(value)) is not None), None)
    if column is not None:
        message = f"column '{column.name}' has collation {column.type.collation}, which takes different texts for equal"
        hint = f"'binary {column.name} = …' compares bytes: letter case, accents and spaces at the end count"
        raise Refusal("SW3055", message, hint)


def _is(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    if not isinstance(node.expression, exp.Null):
        raise Refusal("SW3003", "IS takes NULL only", "x IS NULL, x IS NOT NULL")
    return IsNull(operands[0])


def _in(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    if len(operands) != 1 + len(node.expressions) or len(operands) < 2:
        raise Refusal("SW3051", "IN takes a list of literals, without NULL")
    return membership(operands[0], operands[1:])


def _between(_node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    value, low, high = operands
    return Junction("and", (comparison(">=", value, low), comparison("<=", value, high)))


def _like(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    made = starts_like(operands[0], operands[1])
    return Not(made) if node.args.get("negate") else made


def _choice(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    rest = iter(operands)

    def value(part: exp.Expr | None) -> Expression | None:
        return None if part is None or isinstance(part, exp.Null) else next(rest)

    if isinstance(node, exp.If):
        test = next(rest)
        return choice([(test, value(node.args.get("true")))], value(node.args.get("false")))
    subject = next(rest) if node.this is not None else None
    branches = []
    for branch in node.args["ifs"]:
        if isinstance(branch.this, exp.Null):
            raise Refusal("SW3051", "WHEN NULL is never true", "CASE WHEN x IS NULL THEN … END")
        test = next(rest)
        test = test if subject is None else comparison("=", subject, test)
        branches.append((test, value(branch.args["true"])))
    return choice(branches, value(node.args.get("default")))


def _cast(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    """BINARY x: the text itself, since texts are compared by their bytes anyway. DATE '…': a literal."""
    value = operands[0]
    if isinstance(node, exp.Cast) and node.to.this is exp.DType.BINARY:
        if node.to.expressions:
            raise Refusal("SW3006", "binary takes no length here")
        if isinstance(value, TextExpression):
            return functions.EXACT(value)
        if isinstance(value, BytesExpression):
            return value
        raise Refusal("SW3006", "binary takes text")
    if isinstance(value, TextLiteral):
        return moment_literal(value.value)
    if isinstance(node, exp.Cast) and node.to.this is exp.DType.DATE:
        return functions.date(value)
    raise Refusal("SW3006", "cast takes signed, unsigned, char, binary and date here")


MAY_HOLD_NULL = (exp.If, exp.Case, exp.In)

CONDITIONS: Mapping[type[exp.Expr], Maker] = {
    **dict.fromkeys(SIGNS, lambda node, parts: comparison(SIGNS[type(node)], parts[0], parts[1])),
    exp.And: lambda _node, parts: connect("and", parts),
    exp.Or: lambda _node, parts: connect("or", parts),
    exp.Not: lambda _node, parts: Not(condition(parts[0], "NOT")),
    exp.Is: _is,
    exp.In: _in,
    exp.Between: _between,
    exp.Like: _like,
    exp.If: _choice,
    exp.Case: _choice,
    exp.Cast: _cast,
}
