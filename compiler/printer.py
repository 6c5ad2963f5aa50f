"""Nodes to text, by sqlglot's own generators; a filled template is printed from its layout instead of node by node.

The text of a node is *raw* here: line breaks within literals still stand as sqlglot's sentinel, because they must not be
indented with the lines around them. `finished` turns raw text into SQL.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, cast

import sqlglot
from sqlglot import exp
from sqlglot.generator import Generator

from shardwright.compiler.known_columns import TAIL
from shardwright.compiler.plan import SqlDialect

MAX_WIDTH = 110
OPTIONS: dict[str, Any] = {"pretty": True, "identify": True, "max_text_width": MAX_WIDTH}


def _can_derive() -> bool:
    try:
        type("Derived", (Generator,), {})()
    except TypeError:
        return False
    return True


DERIVES = _can_derive()
"""Whether sqlglot's classes can be derived from. Its compiled form (`sqlglotc`) forbids it; statements are built and printed
as trees then, which gives the same text and takes longer."""


class Filled(exp.Expression, exp.Condition):
    """A filled template, a leaf to sqlglot: `this` is what `template.fill` was given. Copies share it."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True}


def raw_text(node: exp.Expr, dialect: SqlDialect) -> str:
    known = _shared.get(id(node))
    if known is not None:
        return known.texts.get(dialect) or known.texts.setdefault(dialect, _printed(node, dialect))
    return _printed(node, dialect)


def shared(node: exp.Expr) -> exp.Expr:
    """The same node, which many statements will hold: its text is made once. It stays in memory for good."""
    _shared[id(node)] = _Shared(node, {})
    return node


@dataclass(frozen=True, slots=True)
class _Shared:
    """`node` is kept so that its id stays its own."""

    node: exp.Expr
    texts: dict[SqlDialect, str]


_shared: dict[int, _Shared] = {}


def _printed(node: exp.Expr, dialect: SqlDialect) -> str:
    """What comes by the thousand is printed here, as sqlglot prints it (tests/compiler/test_template.py compares)."""
    kind, args = type(node), node.args
    if kind is Filled:
        return str(args["this"].raw_text())
    if kind is exp.Column and len(args) <= 2 and type(args["this"]) is exp.Identifier:
        table = args.get("table")
        name = quoted(args["this"].args["this"], dialect)
        return f"{quoted(table.args['this'], dialect)}.{name}" if table is not None else name
    if kind is exp.Identifier:
        return quoted(args["this"], dialect)
    if kind is exp.Alias and len(args) == 2:
        return f"{raw_text(args['this'], dialect)} AS {raw_text(args['alias'], dialect)}"
    if kind is exp.EQ:
        return f"{raw_text(args['this'], dialect)} = {raw_text(args['expression'], dialect)}"
    if kind is exp.Bracket and len(args) == 2 and len(args["expressions"]) == 1 and dialect == "spark":
        index = args["expressions"][0]
        if type(index) is exp.Literal and not index.args["is_string"]:
            return f"{raw_text(args['this'], dialect)}[{index.args['this']}]"
    return _generator(dialect).sql(node)


def statement_text(node: exp.Expr, dialect: SqlDialect) -> str:
    """The node's SQL, as `node.sql()` would print it."""
    if type(node) is Filled:
        return finished(raw_text(node, dialect))
    return _generator(dialect).generate(node, copy=False)


def finished(raw: str) -> str:
    return raw.strip().replace(Generator.SENTINEL_LINE_BREAK, "\n")


def generator_class(dialect: SqlDialect) -> Any:
    return _DIALECTS[dialect].generator_class


@lru_cache(maxsize=65536)
def quoted(name: str, dialect: SqlDialect) -> str:
    return _generator(dialect).sql(exp.to_identifier(name, quoted=True))


@cache
def _generator(dialect: SqlDialect) -> Generator:
    base = generator_class(dialect)
    if not DERIVES:
        return cast(Generator, base(dialect=_DIALECTS[dialect], **OPTIONS))
    transforms = {
        **base.TRANSFORMS,
        Filled: lambda _, node: node.args["this"].raw_text(),
        exp.ColumnDef: _column_def,
        exp.DataType: _data_type,
    }
    made: Generator = type("Printer", (base,), {"TRANSFORMS": transforms})(dialect=_DIALECTS[dialect], **OPTIONS)
    return made


def _column_def(printer: Generator, node: exp.ColumnDef) -> str:
    """Type and constraints that many columns share (`compiler/known_columns.py`) are printed once."""
    args = node.args
    if TAIL not in (node._meta or ()):
        return str(type(printer).columndef_sql(printer, node))
    parts = [printer.sql(args["this"])]
    for part in (args["kind"], *(args.get("constraints") or ())):
        if isinstance(part, exp.ColumnConstraint) and isinstance(part.kind, exp.CommentColumnConstraint):
            parts.append(printer.sql(part))
            continue
        known = _shared.get(id(part)) or _shared.setdefault(id(part), _Shared(part, {}))
        dialect: SqlDialect = "mysql"
        parts.append(known.texts.get(dialect) or known.texts.setdefault(dialect, printer.sql(part)))
    return " ".join(parts)


def _data_type(printer: Generator, node: exp.DataType) -> str:
    """A type that is only a word is printed once: Spark's generator parses a type's name for each that it prints."""
    kind = node.this
    if not isinstance(kind, exp.DType) or any(value for name, value in node.args.items() if name != "this"):
        return str(type(printer).datatype_sql(printer, node))
    known = _words.setdefault(type(printer), {})
    return known.get(kind) or known.setdefault(kind, str(type(printer).datatype_sql(printer, node)))


_words: dict[type, dict[exp.DType, str]] = {}

_DIALECTS: dict[SqlDialect, Any] = {name: sqlglot.Dialect.get_or_raise(name) for name in ("mysql", "spark")}
