"""A statement without its literals, and the digest of that: how equal statements are known. Pure."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from sqlglot import exp
from sqlglot.errors import SqlglotError

from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.sql_tokens import quiet_parser
from shardwright.compiler.workload.placeholders import LIST, normalise_placeholders
from shardwright.specs.files.sql_pieces import STRING

_LITERAL: Final = re.compile(rf"{STRING}|(?<![\w`.])\d+(?:\.\d+)?(?![\w.])", re.DOTALL)
_REPLACE: Final = re.compile(r"\s*REPLACE\s+(?:(?:LOW_PRIORITY|DELAYED)\s+)?(?:INTO\s+)?", re.IGNORECASE)
_LOW: Final = re.compile(r"\b(LOW_PRIORITY|HIGH_PRIORITY|DELAYED|QUICK)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """`tree` is None where the text is not understood. REPLACE is read as an INSERT that `replaces`."""

    tree: exp.Expr | None
    replaces: bool = False


def parse_statement(text: str) -> ParsedStatement:
    """Reads a statement as servers, drivers and log tools write it."""
    plain = normalise_placeholders(text)
    replaced = _REPLACE.match(plain)
    if replaced:
        plain = f"INSERT INTO {plain[replaced.end() :]}"
    elif re.match(r"\s*(INSERT|UPDATE|DELETE)\b", plain, re.IGNORECASE):
        plain = _LOW.sub("", plain, count=2)
    try:
        with quiet_parser():
            tree = parse_sql(plain)
    except (SqlglotError, ValueError, RecursionError):
        return ParsedStatement(None)
    return ParsedStatement(tree, replaced is not None)


def fold_literals(text: str) -> tuple[str, tuple[tuple[int, str], ...]]:
    """The text with `?` for each literal, and which literals are equal: for each its number among the distinct ones,
    and its kind. `conform` gives statements that agree in both one verdict, but for the values of the key."""
    seen: dict[str, int] = {}
    pattern: list[tuple[int, str]] = []

    def fold(found: re.Match[str]) -> str:
        literal = found[0]
        inner = _without_quotes(literal)
        kind = ("d" if inner.isdigit() else "s") if literal[0] in "'\"" else ("n" if inner.isdigit() else "f")
        pattern.append((seen.setdefault(inner, len(seen)), kind))
        return "?"

    return _LITERAL.sub(fold, text), tuple(pattern)


def literals_of(text: str) -> tuple[str, ...]:
    """The literals that `fold_literals` replaces, in order, without quotes."""
    return tuple(map(_without_quotes, _LITERAL.findall(text)))


def _without_quotes(literal: str) -> str:
    return literal[1:-1] if literal[0] in "'\"" else literal


def digest_of(text: str) -> tuple[str, str]:
    """The digest of 16 hexadecimal digits, and the text that it is made of: literals and placeholders are `?`, a list
    of several is one `...`, and so are several rows of VALUES."""
    parsed = parse_statement(text)
    if parsed.tree is None or isinstance(parsed.tree, exp.Command):
        shown = " ".join(fold_literals(normalise_placeholders(text))[0].split())
    else:
        verb = parsed.tree.transform(_without_value).sql(dialect="mysql", normalize_functions="upper", comments=False)
        shown = f"REPLACE{verb.removeprefix('INSERT')}" if parsed.replaces else verb
    return hashlib.sha256(shown.encode("utf-8", "replace")).hexdigest()[:16], shown


_SIGNS: Final = (exp.Literal, exp.Placeholder)
_LIST: Final = "list"
_ROWS: Final = "rows"


def _without_value(node: exp.Expr) -> exp.Expr:
    """What stands for a node in a digest. The parts of a new node are looked at here, those of the same node later."""
    match node:
        case exp.In() if len(node.expressions) > 1 and all(isinstance(one, _SIGNS) for one in node.expressions):
            return exp.In(this=node.this.copy().transform(_without_value), expressions=[exp.Placeholder(this=_LIST)])
        case exp.Values() if len(node.expressions) > 1:
            first = node.expressions[0].copy().transform(_without_value)
            return exp.Values(expressions=[first, exp.Tuple(expressions=[exp.Placeholder(this=_ROWS)])])
        case exp.Placeholder():
            return exp.Placeholder(this=_LIST) if node.this == LIST else exp.Placeholder()
        case exp.Literal() if not isinstance(node.parent, exp.JSONPath):
            return exp.Placeholder()
        case exp.Neg() if isinstance(node.this, exp.Literal):
            return exp.Placeholder()
        case exp.Identifier():
            return exp.to_identifier(node.name, quoted=not exp.SAFE_IDENTIFIER_RE.match(node.name))
    return node
