"""Shows that a statement printed by sqlglot still says every word of what was written.

sqlglot turns some things into others without a word (REAL into FLOAT, INT8 into TINYINT, REGEXP into a function that one
of the servers lacks). Words are compared as a bag: their order and nesting is what the parser answers for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import sqlglot
from sqlglot.tokenizer_core import Token, TokenType

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


def lost_words(written: Iterable[Token], printed: str) -> LostWords | None:
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
