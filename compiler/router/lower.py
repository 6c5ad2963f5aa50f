"""Which steps does an expression of a rule take? The translation of the tree that MySQL's, Spark's and Python's forms
are made of, for all programming languages at once. Pure.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

from shardwright.compiler.expressions import functions, ladder, words
from shardwright.compiler.expressions.arithmetic import Add, Divide, Modulo, Multiply, Negate, Subtract
from shardwright.compiler.expressions.call import Call, Function
from shardwright.compiler.expressions.choice import OneOf
from shardwright.compiler.expressions.conditions import (
    Comparison,
    IsNull,
    Junction,
    Membership,
    Not,
)
from shardwright.compiler.expressions.expression import (
    Expression,
)
from shardwright.compiler.expressions.hash_input import IntegerInput, SeededHash
from shardwright.compiler.expressions.interval import Interval
from shardwright.compiler.expressions.java_hash import JavaTextHash
from shardwright.compiler.expressions.ladder import Ladder, ValueChoice
from shardwright.compiler.expressions.leaves import (
    AddressColumn,
    BytesColumn,
    ColumnLeaf,
    DateColumn,
    IntegerColumn,
    IntegerLiteral,
    TextColumn,
    TextLiteral,
)
from shardwright.compiler.expressions.murmur3 import Murmur3
from shardwright.compiler.expressions.texts import DecimalText, LeadingInteger
from shardwright.compiler.router.kinds import convert, kind_of
from shardwright.compiler.router.refusal import NotExpressible
from shardwright.compiler.router.terms import (
    FALSE,
    TRUE,
    Kind,
    Term,
    all_of,
    any_of,
    bare,
    choose,
    is_false,
    is_null,
    is_true,
    number,
    step,
)

_SHORT_DIVISOR = 2**63 // 10 - 1
"""A division digit by digit stays within 63 bits."""


def lower(value: Expression) -> Term:
    """The steps. Raises NotExpressible."""
    for kind, make in _NODES.items():
        if isinstance(value, kind):
            return make(value)
    raise NotExpressible(type(value).__name__)


def _arithmetic(word: str) -> Callable[[Expression], Term]:
    """Computed in WIDE where an operand or the result needs it."""

    def make(value: Expression) -> Term:
        parts = [lower(part) for part in value.operands]
        if isinstance(value, Modulo | Divide):
            divisor = value.divisor
            parts.append(number(divisor, Kind.INT if Interval(divisor, divisor).fits_signed_64 else Kind.WIDE))
        wanted = kind_of(value)
        if Kind.WIDE in (wanted, *(part.kind for part in parts)):
            long = "_long" if word in ("mod", "div") and abs(parts[1].number) > _SHORT_DIVISOR else ""
            made = step(f"{word}_wide{long}", Kind.WIDE, *(convert(part, Kind.WIDE) for part in parts))
            return convert(made, wanted)
        plain = word in ("mod", "div") and value.operands[0].interval.low >= 0 and parts[1].number > 0  # type: ignore[attr-defined]
        return step(f"{word}_plain" if plain else word, Kind.INT, *parts)

    return make


def _literal(value: Expression) -> Term:
    assert isinstance(value, IntegerLiteral)
    return number(value.value, kind_of(value))


def _column(value: Expression) -> Term:
    assert isinstance(value, ColumnLeaf)
    if value.type.name == "inet6":
        why = "a router would have to print addresses as the server does"
        raise NotExpressible(f"column {value.name} (INET6)", why)
    return Term("column", kind_of(value), nullable=value.nullable, column=value)


def _octets(value: Expression) -> Term:
    made = lower(value)
    return step("utf8", Kind.BYTES, made) if made.kind is Kind.TEXT else made


def _text_of_integer(value: Expression) -> Term:
    made = lower(value)
    return step(_by_width("digits", made), Kind.TEXT, made)


def _by_width(word: str, term: Term) -> str:
    return f"{word}_wide" if term.kind is Kind.WIDE else word


def _call(value: Expression) -> Term:
    assert isinstance(value, Call)
    make = _CALLS.get(value.function)
    if make is None:
        raise NotExpressible(value.function.name)
    return make(value)


def _text_step(word: str) -> Callable[[Call], Term]:
    return lambda value: step(word, kind_of(value), *map(lower, value.values), *map(number, value.numbers))


def _octets_step(word: str) -> Callable[[Call], Term]:
    return lambda value: step(word, kind_of(value), *map(_octets, value.values), *map(number, value.numbers))


def _concat(value: Call) -> Term:
    return reduce(lambda left, right: step("concat", Kind.TEXT, left, right), map(lower, value.values))


def _substr_from_left(value: Call) -> Term:
    return step("substr", Kind.TEXT, lower(value.values[0]), number(1), number(value.numbers[0]))


def _clamp(value: Call) -> Term:
    made = lower(value.values[0])
    return step(_by_width("clamp", made), Kind.INT, made, *map(number, value.numbers))


def _pick(value: Call) -> Term:
    return step("pick", Kind.INT, lower(value.values[0]), table=value.numbers)


def _ladder(value: Expression) -> Term:
    assert isinstance(value, Ladder)
    made = lower(value.value)
    return step(_by_width("ladder", made), Kind.INT, made, table=_reachable(value))


def _reachable(value: Ladder) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Boundaries and results for what the value may be: a boundary beyond may not fit its type."""
    held = value.value.interval
    first = bisect_right(value.boundaries, held.low)
    last = bisect_right(value.boundaries, held.high)
    return value.boundaries[first:last], value.results[first : last + 1]


def _value_choice(value: Expression) -> Term:
    """By the text of a listed value: an integer's digits, bytes as hexadecimal digits."""
    assert isinstance(value, ValueChoice)
    made = lower(value.value)
    if made.kind in (Kind.INT, Kind.WIDE):
        made = step(_by_width("digits", made), Kind.TEXT, made)
    elif made.kind is Kind.BYTES:
        made = step("hex", Kind.TEXT, made)
    listed = {key.hex().upper() if isinstance(key, bytes) else str(key): to for key, to in value.results.items()}
    kept = tuple((key, to) for key, to in listed.items() if to != value.default)
    return step("lookup", Kind.INT, made, table=kept, default=value.default)


def _to_signed_long(value: Expression) -> Term:
    made = lower(value.operands[0])
    return step("signed_long", Kind.INT, convert(made, Kind.WIDE))


def _hash(value: Expression) -> Term:
    assert isinstance(value, SeededHash)
    word = "murmur3" if isinstance(value, Murmur3) else "xxhash64"
    if isinstance(value.value, IntegerInput):
        made = lower(value.value.value)
        octets = step(_by_width("little_endian", made), Kind.BYTES, made, number(value.value.width))
    else:
        octets = _octets(value.value.value)
    seed = value.seed - 2**64 if value.seed >= 2**63 else value.seed
    return step(word, kind_of(value), octets, number(seed))


_SIGNS = {"=": "eq", "<>": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def _compare(word: str, left: Term, right: Term, make: Callable[..., Term] = step) -> Term:
    if {left.kind, right.kind} == {Kind.INT, Kind.WIDE}:
        left, right = convert(left, Kind.WIDE, make), convert(right, Kind.WIDE, make)
    if left.kind is not right.kind:
        raise NotExpressible(f"a comparison of {left.kind} and {right.kind}")
    kind = "" if left.kind is Kind.INT else f"_{left.kind}"
    return make(f"{word}{kind}", Kind.BOOL, left, right)


def _comparison(value: Expression) -> Term:
    assert isinstance(value, Comparison)
    left, right = lower(value.left), lower(value.right)
    if value.sign != "<=>":
        return _compare(_SIGNS[value.sign], left, right)
    missing = is_null(left), is_null(right)
    same = _compare("eq", left, right, bare)
    return replace(choose((all_of(*missing), any_of(*missing)), (TRUE, FALSE, same), Kind.BOOL), nullable=False)


def _membership(value: Expression) -> Term:
    assert isinstance(value, Membership)
    tests = [_compare("eq", lower(value.value), lower(choice)) for choice in value.choices]
    return _join("or", tuple(tests))


def _join(word: str, parts: tuple[Term, ...]) -> Term:
    if not any(part.nullable for part in parts):
        return any_of(*parts) if word == "or" else all_of(*parts)
    decided = is_true if word == "or" else is_false
    first, other = (TRUE, FALSE) if word == "or" else (FALSE, TRUE)
    conditions = (any_of(*map(decided, parts)), any_of(*map(is_null, parts)))
    return choose(conditions, (first, None, other), Kind.BOOL)


def _junction(value: Expression) -> Term:
    assert isinstance(value, Junction)
    return _join(value.word, tuple(lower(part) for part in value.parts))


def _is_null(value: Expression) -> Term:
    assert isinstance(value, IsNull)
    return is_null(lower(value.value))


def _one_of(value: Expression) -> Term:
    assert isinstance(value, OneOf)
    kind = kind_of(value)
    outcomes = [None if part is None else _as(lower(part), kind) for part in value.outcomes]
    conditions = [is_true(lower(part)) for part in value.conditions]
    if not value.conditions:
        conditions = [Term("not", Kind.BOOL, (is_null(part),)) for part in outcomes[:-1] if part is not None]
    made = choose(tuple(conditions), tuple(outcomes), kind)
    return replace(made, nullable=value.nullable)


def _as(term: Term, kind: Kind) -> Term:
    return convert(term, kind) if kind in (Kind.INT, Kind.WIDE) else term


def _simple(word: str) -> Callable[[Expression], Term]:
    return lambda value: step(word, kind_of(value), *map(lower, value.operands))


def _absolute(value: Expression) -> Term:
    made = lower(value.operands[0])
    wide = Kind.WIDE in (made.kind, kind_of(value))
    if not wide:
        return step("abs", Kind.INT, made)
    return convert(step("abs_wide", Kind.WIDE, convert(made, Kind.WIDE)), kind_of(value))


_COLUMNS = (IntegerColumn, TextColumn, DateColumn, AddressColumn, BytesColumn)

_NODES: Mapping[type[Expression] | tuple[type[Expression], ...], Callable[[Expression], Term]] = {
    IntegerLiteral: _literal,
    TextLiteral: lambda value: Term("literal", Kind.TEXT, text=str(value._compute())),
    _COLUMNS: _column,
    Add: _arithmetic("add"),
    Subtract: _arithmetic("sub"),
    Multiply: _arithmetic("mul"),
    Negate: _arithmetic("neg"),
    Modulo: _arithmetic("mod"),
    Divide: _arithmetic("div"),
    Call: _call,
    DecimalText: lambda value: _text_of_integer(value.operands[0]),
    LeadingInteger: _simple("leading_integer"),
    words.Absolute: _absolute,
    words.SignedLong: _to_signed_long,
    JavaTextHash: _simple("java_hash"),
    SeededHash: _hash,
    Ladder: _ladder,
    ValueChoice: _value_choice,
    Comparison: _comparison,
    Membership: _membership,
    Junction: _junction,
    Not: _simple("not"),
    IsNull: _is_null,
    OneOf: _one_of,
}

_CALLS: Mapping[Function[Any], Callable[[Call], Term]] = {
    functions.EXACT: lambda value: lower(value.values[0]),
    functions.CONCAT: _concat,
    functions.SUBSTR: _text_step("substr"),
    functions.SUBSTR_TO_END: _text_step("substr_to_end"),
    functions.LEFT: _substr_from_left,
    functions.RIGHT: _text_step("right"),
    functions.UPPER: _text_step("upper"),
    functions.LOWER: _text_step("lower"),
    functions.HEX: _octets_step("hex"),
    functions.SHA2: _octets_step("sha2"),
    functions.CHAR_LENGTH: _text_step("char_length"),
    functions.LENGTH: _octets_step("byte_length"),
    functions.CRC32: _octets_step("crc32"),
    functions.MD5_PREFIX: _octets_step("md5_prefix"),
    ladder.CLAMP: _clamp,
    ladder.PICK: _pick,
    words.LOW_HALF: _text_step("low_half"),
    words.HIGH_HALF: _text_step("high_half"),
    words.XOR: _text_step("xor"),
}
