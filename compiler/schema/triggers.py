"""CREATE TRIGGER statements of a schema file, read as far as their table: a trigger is not carried to the shards, but
it is said that it stays behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.compiler.schema.cut import Region, Uncertain, cut
from shardwright.compiler.sql.sql_tokens import part_tokens, place
from shardwright.specs.findings.diagnostics import Span

_MENTIONED = re.compile(r"\bTRIGGER\b", re.IGNORECASE)
_LONGEST_PREFIX = 12  # CREATE OR REPLACE DEFINER = `user` @ `host` TRIGGER
_TEXTS = (TokenType.IDENTIFIER, TokenType.STRING)


@dataclass(frozen=True, slots=True)
class Trigger:
    """`event` in capitals, as "AFTER INSERT". `span` is the place of the trigger's name."""

    name: str
    table: str
    event: str
    span: Span


def read_triggers(text: str, *, file: str) -> tuple[Trigger, ...]:
    """The triggers of a schema file, in its order; none when the file cannot be read."""
    if not _MENTIONED.search(text):
        return ()
    try:
        return tuple(_triggers(_others(text), text, file=file))
    except (TokenError, Uncertain):
        pass
    try:
        return tuple(_triggers([part_tokens(text, [(0, len(text))])], text, file=file))
    except TokenError:
        return ()


def _others(text: str) -> Iterator[list[Token]]:
    """The tokens of each region that is no CREATE TABLE."""
    for region in cut(text):
        if region.opening is None:
            tokens = part_tokens(text, [(region.start, region.end)])
            _check_clear(tokens, last=region.end == len(text))
            yield tokens


def _triggers(texts: Iterable[Sequence[Token]], text: str, *, file: str) -> Iterator[Trigger]:
    for tokens in texts:
        for head in _scan(tokens).heads:
            name, table = tokens[head.name], tokens[head.table]
            span = place(text, name.start, file=file, length=name.end + 1 - name.start)
            event = f"{tokens[head.timing].text} {tokens[head.timing + 1].text}".upper()
            yield Trigger(name.text, table.text, event, span)


def statement_tokens(region: Region, text: str) -> Sequence[Token]:
    """The tokens of a part of the text, without triggers. Raises TokenError and Uncertain."""
    tokens = part_tokens(text, [(region.start, region.end)])
    _check_clear(tokens, last=region.end == len(text))
    return without_triggers(tokens)


def _check_clear(tokens: Sequence[Token], *, last: bool) -> None:
    """A trigger that does not end takes what follows it, and the words DELIMITER of a file go when it has triggers."""
    scan = _scan(tokens)
    if (scan.open and not last) or (not scan.heads and any(_is_delimiter(token) for token in tokens)):
        raise Uncertain


def without_triggers(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens without triggers and the `DELIMITER ;;` lines around them."""
    scan = _scan(tokens)
    return [token for token in scan.kept if not _is_delimiter(token)] if scan.heads else tokens


@dataclass(frozen=True, slots=True)
class _Head:
    """Of one trigger: the indexes of its name, its timing, its table and its body."""

    name: int
    timing: int
    table: int
    body: int


@dataclass(frozen=True, slots=True)
class _Scan:
    """The tokens outside of triggers, and the triggers; `open` when the last one has no end."""

    kept: list[Token]
    heads: list[_Head]
    open: bool


def _scan(tokens: Sequence[Token]) -> _Scan:
    kept: list[Token] = []
    heads: list[_Head] = []
    start: int | None = 0
    while start is not None and start < len(tokens):
        head = _head(tokens, start) if _begins_statement(tokens, start) else None
        if head is None:
            kept.append(tokens[start])
            start += 1
        else:
            heads.append(head)
            start = _end(tokens, head.body)
    return _Scan(kept, heads, start is None)


def _begins_statement(tokens: Sequence[Token], start: int) -> bool:
    return start == 0 or tokens[start - 1].token_type is TokenType.SEMICOLON


def _is_delimiter(token: Token) -> bool:
    return token.token_type is TokenType.VAR and token.text.upper() == "DELIMITER"


def _word(tokens: Sequence[Token], index: int) -> str:
    """The token there in capitals when it is a plain word or a sign, else an empty text."""
    if index >= len(tokens) or tokens[index].token_type in _TEXTS:
        return ""
    return tokens[index].text.upper()


def _head(tokens: Sequence[Token], start: int) -> _Head | None:
    """The trigger that starts there, if one does."""
    if _word(tokens, start) != "CREATE":
        return None
    words = [_word(tokens, index) for index in range(start + 1, start + _LONGEST_PREFIX)]
    if "TRIGGER" not in words or "(" in words[: words.index("TRIGGER")]:
        return None
    name = start + 2 + words.index("TRIGGER")
    if [_word(tokens, name + step) for step in range(3)] == ["IF", "NOT", "EXISTS"]:
        name += 3
    name += 2 if _word(tokens, name + 1) == "." else 0
    timing = name + 1
    if _word(tokens, timing) not in ("BEFORE", "AFTER") or _word(tokens, timing + 2) != "ON":
        return None
    table = timing + 3
    table += 2 if _word(tokens, table + 1) == "." else 0
    if [_word(tokens, table + step) for step in (1, 2, 3)] != ["FOR", "EACH", "ROW"]:
        return None
    return _Head(name, timing, table, table + 4)


def _end(tokens: Sequence[Token], body: int) -> int | None:
    """The index after a trigger's body: its last semicolon; None when it has none. BEGIN and CASE end with END; the
    other blocks with END and their own word."""
    depth = 0
    for index in range(body, len(tokens)):
        word = _word(tokens, index)
        before = _word(tokens, index - 1)
        if word in ("BEGIN", "CASE") and before != "END":
            depth += 1
        elif word == "END" and _word(tokens, index + 1) not in ("IF", "LOOP", "WHILE", "REPEAT"):
            depth -= 1
        elif word == ";" and depth <= 0:
            return index + 1
    return None
