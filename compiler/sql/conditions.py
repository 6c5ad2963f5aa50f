"""IF [NOT] EXISTS of single clauses of an ALTER TABLE, as MariaDB has it: sqlglot takes it at some clauses only, and
prints it at fewer.

The words are taken out before a statement is parsed, and the name behind them is marked instead. So each clause is read
as if it had no condition, and `exists` is set on the action that has the marked name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

_MARK = "\x01if\x01"
"""No name of a server holds these signs."""
_BEFORE = frozenset(
    {"ADD", "MODIFY", "CHANGE", "DROP", "ALTER", "COLUMN", "INDEX", "KEY", "UNIQUE", "FULLTEXT", "SPATIAL",
     "CONSTRAINT", "FOREIGN KEY"}
)  # fmt: skip
"""The words that a clause's condition follows. That of ALTER TABLE itself, and those of partitions, stay."""
_QUOTED = (TokenType.IDENTIFIER, TokenType.STRING)


def without_conditions(tokens: Sequence[Token]) -> Sequence[Token]:
    """Those of one statement, without the conditions of its clauses if it is an ALTER TABLE."""
    return [token for token, _ in _read(tokens)] if _has_any(tokens) else tokens


def mark_names(tokens: Sequence[Token]) -> Sequence[Token]:
    """The same, and each name is marked that such a condition is about."""
    if not _has_any(tokens):
        return tokens
    return [
        Token(token.token_type, _MARK + token.text, token.line, token.col, token.start, token.end, token.comments)
        if is_about
        else token
        for token, is_about in _read(tokens)
    ]


def set_conditions(tree: exp.Expr) -> None:
    """Sets `exists` on the actions that have a marked name, in place. Raises ParseError where no action has it."""
    for name in [found for found in tree.find_all(exp.Identifier) if str(found.this).startswith(_MARK)]:
        name.set("this", str(name.this).removeprefix(_MARK))
        action: exp.Expr | None = name
        while action is not None and action.arg_key != "actions":
            action = action.parent
        if action is None:
            raise ParseError("IF EXISTS is not understood here")
        action.set("exists", True)


def name_if_absent(key: exp.Expr) -> None:
    """Gives a key, in place, IF NOT EXISTS before its name: `set_conditions` reads it again."""
    key.set("this", exp.Var(this=f"IF NOT EXISTS {key.this.sql('mysql', identify=True)}"))


def is_conditional(tree: exp.Expr) -> bool:
    """Whether a statement, or a part of it, has IF [NOT] EXISTS."""
    return any(part.args.get("exists") for part in tree.walk())


def unconditional(tree: exp.Expr) -> exp.Expr:
    """A copy in which no action of an ALTER TABLE has a condition."""
    plain = tree.copy()
    for action in plain.args.get("actions") or ():
        action.set("exists", None)
    return plain


def _has_any(tokens: Sequence[Token]) -> bool:
    return [token.text.upper() for token in tokens[:2]] == ["ALTER", "TABLE"] and any(_conditions(tokens))


def _conditions(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Where each begins, and what comes behind it."""
    depth = 0
    for at, token in enumerate(tokens):
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
        if depth or at < 2 or _word(tokens, at) != "IF" or _word(tokens, at - 1) not in _BEFORE:
            continue
        ends = at + 2 if _word(tokens, at + 1) == "NOT" else at + 1
        if _word(tokens, ends) == "EXISTS":
            yield at, ends + 1


def _word(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].text.upper() if at < len(tokens) and tokens[at].token_type not in _QUOTED else ""


def _read(tokens: Sequence[Token]) -> Iterator[tuple[Token, bool]]:
    """The tokens that are left, each with whether a condition is about it."""
    gone: set[int] = set()
    about: set[int] = set()
    for begins, ends in _conditions(tokens):
        gone.update(range(begins, ends))
        about.update(_names(tokens, ends) if tokens[ends : ends + 1] else ())
    yield from ((token, at in about) for at, token in enumerate(tokens) if at not in gone)


def _names(tokens: Sequence[Token], at: int) -> Iterable[int]:
    """The name at this place, or the first of each definition of `(a int, b int)`."""
    if tokens[at].token_type is not TokenType.L_PAREN:
        return (at,)
    found, depth = [at + 1], 0
    for place in range(at, len(tokens)):
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(tokens[place].token_type, 0)
        if depth == 0:
            break
        if depth == 1 and tokens[place].token_type is TokenType.COMMA:
            found.append(place + 1)
    return found
