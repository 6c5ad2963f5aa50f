"""Nodes to text, by sqlglot's own generators with the options that all of our SQL is printed with; a filled template is
printed from its layout instead of node by node.

The text of a node is *raw* here: line breaks within literals are still sqlglot's sentinel, because they must not be
indented with the lines around them. `finish` turns raw text into SQL.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any, ClassVar, TypeVar, cast

import sqlglot
from sqlglot import exp
from sqlglot.generator import Generator

from shardwright.compiler.plan.plan import SqlDialect

MAX_WIDTH = 110
OPTIONS: dict[str, Any] = {"pretty": True, "identify": True, "max_text_width": MAX_WIDTH}


def _own_line_break() -> None:
    """While sqlglot prints, a word of its own stands for a line break within a text, and a text that holds this word
    would come out with a line break. No text of ours can hold NUL: neither YAML nor what servers print has it."""
    with suppress(TypeError, AttributeError):  # its compiled form forbids it
        Generator.SENTINEL_LINE_BREAK = "\x00SQLGLOT__LB\x00"


_own_line_break()


def _can_derive() -> bool:
    try:
        type("Derived", (Generator,), {})()
    except TypeError:
        return False
    return True


DERIVES = _can_derive()
"""Whether sqlglot's classes can be derived from. Its compiled form (`sqlglotc`) forbids it; statements are built and
printed
as trees then, which gives the same text and takes longer."""


def generator_class(dialect: SqlDialect) -> Any:
    return _DIALECTS[dialect].generator_class


@cache
def plain_generator(dialect: SqlDialect) -> Generator:
    """As sqlglot has it."""
    return cast(Generator, generator_class(dialect)(dialect=_DIALECTS[dialect], **OPTIONS))


def with_transforms(dialect: SqlDialect, transforms: dict[type[exp.Expr], Any]) -> Generator:
    """One that prints nodes of these kinds by our own functions."""
    base = generator_class(dialect)
    derived = type("Printer", (base,), {"TRANSFORMS": {**base.TRANSFORMS, **transforms}})
    return cast(Generator, derived(dialect=_DIALECTS[dialect], **OPTIONS))


@lru_cache(maxsize=65536)
def quote_name(name: str, dialect: SqlDialect) -> str:
    return str(plain_generator(dialect).identifier_sql(exp.to_identifier(name, quoted=True)))


_DIALECTS: dict[SqlDialect, Any] = {name: sqlglot.Dialect.get_or_raise(name) for name in ("mysql", "spark")}


Node = TypeVar("Node", bound=exp.Expr)

TAIL = "written_after_name"
"""Key in a ColumnDef's `meta`: the text it has in common with others."""


class FilledNode(exp.Expression, exp.Condition):
    """A filled template, a leaf to sqlglot: `this` is what `template.fill` was given. Copies share it."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True}


def raw_text(node: exp.Expr, dialect: SqlDialect) -> str:
    kept: dict[SqlDialect, str] | None = getattr(node, _KEPT, None)
    if kept is None:
        return _print(node, dialect)
    text = kept.get(dialect)
    if text is None:
        text = kept[dialect] = _print(node, dialect)
    return text


def share(node: Node) -> Node:
    """The same node, which many statements will hold and none changes: its text is made once and kept by the node.
    Copies of it are nodes like others."""
    if DERIVES and not hasattr(node, _KEPT):
        setattr(node, _KEPT, {})
    return node


_KEPT = "kept_texts"
"""By dialect. An attribute, so that the texts live as long as the node; compiled nodes take none."""


def _print(node: exp.Expr, dialect: SqlDialect) -> str:
    known = _SIMPLE.get(type(node))
    text = known(node, dialect) if known is not None else None
    return _generator(dialect).sql(node) if text is None else text


def statement_text(node: exp.Expr, dialect: SqlDialect) -> str:
    """The node's SQL, as `node.sql()` would print it."""
    if type(node) is FilledNode:
        return finish(raw_text(node, dialect))
    return _generator(dialect).generate(node, copy=False)


def finish(raw: str) -> str:
    return raw.strip().replace(Generator.SENTINEL_LINE_BREAK, "\n")


@cache
def _generator(dialect: SqlDialect) -> Generator:
    if not DERIVES:
        return plain_generator(dialect)
    simple = {kind: _by_printer(kind, generator_class(dialect), dialect) for kind in _SIMPLE}
    return with_transforms(dialect, {**simple, exp.ColumnDef: _column_def, exp.DataType: _data_type})


def _by_printer(kind: type[exp.Expr], base: Any, dialect: SqlDialect) -> Callable[[Generator, exp.Expr], str]:
    """How a generator prints a node that stands within another one: as `raw_text` does."""
    known = _SIMPLE[kind]
    otherwise = base.TRANSFORMS.get(kind) or getattr(base, f"{kind.key}_sql", Generator.function_fallback_sql)

    def print_node(printer: Generator, node: exp.Expr) -> str:
        text = known(node, dialect)
        return str(otherwise(printer, node)) if text is None else text

    return print_node


def _column_def(printer: Generator, node: exp.ColumnDef) -> str:
    """Type and constraints that many columns share (`compiler/schema/known_tables.py`) are printed once."""
    args = node.args
    if TAIL not in (node._meta or ()):
        return str(type(printer).columndef_sql(printer, node))
    parts = [raw_text(args["this"], "mysql")]
    for part in (args["kind"], *(args.get("constraints") or ())):
        if isinstance(part, exp.ColumnConstraint) and isinstance(part.kind, exp.CommentColumnConstraint):
            parts.append(printer.sql(part))
            continue
        parts.append(raw_text(share(part), "mysql"))
    return " ".join(parts)


def _data_type(printer: Generator, node: exp.DataType) -> str:
    """A type that is only a word is printed once: Spark's generator parses a type's name for each that it prints."""
    kind = node.this
    if not isinstance(kind, exp.DType) or any(value for name, value in node.args.items() if name != "this"):
        return str(type(printer).datatype_sql(printer, node))
    known = _words.setdefault(type(printer), {})
    return known.get(kind) or known.setdefault(kind, str(type(printer).datatype_sql(printer, node)))


_words: dict[type, dict[exp.DType, str]] = {}


# What comes by the thousand is printed by these functions, as sqlglot prints it (tests/compiler/test_template.py
# compares).
# None: it is not of the simple form, and a generator prints it. No node has comments: they are dropped from what is
# read.


def _template_text(node: exp.Expr, dialect: SqlDialect) -> str:
    return str(node.args["this"].raw_text())


def _identifier(node: exp.Expr, dialect: SqlDialect) -> str:
    return quote_name(node.args["this"], dialect)


def _column(node: exp.Expr, dialect: SqlDialect) -> str | None:
    return _qualify(node.args, "table", dialect)


def _table(node: exp.Expr, dialect: SqlDialect) -> str | None:
    return _qualify(node.args, "db", dialect)


def _qualify(args: dict[str, Any], qualifier: str, dialect: SqlDialect) -> str | None:
    """The name, with what it belongs to before it."""
    if len(args) > 1 + (qualifier in args) or type(args["this"]) is not exp.Identifier:
        return None
    name = quote_name(args["this"].args["this"], dialect)
    before = args.get(qualifier)
    return name if before is None else f"{quote_name(before.args['this'], dialect)}.{name}"


def _alias(node: exp.Expr, dialect: SqlDialect) -> str | None:
    args = node.args
    if len(args) > 2:
        return None
    return f"{raw_text(args['this'], dialect)} AS {raw_text(args['alias'], dialect)}"


def _element(node: exp.Expr, dialect: SqlDialect) -> str | None:
    """Spark's `array[3]`."""
    args = node.args
    if len(args) > 2 or len(args["expressions"]) != 1 or dialect != "spark":
        return None
    index = args["expressions"][0]
    if type(index) is not exp.Literal or index.args["is_string"]:
        return None
    return f"{raw_text(args['this'], dialect)}[{index.args['this']}]"


def _cast(node: exp.Expr, dialect: SqlDialect) -> str | None:
    """Spark's generator parses the word JSON for each cast that it prints, to see whether it is one to JSON."""
    args = node.args
    value, to = args["this"], args["to"]
    plain = dialect == "spark" and len(args) == 2 and isinstance(to.this, exp.DType) and to.this is not exp.DType.JSON
    if not plain or to.args.get("nested") or isinstance(value, exp.Literal):
        return None
    return f"CAST({raw_text(value, dialect)} AS {raw_text(to, dialect)})"


def _paren(node: exp.Expr, dialect: SqlDialect) -> str:
    within = raw_text(node.args["this"], dialect).replace("\n", "\n  ")
    return f"(\n  {within}\n)"


def _not(node: exp.Expr, dialect: SqlDialect) -> str:
    return f"NOT {raw_text(node.args['this'], dialect)}"


def _connector(node: exp.Expr, dialect: SqlDialect) -> str:
    texts = operands(node, dialect)
    return ("\n" if sum(map(len, texts)) > MAX_WIDTH else " ").join(texts)


def operands(node: exp.Expr, dialect: SqlDialect) -> list[str]:
    """The operands of AND and OR, each but the first with its operator before it."""
    texts: list[str] = []
    while isinstance(node, exp.Connector):
        right = operands(node.right, dialect)
        texts[:0] = [f"{node.key.upper()} {right[0]}", *right[1:]]
        node = node.left
    return [raw_text(node, dialect), *texts]


def _comparison(operator: str) -> Callable[[exp.Expr, SqlDialect], str | None]:
    def print_comparison(node: exp.Expr, dialect: SqlDialect) -> str | None:
        args = node.args
        if len(args) > 2:
            return None
        return f"{raw_text(args['this'], dialect)} {operator} {raw_text(args['expression'], dialect)}"

    return print_comparison


_SIMPLE: dict[type[exp.Expr], Callable[[exp.Expr, SqlDialect], str | None]] = {
    FilledNode: _template_text,
    exp.Identifier: _identifier,
    exp.Column: _column,
    exp.Table: _table,
    exp.Alias: _alias,
    exp.Bracket: _element,
    exp.Cast: _cast,
    exp.Paren: _paren,
    exp.And: _connector,
    exp.Or: _connector,
    exp.Not: _not,
    exp.EQ: _comparison("="),
    exp.NEQ: _comparison("<>"),
    exp.GT: _comparison(">"),
    exp.GTE: _comparison(">="),
    exp.LT: _comparison("<"),
    exp.LTE: _comparison("<="),
}
