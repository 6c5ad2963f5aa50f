"""The character set that an ALTER TABLE converts a table to, or makes the default of its new columns. sqlglot knows the
second alone; of the first its tree keeps the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

_CONVERT = "CONVERT TO"
_NAMED = re.compile(r"CHARACTER SET (\w+)(?: COLLATE (\w+))?")


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """As written, in lower case; '' for the one that is not named."""

    charset: str
    collation: str

    @property
    def is_certain(self) -> bool:
        """Whether every server takes it for the same. Which collation a character set has by itself differs."""
        return self.charset != "default" and (bool(self.collation) or self.charset == "binary")

    @property
    def name(self) -> str:
        """The character set itself; a collation's name begins with its own."""
        return self.charset or self.collation.split("_")[0]


def convert_clause(parser: Any) -> exp.Command | None:
    """What stands behind CONVERT in an ALTER TABLE, taken from sqlglot's `parser`; None where it is something else."""
    if not parser._match_text_seq("TO"):
        return None
    if not parser._match(TokenType.CHARACTER_SET) and not parser._match_text_seq("CHARACTER", "SET"):
        return None
    charset = parser._parse_var(any_token=True)
    collation = parser._parse_var(any_token=True) if parser._match(TokenType.COLLATE) else None
    if charset is None:
        return None
    return convert_to(charset.name, "" if collation is None else collation.name)


def convert_to(charset: str, collation: str) -> exp.Command:
    """The clause of an ALTER TABLE; the collation may be ''."""
    words = f"CHARACTER SET {charset}" + (f" COLLATE {collation}" if collation else "")
    return exp.Command(this=_CONVERT, expression=words)


def conversion_of(action: exp.Expr) -> CharacterSet | None:
    """What a clause of an ALTER TABLE converts the table to; None where it is another clause."""
    if not isinstance(action, exp.Command) or action.this != _CONVERT:
        return None
    found = _NAMED.fullmatch(str(action.expression))
    return CharacterSet(found[1].lower(), (found[2] or "").lower()) if found else None


def default_named(options: Iterable[exp.Expr]) -> CharacterSet | None:
    """What the options of a table name as its default; None where they name none."""
    by_kind = {type(option): option.name.lower() for option in options}
    charset, collation = by_kind.get(exp.CharacterSetProperty, ""), by_kind.get(exp.CollateProperty, "")
    return CharacterSet(charset, collation) if charset or collation else None
