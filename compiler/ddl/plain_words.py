"""Pieces of a table's definition in one spelling, whoever wrote them: a hand, MySQL or MariaDB. What servers say in several
ways and mean the same by is made equal; nothing else is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from shardwright.compiler.sql.mysql_parser import parse_tokens
from shardwright.compiler.sql.sql_tokens import PARSER_FAULTS
from shardwright.specs.files.sql_pieces import QUOTED_NAME, STRING

_VERSIONED = re.compile(rf"{STRING}|{QUOTED_NAME}|/\*M?!\d*+\s?(?>(?P<words>.*?)\*/|.*+)", re.DOTALL)
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")
_NOW: Final = (exp.CurrentTimestamp, exp.Localtimestamp)
_UTF8: Final = re.compile(r"^utf8(?=_|$)")
_WIDTHLESS: Final = frozenset(
    {
        *(exp.DType.TINYINT, exp.DType.SMALLINT, exp.DType.MEDIUMINT, exp.DType.INT, exp.DType.BIGINT),
        *(exp.DType.UTINYINT, exp.DType.USMALLINT, exp.DType.UMEDIUMINT, exp.DType.UINT, exp.DType.UBIGINT),
        exp.DType.YEAR,
    }
)


def read_create(text: str) -> exp.Create | None:
    """A CREATE TABLE as a hand or SHOW CREATE TABLE wrote it; None when it is not understood completely. What stands in version
    marks (`/*!80023 INVISIBLE */`) is what the server does, so it is read as plain SQL."""
    try:
        plain = _VERSIONED.sub(lambda found: found[0] if found["words"] is None else found["words"], text)
        (tree,) = parse_tokens(sqlglot.tokenize(plain, dialect="mysql"), plain)
    except (SqlglotError, *PARSER_FAULTS):
        return None
    return tree if isinstance(tree, exp.Create) and isinstance(tree.this, exp.Schema) else None


def charset_word(name: str) -> str:
    """utf8 is utf8mb3, in names of character sets and of collations."""
    return _UTF8.sub("utf8mb3", name.lower())


def collation_of(charset: str, collation: str, defaults: Mapping[str, str]) -> str:
    """The collation that both words name together. `defaults`: character set -> its collation on this server."""
    if collation:
        return charset_word(collation)
    word = charset_word(charset)
    found = {charset_word(name): charset_word(value) for name, value in defaults.items()}
    return found.get(word, f"the default of {word}" if word else "")


def plain_expression(node: exp.Expr) -> exp.Expr:
    """Without what says nothing: brackets (the tree holds the order), introducers before texts, letter case and quotes of names, the
    several words for the present time. A copy."""
    found = _plain(node).copy()
    found.comments = None
    for child in list(found.iter_expressions()):
        child.replace(plain_expression(child))
    return found


def _plain(node: exp.Expr) -> exp.Expr:
    while isinstance(node, (exp.Paren, exp.Introducer)):
        node = node.expression if isinstance(node, exp.Introducer) else node.this
    if isinstance(node, exp.Identifier):
        return exp.Identifier(this=node.name.lower(), quoted=True)
    if isinstance(node, exp.Boolean):
        return exp.Literal.number(int(bool(node.this)))
    if isinstance(node, exp.Anonymous) and str(node.name).upper() in ("NOW", "CURRENT_TIMESTAMP"):
        return exp.CurrentTimestamp(this=node.expressions[0].copy() if node.expressions else None)
    if isinstance(node, _NOW):
        digits = node.this if isinstance(node.this, exp.Literal) and node.this.name != "0" else None
        return exp.CurrentTimestamp(this=digits.copy() if digits else None)
    return node


def plain_default(value: exp.Expr, *, text: bool) -> str:
    """One server writes DEFAULT 0, the other DEFAULT '0' or '0.00'; for a `text` column digits are as they are."""
    node = plain_expression(value)
    sign, node = ("-", node.this) if isinstance(node, exp.Neg) else ("", node)
    if not isinstance(node, exp.Literal):
        return sign + meaning(node)
    if not text and _NUMBER.fullmatch(sign + node.name):
        return str(Decimal(sign + node.name).normalize() + 0)
    return f"'{sign}{node.name}'"


def plain_type(kind: exp.DataType, *, zerofill: bool) -> str:
    """`zerofill`: only then the width of an integer is more than decoration."""
    if kind.this == exp.DType.BOOLEAN:
        return "TINYINT"
    if kind.this in _WIDTHLESS and not zerofill:
        return exp.DataType(this=kind.this, nested=False).sql("mysql")
    if kind.this == exp.DType.DECIMAL:
        digits = [part.sql("mysql") for part in kind.expressions]
        precision = digits[0] if digits else "10"
        scale = digits[1] if len(digits) > 1 else "0"
        return f"DECIMAL({precision}, {scale})"
    return kind.sql("mysql")


def meaning(node: exp.Expr) -> str:
    """A text that is the same for trees that are: how the tree is built, not how it would be printed."""
    return repr(plain_expression(node))
