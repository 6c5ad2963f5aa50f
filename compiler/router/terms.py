"""What does a sharding function compute, in steps that every programming language has? Pure.

The expressions of a rule have arbitrary integers and NULL. A term says for each step whether its value fits a signed
integer of 64 bits (INT) or not (WIDE), and whether it may be NULL.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from shardwright.compiler.expressions.leaves import ColumnLeaf


class Kind(StrEnum):
    """The type of a term's value."""

    INT = "int"
    WIDE = "wide"
    TEXT = "text"
    BYTES = "bytes"
    BOOL = "bool"


@dataclass(frozen=True, slots=True)
class Term:
    """`word` names the step, of the operands `parts`. Only a column and a choice may be NULL: every other step is
    computed where its operands are not. A choice has conditions and then one outcome more; an outcome that is None is
    NULL.

    number   a literal; of a lookup the number of what is not listed
    text     a literal
    column   of a column: its leaf
    table    the numbers or the listed values that a ladder, a pick or a lookup looks at
    """

    word: str
    kind: Kind
    parts: tuple[Term | None, ...] = ()
    nullable: bool = False
    number: int = 0
    text: str = ""
    column: ColumnLeaf | None = None
    table: tuple[object, ...] = ()

    @property
    def operands(self) -> tuple[Term, ...]:
        return tuple(part for part in self.parts if part is not None)

    @property
    def conditions(self) -> tuple[Term | None, ...]:
        return self.parts[: len(self.parts) // 2]

    @property
    def outcomes(self) -> tuple[Term | None, ...]:
        return self.parts[len(self.parts) // 2 :]

    def walk(self) -> Iterator[Term]:
        """Itself and everything below it."""
        yield self
        for part in self.operands:
            yield from part.walk()


def number(value: int, kind: Kind = Kind.INT) -> Term:
    return Term("number", kind, number=value)


def bare(word: str, kind: Kind, *parts: Term, table: tuple[object, ...] = (), default: int = 0) -> Term:
    """The step over operands that are not NULL where it is computed."""
    return Term(word, kind, parts, table=table, number=default)


def step(word: str, kind: Kind, *parts: Term, table: tuple[object, ...] = (), default: int = 0) -> Term:
    """The step over the operands; NULL where one of them is."""
    strict = bare(word, kind, *parts, table=table, default=default)
    missing = tuple(part for part in parts if part.nullable)
    return choose((any_of(*map(is_null, missing)),), (None, strict), kind) if missing else strict


def choose(conditions: tuple[Term, ...], outcomes: tuple[Term | None, ...], kind: Kind) -> Term:
    """The outcome of the first condition that is true; the last one where none is."""
    return Term("choice", kind, (*conditions, *outcomes), nullable=True)


def is_null(value: Term) -> Term:
    return Term("is_null", Kind.BOOL, (value,)) if value.nullable else FALSE


def is_true(value: Term) -> Term:
    return Term("is_true", Kind.BOOL, (value,)) if value.nullable else value


def is_false(value: Term) -> Term:
    return Term("is_false", Kind.BOOL, (value,)) if value.nullable else Term("not", Kind.BOOL, (value,))


def any_of(*parts: Term) -> Term:
    """Of conditions that are never NULL."""
    result = parts[0]
    for part in parts[1:]:
        result = Term("or", Kind.BOOL, (result, part))
    return result


def all_of(*parts: Term) -> Term:
    """Of conditions that are never NULL."""
    result = parts[0]
    for part in parts[1:]:
        result = Term("and", Kind.BOOL, (result, part))
    return result


FALSE = Term("false", Kind.BOOL)
TRUE = Term("true", Kind.BOOL)
