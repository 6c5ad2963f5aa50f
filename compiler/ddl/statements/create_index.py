"""CREATE INDEX as ALTER TABLE ADD INDEX, DROP INDEX as ALTER TABLE DROP INDEX: both servers take them for the same,
whatever kind the index is.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

_KINDS = ("UNIQUE", "FULLTEXT", "SPATIAL")
_WAYS = ("ALGORITHM", "LOCK")


def as_alter(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a statement; of a CREATE INDEX or DROP INDEX those of the ALTER TABLE, each in its place of the
    text. sqlglot reads few of the former: of key parts, it takes `note(10)` for the call of a function."""
    words = ["" if token.token_type is TokenType.IDENTIFIER else token.text.upper() for token in tokens]
    at = 2 if len(words) > 2 and words[1] in _KINDS else 1
    if words[:1] not in (["CREATE"], ["DROP"]) or words[at : at + 1] != ["INDEX"] or "ON" not in words:
        return [*tokens]
    on, creates = words.index("ON"), words[0] == "CREATE"
    ends = on + (4 if words[on + 2 : on + 3] == ["."] else 2)
    table, behind = tokens[on + 1 : ends], words[ends : ends + 1]
    if not (behind == ["("] if creates else table and (not behind or behind[0] in _WAYS)):
        return [*tokens]  # MariaDB has WAIT behind the table
    kind = tokens[1:2] if at == 2 else ()
    index = () if words[1] == "UNIQUE" else tokens[at : at + 1]
    name, rest = tokens[at + 1 : on], _with_commas(tokens[ends:], words[ends:])
    first = tokens[0]
    verb = _as(first, TokenType.VAR, "ADD") if creates else first
    return [
        *(_as(first, TokenType.ALTER, "ALTER"), _as(first, TokenType.TABLE, "TABLE"), *table, verb),
        *(*kind, *index, *name, *rest),
    ]


def _with_commas(tokens: Sequence[Token], words: Sequence[str]) -> list[Token]:
    """Before ALGORITHM and LOCK, which are clauses of their own in an ALTER TABLE."""
    made: list[Token] = []
    depth = 0
    for token, word in zip(tokens, words, strict=True):
        depth += (word == "(") - (word == ")")
        if word in _WAYS and not depth:
            made.append(_as(token, TokenType.COMMA, ","))
        made.append(token)
    return made


def _as(token: Token, kind: TokenType, text: str) -> Token:
    return Token(kind, text, token.line, token.col, token.start, token.end, [])
