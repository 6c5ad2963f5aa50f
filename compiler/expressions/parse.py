"""From the text of an expression to its tree: an allow-list over sqlglot's tree. What is not listed here is refused;
what
never gives the same value twice is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions import make
from shardwright.compiler.expressions.expression import Expression, IntegerExpression
from shardwright.compiler.expressions.leaves import IntegerLiteral, TextLiteral, column_expression
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.expressions.read_sql import REFUSED_BY_TOKEN, SqlSource, read_sql
from shardwright.compiler.plan.catalogue import Column
from shardwright.specs.findings.diagnostics import Findings, Note
from shardwright.specs.findings.wording import did_you_mean

ALLOWED = (
    *("crc32", "substr", "substring", "concat", "coalesce", "ifnull", "cast", "mod"),
    *("if", "case", "left", "right", "upper", "lower", "length", "char_length", "hex", "sha2"),
    *("date", "year", "month", "day", "hour", "minute", "second"),
)

_CHANGING = frozenset(
    {
        *("now", "sysdate", "current_timestamp", "localtime", "localtimestamp", "unix_timestamp", "utc_timestamp"),
        *("curdate", "current_date", "utc_date", "curtime", "current_time", "utc_time"),
        *("rand", "random_bytes", "uuid", "uuid_short", "connection_id", "last_insert_id", "row_count", "found_rows"),
        *("user", "current_user", "session_user", "system_user", "database", "schema", "version"),
        *("sleep", "benchmark", "get_lock", "release_lock", "load_file"),
    }
)


def is_changing(name: str) -> bool:
    """Whether a function may answer differently for the same row."""
    return name.lower() in _CHANGING


_OPERATORS = {
    exp.Add: ("+", make.sum_of),
    exp.Sub: ("-", make.difference),
    exp.Mul: ("*", make.product),
    exp.Mod: ("%", make.modulo),
    exp.IntDiv: ("div", make.quotient),
}


@dataclass(frozen=True, slots=True)
class Translator:
    """Walks one tree. Every operand is visited even after a finding, so that one run reports all of them."""

    source: SqlSource
    columns: Mapping[str, Column]
    findings: Findings
    leaf: Callable[[Column], Expression | None] = column_expression
    columns_from: Note | None = None
    """Where the columns are defined: the second place of SW3004."""

    def translate(self, node: exp.Expr) -> Expression | None:
        """Our node for sqlglot's; None after a finding. A constant becomes a literal at once."""
        if isinstance(node, exp.Paren):
            return self.translate(node.this)
        if isinstance(node, REFUSED_BY_TOKEN):
            return None
        operands = [self.translate(operand) for operand in _operands(node)]
        present = [operand for operand in operands if operand is not None]
        if len(present) < len(operands):
            return None
        try:
            return make.folded(self._make(node, present))
        except Refusal as refusal:
            place = self.source.place_of(node)
            notes = (self.columns_from,) if refusal.code == "SW3004" and self.columns_from else ()
            self.findings.error(refusal.code, refusal.message, place, hint=refusal.hint, notes=notes)
            return None

    def _make(self, node: exp.Expr, operands: Sequence[Expression]) -> Expression:
        if not _is_own(node):
            from shardwright.compiler.expressions.functions import further, further_operands  # see _is_own

            if further_operands(node) is not None:
                return further(node, operands)
        match node:
            case exp.Literal():
                return _literal(node, self.source.excerpt(node))
            case exp.Column():
                return self._column(node)
            case exp.Neg():
                return _negated(operands[0])
            case exp.Add() | exp.Sub() | exp.Mul() | exp.Mod() | exp.IntDiv():
                sign, operator = _OPERATORS[type(node)]
                return operator(make.integer(operands[0], sign), make.integer(operands[1], sign))
            case exp.Anonymous() if node.name.lower() == "crc32":
                if len(operands) != 1:
                    raise Refusal("SW3006", f"crc32 takes one argument, not {len(operands)}", _CONCAT_HINT)
                return make.crc32(operands[0])
            case exp.Substring():
                return _substring(operands)
            case exp.Concat():
                return make.concat(operands)
            case exp.Coalesce():
                return make.coalesce(operands)
            case exp.Cast():
                return _cast(operands[0], node)
            case _:
                raise self._refused(node)

    def _column(self, node: exp.Column) -> Expression:
        if node.table:
            raise Refusal("SW3003", f"'{self.source.excerpt(node)}': columns are named without their table here")
        by_name = {name.lower(): column for name, column in self.columns.items()}
        column = by_name.get(node.name.lower())
        if column is None:
            if is_changing(node.name):
                raise _changing(node.name)
            raise Refusal("SW3004", f"unknown column '{node.name}'", did_you_mean(node.name, self.columns))
        made = self.leaf(column)
        if made is None:
            message = f"column '{column.name}' is {_type_name(column)}: no type to shard by"
            raise Refusal("SW3005", message, "integers, char, varchar, text, binary and varbinary are")
        return made

    def _refused(self, node: exp.Expr) -> Refusal:
        if isinstance(node, exp.Func) and not isinstance(node, exp.Connector):
            name = self.source.name_of(node)
            if is_changing(name):
                return _changing(name)
            hint = did_you_mean(name, ALLOWED) or f"allowed: {', '.join(ALLOWED)}"
            return Refusal("SW3003", f"function '{name}' is not allowed in {self.source.what}", hint)
        return Refusal("SW3003", f"'{self.source.excerpt(node)}' is not allowed in {self.source.what}")


_CONCAT_HINT = "crc32(concat(a, ':', b)) hashes several columns"


_OWN = (exp.Literal, exp.Column, exp.Neg, *_OPERATORS, exp.Anonymous, exp.Substring, exp.Concat, exp.Coalesce)


def _is_own(node: exp.Expr) -> bool:
    """Whether the node is one that sharding rules are made of. Most specs have no others, and then do without the
    import of
    what conditions and functions are made of."""
    return type(node) in _OWN


def _operands(node: exp.Expr) -> list[exp.Expr]:
    if not _is_own(node):
        from shardwright.compiler.expressions.functions import further_operands  # see _is_own

        if (parts := further_operands(node)) is not None:
            return parts
    match node:
        case exp.Neg():
            return [node.this]
        case exp.Add() | exp.Sub() | exp.Mul() | exp.Mod() | exp.IntDiv():
            return [node.this, node.expression]
        case exp.Anonymous() if node.name.lower() == "crc32":
            return list(node.expressions)
        case exp.Substring():
            return [part for part in (node.this, node.args.get("start"), node.args.get("length")) if part is not None]
        case exp.Concat():
            return list(node.expressions)
        case exp.Coalesce():
            return [node.this, *node.expressions]
        case exp.Cast():
            return [node.this]
        case _:
            return []


def _literal(node: exp.Literal, written: str) -> Expression:
    if node.is_string:
        if "\\" in written or not all(" " <= character <= "~" for character in node.this):
            raise Refusal("SW3009", f"{written}: a text literal may hold printable ASCII without a backslash only")
        return TextLiteral(node.this)
    if not (node.this.isascii() and node.this.isdigit()):
        from shardwright.compiler.expressions.functions import decimal_literal  # no sharding rule holds a decimal

        return decimal_literal(node.this)
    if len(node.this.lstrip("0")) > 38:
        raise Refusal("SW3009", f"{written}: an integer literal may have 38 digits at most")
    return IntegerLiteral(int(node.this))


def _negated(value: Expression) -> Expression:
    if not isinstance(value, IntegerExpression):
        from shardwright.compiler.expressions.comparable import DecimalLiteral  # no sharding rule holds a decimal

        if isinstance(value, DecimalLiteral):
            return DecimalLiteral(-value.value)
    return make.negated(make.integer(value, "unary -"))


def _substring(operands: Sequence[Expression]) -> Expression:
    if len(operands) < 2:
        raise Refusal("SW3006", "substr needs a literal position", "substr(column, 1, 4)")
    return make.substring(operands[0], operands[1], operands[2] if len(operands) > 2 else None)


def _cast(value: Expression, node: exp.Cast) -> Expression:
    to = node.to
    if not to.expressions and not to.args.get("kind"):
        if to.this is exp.DType.BIGINT:
            return make.cast_signed(value)
        if to.this is exp.DType.UBIGINT:
            return make.cast_unsigned(value)
        if to.this is exp.DType.CHAR:
            return make.as_text(value, "cast as char")
    written = to.sql(dialect="mysql").lower()
    raise Refusal(
        "SW3006", f"cast as {written} is not allowed here", "allowed: signed, unsigned, char (without a length)"
    )


def _changing(name: str) -> Refusal:
    return Refusal("SW3010", f"'{name}' does not give the same value for the same row every time")


def _type_name(column: Column) -> str:
    return column.type.name + (" in character set binary" if column.type.is_text else "")


def parse_expression(
    source: SqlSource,
    *,
    columns: Mapping[str, Column],
    findings: Findings,
    leaf: Callable[[Column], Expression | None] = column_expression,
    columns_from: Note | None = None,
) -> Expression | None:
    """The tree of a SQL expression over `columns` (the name written -> the column). None after at least one error.

    `leaf` says which columns it may read, `columns_from` where they are defined (a note for unknown ones).

    The tree names columns by `Column.name`: that is what `evaluate` looks up and what `qualify` is asked for.
    """
    own = Findings()
    node = read_sql(source, own)
    made = None if node is None else Translator(source, columns, own, leaf, columns_from).translate(node)
    if made is None and not own.has_errors:
        own.error("SW3003", f"'{source.text}' is not allowed in {source.what}", source.span)
    findings.items.extend(own.items)
    return None if own.has_errors else made
