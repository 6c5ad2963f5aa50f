"""Is a statement the CREATE TRIGGER that it claims to be, of one trigger on one table?

Pure. Only the head is read, up to FOR EACH ROW. What follows is the trigger's body: our connections take one statement
at a time, so that a server runs nothing behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_PIECE: Final = re.compile(
    r"(?P<skipped>\s+|/\*(?![!M]).*?\*/|--\s[^\n]*(?:\n|$)|\#[^\n]*(?:\n|$))"
    r"|`(?P<quoted>(?:[^`]|``)*)`"
    r'|"(?P<double>(?:[^"]|"")*)"'
    r"|(?P<word>[\w$]+)"
    r"|(?P<sign>[@.=])",
    re.DOTALL,
)
"""A comment that a server executes is no comment."""


@dataclass(frozen=True, slots=True)
class TriggerHead:
    """What the statement creates."""

    definer: str
    """As user@host."""
    name: str
    """The trigger's name."""
    table: str
    """The table that it is on."""
    databases: frozenset[str]
    """The databases that the statement names, in lower case."""


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    kind: str


def trigger_head(statement: str, *, sql_mode: str) -> TriggerHead | None:
    """None where the statement is anything else. `sql_mode`: the one that it is executed in."""
    pieces = _pieces(statement, ansi="ANSI_QUOTES" in sql_mode.upper().split(","))
    try:
        return _head(pieces)
    except (_Other, StopIteration):
        return None


class _Other(Exception):
    """The statement is another one."""


def _pieces(statement: str, *, ansi: bool) -> Iterator[_Piece]:
    at = 0
    while at < len(statement):
        found = _PIECE.match(statement, at)
        kind = None if found is None else found.lastgroup
        if found is None or kind is None or (kind == "double" and not ansi):
            raise _Other
        at, text = found.end(), found[kind]
        if kind == "quoted":
            yield _Piece(text.replace("``", "`"), "name")
        elif kind == "double":
            yield _Piece(text.replace('""', '"'), "name")
        elif kind != "skipped":
            yield _Piece(text, kind)


def _head(pieces: Iterator[_Piece]) -> TriggerHead:
    _words(pieces, "CREATE", "DEFINER")
    _sign(pieces, "=")
    user = _name(next(pieces))
    _sign(pieces, "@")
    host = _name(next(pieces))
    _words(pieces, "TRIGGER")
    first = next(pieces)
    if _is_word(first, "IF"):
        _words(pieces, "NOT", "EXISTS")
        first = next(pieces)
    name, database, behind = _place(first, pieces)
    if not _is_word(behind, "BEFORE", "AFTER") or not _is_word(next(pieces), "INSERT", "UPDATE", "DELETE"):
        raise _Other
    _words(pieces, "ON")
    table, other, behind = _place(next(pieces), pieces)
    if not _is_word(behind, "FOR"):
        raise _Other
    _words(pieces, "EACH", "ROW")
    return TriggerHead(f"{user}@{host}", name, table, frozenset(one.lower() for one in (database, other) if one))


def _place(first: _Piece, pieces: Iterator[_Piece]) -> tuple[str, str | None, _Piece]:
    """A name, its database, and the piece behind them."""
    name, behind = _name(first), next(pieces)
    if behind.kind != "sign":
        return name, None, behind
    if behind.text != ".":
        raise _Other
    return _name(next(pieces)), name, next(pieces)


def _name(piece: _Piece) -> str:
    if piece.kind == "sign":
        raise _Other
    return piece.text


def _is_word(piece: _Piece, *words: str) -> bool:
    return piece.kind == "word" and piece.text.upper() in words


def _words(pieces: Iterator[_Piece], *words: str) -> None:
    for word in words:
        if not _is_word(next(pieces), word):
            raise _Other


def _sign(pieces: Iterator[_Piece], sign: str) -> None:
    if next(pieces) != _Piece(sign, "sign"):
        raise _Other
