"""From the text of an expression to its tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shardwright.compiler.expressions.expression import Expression
from shardwright.compiler.expressions.leaves import column_expression
from shardwright.compiler.expressions.read_sql import SqlSource, read_sql
from shardwright.compiler.expressions.translate import Translator
from shardwright.compiler.plan.catalogue import Column
from shardwright.specs.findings.diagnostics import Findings, Note, Span


def parse_expression(
    text: str,
    *,
    columns: Mapping[str, Column],
    span: Span,
    findings: Findings,
    what: str = "a sharding expression",
    leaf: Callable[[Column], Expression | None] = column_expression,
    columns_from: Note | None = None,
) -> Expression | None:
    """The tree of a SQL expression over `columns` (the name written -> the column). None after at least one error.

    `what` is how findings call the expression; `leaf` says which columns it may read, `columns_from` where
    they are defined (a note for unknown ones).

    The tree names columns by `Column.name`: that is what `evaluate` looks up and what `qualify` is asked for.
    """
    source = SqlSource(text, span, what)
    own = Findings()
    node = read_sql(source, own)
    made = None if node is None else Translator(source, columns, own, leaf, columns_from).translate(node)
    if made is None and not own.has_errors:
        own.error("SW3003", f"'{text}' may not stand in {what}", span)
    findings.items.extend(own.items)
    return None if own.has_errors else made
