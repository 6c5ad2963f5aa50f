"""Pieces of SQL text by sqlglot's tokenizer: tokens with their places, and whether a statement printed by sqlglot still
says every word of what was written.

sqlglot turns some things into others without a word (REAL into FLOAT, INT8 into TINYINT, REGEXP into a function that
one
of the servers lacks). Words are compared as a bag: their order and nesting is what the parser answers for.
"""

from __future__ import annotations

import logging
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import sqlglot
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.specs.files.sql_pieces import BLOCK_COMMENT
from shardwright.specs.findings.diagnostics import Span

# Words that a server takes or leaves: `ADD a INT` is `ADD COLUMN a INT`, KEY is INDEX.
_OPTIONAL = frozenset({"COLUMN", "KEY", "INDEX", "GENERATED", "ALWAYS", "VIRTUAL", "(", ")", "=", "AS"})
_SAME = {
    "CHARSET": "CHARACTER SET",
    "INTEGER": "INT",
    "NUMERIC": "DECIMAL",
    "DEC": "DECIMAL",
    "BOOL": "BOOLEAN",
    "NOW": "CURRENT_TIMESTAMP",
    "LOCALTIMESTAMP": "CURRENT_TIMESTAMP",
    "SUBSTR": "SUBSTRING",
    "CURDATE": "CURRENT_DATE",
    "CURTIME": "CURRENT_TIME",
    "LCASE": "LOWER",
    "UCASE": "UPPER",
}
_QUOTED = frozenset({TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.HEX_STRING, TokenType.BIT_STRING})


@dataclass(frozen=True, slots=True)
class LostWords:
    written: str
    printed: str


def find_lost_words(written: Iterable[Token], printed: str) -> LostWords | None:
    """The words that stand only in what was written or in what was printed; None when they say the same."""
    before, after = _bag(written), _bag(sqlglot.tokenize(printed, dialect="mysql"))
    lost, new = before - after, after - before
    if not lost and not new:
        return None
    return LostWords(_list(lost), _list(new)) if lost else LostWords("this statement", _list(new))


def _list(words: Counter[str]) -> str:
    return " ".join(sorted(words.elements()))


def _bag(tokens: Iterable[Token]) -> Counter[str]:
    """`INTERVAL 1 DAY` is `INTERVAL '1' DAY`."""
    bag: Counter[str] = Counter()
    after_interval = False
    for token in tokens:
        number = after_interval and token.token_type is TokenType.NUMBER
        bag.update((repr(token.text),) if number else _words(token))
        after_interval = token.token_type is TokenType.INTERVAL
    return bag


def _words(token: Token) -> Iterable[str]:
    if token.token_type in _QUOTED:
        return (repr(token.text),)
    text = token.text.upper()
    words = _SAME.get(text, text).split()
    return (word for word in words if word not in _OPTIONAL)


_MYSQL = sqlglot.Dialect.get_or_raise("mysql")
_COMMENT = re.compile(rf"--[^\n]*+|#[^\n]*+|{BLOCK_COMMENT}", re.DOTALL)
_EXECUTED = ("/*!", "/*M!")

PARSER_FAULTS = (TypeError, ValueError, RecursionError)
"""What sqlglot's parser raises beside ParseError: for DEFAULT before a table option like ENGINE, for options without a
value, and for deep nesting."""


def part_tokens(text: str, parts: Sequence[tuple[int, int]]) -> list[Token]:
    """The tokens of parts of `text` (begin and end of each) as if nothing were between them. Their `start` and `end`
    are places in `text`; their `line` and `col` are not. Raises TokenError."""
    tokens = _MYSQL.tokenize("".join([text[begin:end] for begin, end in parts]))
    remaining = iter(parts)
    shift = edge = 0
    for token in tokens:
        # What sqlglot takes for the words of a command, it may place behind the text: the last part is where it is.
        while token.start >= edge and (part := next(remaining, None)) is not None:
            begin, end = part
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


def find_executed_comments(text: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Offset and length of the comments that servers execute (`/*!80000 ... */`). Only the space between tokens is
    searched: `/*!` within a string is text, and within a line comment too."""
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
