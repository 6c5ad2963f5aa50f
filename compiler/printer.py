"""Nodes to text, by sqlglot's own generators; a filled template is printed from its layout instead of node by node.

The text of a node is *raw* here: line breaks within literals still stand as sqlglot's sentinel, because they must not be
indented with the lines around them. `finished` turns raw text into SQL.
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

import sqlglot
from sqlglot import exp
from sqlglot.generator import Generator

from shardwright.compiler.plan import SqlDialect

MAX_WIDTH = 110
OPTIONS: dict[str, Any] = {"pretty": True, "identify": True, "max_text_width": MAX_WIDTH}


class Filled(exp.Expression, exp.Condition):
    """A filled template, a leaf to sqlglot: `this` is what `template.fill` was given. Copies share it."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True}


def raw_text(node: exp.Expr, dialect: SqlDialect) -> str:
    kind = type(node)
    if kind is Filled:
        return str(node.args["this"].raw_text())
    if kind is exp.Column and len(node.args) <= 2:
        name, table = node.args["this"], node.args.get("table")
        if type(name) is exp.Identifier and name.args.get("quoted"):
            text = quoted(name.args["this"], dialect)
            return f"{quoted(table.args['this'], dialect)}.{text}" if table is not None else text
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


@cache
def quoted(name: str, dialect: SqlDialect) -> str:
    return _generator(dialect).sql(exp.to_identifier(name, quoted=True))


@cache
def _generator(dialect: SqlDialect) -> Generator:
    base = generator_class(dialect)
    transforms = {**base.TRANSFORMS, Filled: lambda _, node: node.args["this"].raw_text()}
    made: Generator = type("Printer", (base,), {"TRANSFORMS": transforms})(dialect=_DIALECTS[dialect], **OPTIONS)
    return made


_DIALECTS: dict[SqlDialect, Any] = {name: sqlglot.Dialect.get_or_raise(name) for name in ("mysql", "spark")}
