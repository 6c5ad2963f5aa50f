"""Hand-written SQL before it is parsed: its statements, its executed comments, and places in its text."""

from __future__ import annotations

import logging
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

import sqlglot
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.specs.files.sql_pieces import BLOCK_COMMENT
from shardwright.specs.findings.diagnostics import Span

_MYSQL = sqlglot.Dialect.get_or_raise("mysql")
_COMMENT = re.compile(rf"--[^\n]*+|#[^\n]*+|{BLOCK_COMMENT}", re.DOTALL)
_EXECUTED = ("/*!", "/*M!")

PARSER_FAULTS = (TypeError, ValueError, RecursionError)
"""What sqlglot's parser raises beside ParseError: for DEFAULT before a table option like ENGINE, for options without a value,
and for deep nesting."""


def part_tokens(text: str, parts: Sequence[tuple[int, int]]) -> list[Token]:
    """The tokens of parts of `text` (begin and end of each) as if nothing stood between them. Their `start` and `end` are
    places in `text`; their `line` and `col` are not. Raises TokenError."""
    tokens = _MYSQL.tokenize("".join([text[begin:end] for begin, end in parts]))
    remaining = iter(parts)
    shift = edge = 0
    for token in tokens:
        while token.start >= edge:
            begin, end = next(remaining)
            shift = begin - edge
            edge += end - begin
        token.start += shift
        token.end += shift
    return tokens


def split(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """The tokens of each statement that is not empty, without its semicolon."""
    part: list[Token] = []
    for token in tokens:
        if token.token_type is not TokenType.SEMICOLON:
            part.append(token)
        elif part:
            yield part
            part = []
    if part:
        yield part


def executed_comments(text: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Offset and length of the comments that servers execute (`/*!80000 ... */`). Only the space between tokens is searched:
    `/*!` within a string is text, and within a line comment too."""
    ends = [0, *(token.end + 1 for token in tokens)]
    starts = [*(token.start for token in tokens), len(text)]
    for end, start in zip(ends, starts, strict=True):
        for comment in _COMMENT.finditer(text, end, start):
            if comment.group().startswith(_EXECUTED):
                yield comment.start(), len(comment.group())


def end_of(statement: Sequence[Token], text: str) -> int:
    """Where its semicolon stands: a comment before that is a part of the statement."""
    semicolon = text.find(";", statement[-1].end + 1)
    return len(text) if semicolon < 0 else semicolon


def place(text: str, offset: int, *, file: str, length: int) -> Span:
    starts = _line_starts(text)
    line = bisect_right(starts, offset)
    return Span(file, line, offset - starts[line - 1] + 1, length)


@lru_cache(maxsize=4)
def _line_starts(text: str) -> tuple[int, ...]:
    return (0, *(found.end() for found in re.finditer("\n", text)))


@contextmanager
def quiet_parser() -> Iterator[None]:
    """sqlglot logs each statement that it does not know; the finding says it better."""
    logger = logging.getLogger("sqlglot")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
