"""sqlglot's generators, with the options that all of our SQL is printed with."""

from __future__ import annotations

from contextlib import suppress
from functools import cache, lru_cache
from typing import Any, cast

import sqlglot
from sqlglot import exp
from sqlglot.generator import Generator

from shardwright.compiler.plan.plan import SqlDialect

MAX_WIDTH = 110
OPTIONS: dict[str, Any] = {"pretty": True, "identify": True, "max_text_width": MAX_WIDTH}


def _own_line_break() -> None:
    """While sqlglot prints, a word of its own stands for a line break within a text, and a text that holds this word
    would come out with a line break. No text of ours can hold NUL: neither YAML nor what servers print has it."""
    with suppress(TypeError, AttributeError):  # its compiled form forbids it
        Generator.SENTINEL_LINE_BREAK = "\x00SQLGLOT__LB\x00"


_own_line_break()


def _can_derive() -> bool:
    try:
        type("Derived", (Generator,), {})()
    except TypeError:
        return False
    return True


DERIVES = _can_derive()
"""Whether sqlglot's classes can be derived from. Its compiled form (`sqlglotc`) forbids it; statements are built and printed
as trees then, which gives the same text and takes longer."""


def generator_class(dialect: SqlDialect) -> Any:
    return _DIALECTS[dialect].generator_class


@cache
def plain_generator(dialect: SqlDialect) -> Generator:
    """As sqlglot has it."""
    return cast(Generator, generator_class(dialect)(dialect=_DIALECTS[dialect], **OPTIONS))


def with_transforms(dialect: SqlDialect, transforms: dict[type[exp.Expr], Any]) -> Generator:
    """One that prints nodes of these kinds by our own functions."""
    base = generator_class(dialect)
    derived = type("Printer", (base,), {"TRANSFORMS": {**base.TRANSFORMS, **transforms}})
    return cast(Generator, derived(dialect=_DIALECTS[dialect], **OPTIONS))


@lru_cache(maxsize=65536)
def quoted(name: str, dialect: SqlDialect) -> str:
    return str(plain_generator(dialect).identifier_sql(exp.to_identifier(name, quoted=True)))


_DIALECTS: dict[SqlDialect, Any] = {name: sqlglot.Dialect.get_or_raise(name) for name in ("mysql", "spark")}
