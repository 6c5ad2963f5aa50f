"""The expressions of a sharding rule for another number of databases and tables. Pure.

An expression is adapted only where its form says what its number counts: `X % 4` counts the 4 databases, and in
`(X div 4) % 8` the first number sets aside what the database was chosen by. Everything else is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.read_sql import SqlSource, read_sql
from shardwright.compiler.sql.sql_text import number
from shardwright.specs.findings.diagnostics import Findings, Span


@dataclass(frozen=True, slots=True)
class Counts:
    """How many databases there are, or tables in each, in the old target and in the new one."""

    old: int
    new: int


@dataclass(frozen=True, slots=True)
class Part:
    """One of a rule's two expressions (None: not written) with its place."""

    text: str | None
    counts: Counts
    span: Span
    what: str
    """"database" or "table"."""


class NotAdapted(Exception):
    """A person has to write the expression. `span` is the place of what is not understood."""

    def __init__(self, message: str, span: Span) -> None:
        self.message, self.span = message, span
        super().__init__(message)


def adapt(database: Part, table: Part) -> tuple[str | None, str | None]:
    """Both expressions for the new counts. Raises NotAdapted."""
    if all(part.counts.old == part.counts.new for part in (database, table)):
        return database.text, table.text
    values = _Spread.of(database), _Spread.of(table)
    if values[0] is None and values[1] is None and max(database.counts.new, table.counts.new) > 1:
        raise NotAdapted("the rule has no expression, and there will be more than one place", database.span)
    return _adapt(database, values[0], table, values[1]), _adapt(table, values[1], database, values[0])


@dataclass(frozen=True, slots=True)
class _Spread:
    """`value % counts.old`."""

    value: exp.Expr
    source: SqlSource

    @classmethod
    def of(cls, part: Part) -> _Spread | None:
        """None for an expression that is not written, or that says 0 as there is one place."""
        tree = _tree(part)
        if tree is None or (part.counts.old == 1 and _is_number(tree, 0)):
            return None
        source = SqlSource(part.text or "", part.span)
        if not isinstance(tree, exp.Mod):
            message = f"the {part.what} expression is no remainder: it is not known what it counts"
            raise NotAdapted(message, part.span)
        divisor = tree.expression.unnest()
        if not _is_number(divisor, part.counts.old):
            message = (
                f"the {part.what} expression is a remainder of {divisor.sql('mysql')}, and there are "
                f"{part.counts.old} {part.what}s"
            )
            raise NotAdapted(message, source.place_of(divisor))
        return cls(tree.this.unnest(), source)


def _adapt(part: Part, own: _Spread | None, other: Part, others: _Spread | None) -> str | None:
    if part.counts.new == 1:
        return None
    if own is not None:
        value = _divide_out(own, other, others)
    else:
        assert others is not None
        value = exp.IntDiv(this=_operand(others.value), expression=number(other.counts.new))
        value = value if other.counts.new > 1 else others.value
    return exp.Mod(this=_operand(value), expression=number(part.counts.new)).sql("mysql", normalize_functions=False)


def _divide_out(own: _Spread, other: Part, others: _Spread | None) -> exp.Expr:
    """The value that the remainder is taken of. Where it is what the other expression left (`X div 4`), the 4 is the
    other's count."""
    if others is None or own.value == others.value:
        return own.value
    if isinstance(own.value, exp.IntDiv) and own.value.this.unnest() == others.value:
        if _is_number(own.value.expression.unnest(), other.counts.old):
            return exp.IntDiv(this=_operand(others.value), expression=number(other.counts.new))
    elif not any(node == others.value for node in own.value.walk()):
        return own.value
    message = (
        f"it is not known what sets this apart from the {other.what}: only {_operand(others.value).sql('mysql')} "
        f"div {other.counts.old} is understood"
    )
    raise NotAdapted(message, own.source.place_of(own.value))


def rename_columns(text: str, columns: Mapping[str, str], span: Span) -> str:
    """The expression over columns of other names."""
    by_name = {name.lower(): to for name, to in columns.items()}
    tree = read_sql(SqlSource(text, span), Findings())
    assert tree is not None, text
    for column in tree.find_all(exp.Column):
        if (to := by_name.get(column.name.lower())) is not None:
            column.set("this", exp.to_identifier(to, quoted=column.this.args.get("quoted")))
    return tree.sql("mysql", normalize_functions=False)


def _tree(part: Part) -> exp.Expr | None:
    if part.text is None:
        return None
    tree = read_sql(SqlSource(part.text, part.span), Findings())
    return None if tree is None else tree.unnest()


def _operand(value: exp.Expr) -> exp.Expr:
    bare = isinstance(value, (exp.Column, exp.Func, exp.Literal)) and not isinstance(value, exp.Binary)
    return value.copy() if bare else exp.Paren(this=value.copy())


def _is_number(node: exp.Expr, value: int) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and node.this == str(value)
