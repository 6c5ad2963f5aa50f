"""The parser of hand-written MySQL and of what servers print: sqlglot's, and the column types of both servers that it
lacks (FLOAT UNSIGNED, the kinds of GEOMETRY, INET4 and INET6), `ADD CHECK` without a name, `CONVERT TO CHARACTER SET`,
IF [NOT] EXISTS of each clause, and the partitions of a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError
from sqlglot.parsers.mysql import MySQLParser
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.compiler.sql.character_sets import convert_clause
from shardwright.compiler.sql.conditions import mark_names, set_conditions
from shardwright.compiler.sql.partitions import read_change, read_partitions, set_partitions
from shardwright.compiler.sql.word_reader import NotRead

_MYSQL = sqlglot.Dialect.get_or_raise("mysql")
_UNSIGNED = "SW_UNSIGNED"
_CONSTRAINTS = frozenset({"CHECK", "UNIQUE", "PRIMARY", "PRIMARY KEY", "FOREIGN", "FOREIGN KEY"})
_SIGNED = frozenset({"FLOAT", "REAL", "YEAR"})
_TYPES = frozenset(
    [
        *("INET4", "INET6", "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON"),
        *("GEOMETRYCOLLECTION", "GEOMCOLLECTION"),
    ]
)


class _Parser(MySQLParser):
    """`FLOAT UNSIGNED` is read as FLOAT with a constraint that is printed right after it."""

    CONSTRAINT_PARSERS: ClassVar = {**MySQLParser.CONSTRAINT_PARSERS, _UNSIGNED: lambda self: exp.Var(this="UNSIGNED")}
    ALTER_PARSERS: ClassVar = {**MySQLParser.ALTER_PARSERS, "CONVERT": convert_clause}


def parse_tokens(tokens: Sequence[Token], text: str) -> list[exp.Expr | None]:
    """The trees of these tokens of `text`, which lie there as they do in it. Raises ParseError and what `PARSER_FAULTS`
    names."""
    if (altered := _partitions_altered(tokens, text)) is not None:
        return [altered]
    before, partitions = _without_partitions(tokens, text)
    trees = _trees(before, text)
    if partitions and len(trees) == 1 and isinstance(trees[0], exp.Create) and isinstance(trees[0].this, exp.Schema):
        set_partitions(trees[0], partitions)
        return trees
    return _trees(tokens, text) if partitions else trees


def _trees(tokens: Sequence[Token], text: str) -> list[exp.Expr | None]:
    kinds: dict[int, str] = {}
    readable = list(_readable(tokens, kinds))
    trees: list[exp.Expr | None] = list(_Parser(dialect=_MYSQL, error_level=ErrorLevel.RAISE).parse(readable, text))
    for tree in trees:
        if tree is not None:
            set_conditions(tree)
        if tree is not None and _has_plain_intervals(tokens):
            _plain_intervals(tree)
        for column in tree.find_all(exp.ColumnDef) if tree is not None and kinds else ():
            kind = kinds.get(column.this.meta.get("end", -1))
            if kind is not None and column.kind is not None:
                column.set("kind", exp.DataType(this=exp.DType.USERDEFINED, kind=kind))
    return trees


def _without_partitions(tokens: Sequence[Token], text: str) -> tuple[Sequence[Token], str]:
    """The tokens before the PARTITION BY of one CREATE TABLE, and that clause as it is printed here. All tokens where
    it has none, or one that is not understood to its end."""
    if not tokens or tokens[0].text.upper() != "CREATE":
        return tokens, ""
    depth = 0
    for number, token in enumerate(tokens):
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
        if token.token_type is TokenType.SEMICOLON:
            break
        if depth == 0 and token.token_type is TokenType.PARTITION_BY:
            last = tokens[-2] if tokens[-1].token_type is TokenType.SEMICOLON else tokens[-1]
            try:
                return tokens[:number], read_partitions(text[token.start : last.end + 1]).text
            except NotRead:
                break
    return tokens, ""


def _partitions_altered(tokens: Sequence[Token], text: str) -> exp.Alter | None:
    """An ALTER TABLE that adds partitions, or divides some anew, with that as its only action."""
    words = [token.text.upper() for token in tokens[:5]]
    if words[:2] != ["ALTER", "TABLE"] or words[3:] not in (["ADD", "PARTITION"], ["REORGANIZE", "PARTITION"]):
        return None
    last = tokens[-2] if tokens[-1].token_type is TokenType.SEMICOLON else tokens[-1]
    try:
        change = read_change(text[tokens[3].start : last.end + 1])
    except NotRead:
        return None
    if not change.defined:
        return None
    name = exp.to_identifier(tokens[2].text, quoted=True)
    return exp.Alter(this=exp.Table(this=name), kind="TABLE", actions=[exp.Var(this=change.text)])


def _has_plain_intervals(tokens: Sequence[Token]) -> bool:
    """Whether whole numbers stand after INTERVAL, and none of them in quotes."""
    after = [two for one, two in pairwise(tokens) if one.token_type is TokenType.INTERVAL]
    quoted = any(token.token_type is TokenType.STRING and token.text.isdigit() for token in after)
    return not quoted and any(token.token_type is TokenType.NUMBER for token in after)


def _plain_intervals(tree: exp.Expr) -> None:
    """`INTERVAL 1 DAY` as the servers print it: sqlglot makes the number a text, which MySQL keeps as one."""
    for interval in tree.find_all(exp.Interval):
        value = interval.this
        if isinstance(value, exp.Literal) and value.is_string and value.name.isdigit():
            interval.set("this", exp.Literal.number(value.name))


def _readable(tokens: Sequence[Token], kinds: dict[int, str]) -> Sequence[Token]:
    """`kinds` takes the types that sqlglot lacks by the place where the name of their column ends."""
    made: list[Token] = []
    tokens = each_added(mark_names(tokens))
    for number, token in enumerate(tokens):
        word = token.text.upper()
        if (
            word == "UNSIGNED"
            and token.token_type is not TokenType.IDENTIFIER
            and _type_before(tokens, number) in _SIGNED
        ):
            token = _as(token, TokenType.VAR, _UNSIGNED)
        elif word in _TYPES and token.token_type is not TokenType.IDENTIFIER and number and _ends_name(tokens, number):
            kinds[tokens[number - 1].end] = word
            token = _as(token, TokenType.GEOMETRY, "GEOMETRY")
        elif word == "CHECK" and token.token_type is TokenType.VAR and number and _is_add(tokens[number - 1]):
            made.append(_as(token, TokenType.CONSTRAINT, "CONSTRAINT"))
        made.append(token)
    return made


def each_added(tokens: Sequence[Token]) -> Sequence[Token]:
    """`ADD (a int, b int)` of an ALTER TABLE as `ADD a int, ADD b int`, which is all that it means. A bracket that is
    empty or not closed stays."""
    if [token.text.upper() for token in tokens[:2]] != ["ALTER", "TABLE"]:
        return tokens
    made: list[Token] = []
    depth, add, rest = 0, tokens[0], list[Token]()
    for number, token in enumerate(tokens):
        is_left, is_right = token.token_type is TokenType.L_PAREN, token.token_type is TokenType.R_PAREN
        depth += is_left - is_right
        before = [other.text.upper() for other in tokens[max(number - 2, 0) : number]]
        if is_left and depth == 1 and (before[-1:] == ["ADD"] or before == ["ADD", "COLUMN"]):
            add, rest = tokens[number - (1 if before[-1] == "ADD" else 2)], [token]
        elif is_right and depth == 0 and len(rest) > 1:
            made, rest = [*made, *rest[1:]], []
        elif rest:
            rest += [token, add] if depth == 1 and token.token_type is TokenType.COMMA else [token]
        else:
            made.append(token)
    return [*made, *rest]


def without_empty_names(tokens: Sequence[Token]) -> list[Token]:
    """`ADD CONSTRAINT CHECK (...)` as `ADD CHECK (...)`: the word says nothing where no name follows."""
    after = [*(token.text.upper() for token in tokens[1:]), ""]
    return [
        token
        for token, word in zip(tokens, after, strict=False)
        if token.token_type is not TokenType.CONSTRAINT or word not in _CONSTRAINTS
    ]


def _as(token: Token, kind: TokenType, text: str) -> Token:
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)


def _is_add(token: Token) -> bool:
    """sqlglot reads `ADD CHECK (...)` only behind CONSTRAINT, whose name may be left out."""
    return token.text.upper() == "ADD" and token.token_type is not TokenType.IDENTIFIER


def _type_before(tokens: Sequence[Token], number: int) -> str:
    at = number - 1
    if at >= 0 and tokens[at].token_type is TokenType.R_PAREN:
        while at > 0 and tokens[at].token_type is not TokenType.L_PAREN:
            at -= 1
        at -= 1
    return tokens[at].text.upper() if at >= 0 and tokens[at].token_type is not TokenType.IDENTIFIER else ""


def _ends_name(tokens: Sequence[Token], number: int) -> bool:
    """Whether a column's name stands before the token: a call of POINT(...) has an operator or a bracket there."""
    return tokens[number - 1].token_type in (TokenType.IDENTIFIER, TokenType.VAR) and (
        number + 1 >= len(tokens) or tokens[number + 1].token_type is not TokenType.L_PAREN
    )


def parse_sql(text: str) -> exp.Expr:
    """The tree of one statement, as `sqlglot.parse_one` makes it. Raises what that raises."""
    (tree,) = parse_tokens(_MYSQL.tokenize(text), text)
    if tree is None:
        raise ParseError("there is no statement")
    return tree
