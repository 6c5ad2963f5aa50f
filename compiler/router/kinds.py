"""Which type has a value in a programming language, and how does an integer get another width? Pure."""

from __future__ import annotations

from collections.abc import Callable

from shardwright.compiler.expressions.conditions import BooleanExpression
from shardwright.compiler.expressions.expression import (
    BytesExpression,
    Expression,
    IntegerExpression,
    TextExpression,
)
from shardwright.compiler.router.refusal import NotExpressible
from shardwright.compiler.router.terms import Kind, Term, number, step


def kind_of(value: Expression) -> Kind:
    """Raises NotExpressible for a value that rules do not have, such as a decimal."""
    if isinstance(value, IntegerExpression):
        return Kind.INT if value.interval.fits_signed_64 else Kind.WIDE
    if isinstance(value, TextExpression):
        return Kind.TEXT
    if isinstance(value, BytesExpression):
        return Kind.BYTES
    if isinstance(value, BooleanExpression):
        return Kind.BOOL
    raise NotExpressible(type(value).__name__)


def convert(term: Term, kind: Kind, make: Callable[..., Term] = step) -> Term:
    """INT as WIDE, or WIDE as the INT that it fits."""
    if term.kind is kind:
        return term
    if term.word == "number":
        return number(term.number, kind)
    return make("widen" if kind is Kind.WIDE else "narrow", kind, term)
