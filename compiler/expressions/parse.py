"""From the text of an expression to its tree: an allow-list over sqlglot's tree. What is not listed here is refused;
what
never gives the same value twice is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sqlglot import exp

from shardwright.compiler.expressions import functions, make
from shardwright.compiler.expressions.comparable import DecimalLiteral
from shardwright.compiler.expressions.expression import Expression, IntegerExpression
from shardwright.compiler.expressions.leaves import IntegerLiteral, TextLiteral, column_expression
from shardwright.compiler.expressions.make import Maker, Refusal
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
        maker, parts = _maker_and_operands(node)
        operands = [self.translate(part) for part in parts]
        present = [operand for operand in operands if operand is not None]
        if len(present) < len(operands):
            return None
        try:
            return make.fold_constant(self._leaf(node) if maker is None else maker(node, present))
        except Refusal as refusal:
            place = self.source.place_of(node)
            notes = (self.columns_from,) if refusal.code == "SW3004" and self.columns_from else ()
            self.findings.error(refusal.code, refusal.message, place, hint=refusal.hint, notes=notes)
            return None

    def _leaf(self, node: exp.Expr) -> Expression:
        match node:
            case exp.Literal():
                return _literal(node, self.source.excerpt(node))
            case exp.Column():
                return self._column(node)
            case _:
                raise self._refusal(node)

    def _column(self, node: exp.Column) -> Expression:
        if node.table:
            raise Refusal("SW3003", f"'{self.source.excerpt(node)}': columns are named without their table here")
        by_name = {name.lower(): column for name, column in self.columns.items()}
        column = by_name.get(node.name.lower())
        if column is None:
            if is_changing(node.name):
                raise _refusal_of_changing(node.name)
            raise Refusal("SW3004", f"unknown column '{node.name}'", did_you_mean(node.name, self.columns))
        made = self.leaf(column)
        if made is None:
            message = f"column '{column.name}' is {_type_name(column)}: no type to shard by"
            raise Refusal("SW3005", message, "integers, char, varchar, text, binary and varbinary are")
        return made

    def _refusal(self, node: exp.Expr) -> Refusal:
        if isinstance(node, exp.Func) and not isinstance(node, exp.Connector):
            name = self.source.name_of(node)
            if is_changing(name):
                return _refusal_of_changing(name)
            hint = did_you_mean(name, ALLOWED) or f"allowed: {', '.join(ALLOWED)}"
            return Refusal("SW3003", f"function '{name}' is not allowed in {self.source.what}", hint)
        return Refusal("SW3003", f"'{self.source.excerpt(node)}' is not allowed in {self.source.what}")


def _maker_and_operands(node: exp.Expr) -> tuple[Maker | None, Sequence[exp.Expr]]:
    """None for columns, literals and what is not allowed. Most specs have nothing but what sharding rules are made of,
    and then do without the import of what conditions are made of."""
    if isinstance(node, exp.Literal | exp.Column) or (isinstance(node, exp.Anonymous) and node.name.lower() != "crc32"):
        return None, ()
    if type(node) in _RULES and not (isinstance(node, exp.Cast) and node.to.this in _OTHER_CASTS):
        return _RULES[type(node)], _operands(node)
    from shardwright.compiler.expressions.make_conditions import CONDITIONS, MAY_HOLD_NULL

    maker = functions.CALLS.get(type(node)) or CONDITIONS.get(type(node))
    if maker is None:
        return None, ()
    operands = _operands(node)
    present = [operand for operand in operands if not isinstance(operand, exp.Null)]
    is_allowed = len(present) == len(operands) or (isinstance(node, MAY_HOLD_NULL) and not _asks_null(node))
    return maker if is_allowed else _refuse_null, present


def _operands(node: exp.Expr) -> list[exp.Expr]:
    match node:
        case exp.Cast() | exp.Is() | exp.TsOrDsToDate():
            return [node.this]
        case exp.Year() | exp.Month() | exp.Day() | exp.DayOfMonth() if isinstance(node.this, exp.TsOrDsToDate):
            return [node.this.this]  # sqlglot wraps the argument as if DATE() had been written
        case exp.In():
            return [node.this, *node.expressions]
        case exp.Case():
            branches = [part for branch in node.args["ifs"] for part in (branch.this, branch.args["true"])]
            return [part for part in (node.this, *branches, node.args.get("default")) if part is not None]
        case exp.SHA2():
            return [node.this, node.args.get("length") or exp.Literal.number(256)]
        case _:
            return list(node.iter_expressions())


def _asks_null(node: exp.Expr) -> bool:
    """IF(NULL, …), CASE NULL WHEN …"""
    return isinstance(node, exp.If | exp.Case) and isinstance(node.this, exp.Null)


def _refuse_null(_node: exp.Expr, _operands: Sequence[Expression]) -> Expression:
    raise Refusal("SW3051", "NULL equals nothing and decides nothing here", "x IS NULL, x IS NOT NULL")


def _literal(node: exp.Literal, written: str) -> Expression:
    if node.is_string:
        if "\\" in written or not all(" " <= character <= "~" for character in node.this):
            raise Refusal("SW3009", f"{written}: a text literal may hold printable ASCII without a backslash only")
        return TextLiteral(node.this)
    if not (node.this.isascii() and node.this.isdigit()):
        return _decimal(node.this)
    if len(node.this.lstrip("0")) > 38:
        raise Refusal("SW3009", f"{written}: an integer literal may have 38 digits at most")
    return IntegerLiteral(int(node.this))


def _decimal(text: str) -> Expression:
    whole, _, part = text.partition(".")
    if not (text.isascii() and (whole + part).isdigit() and part) or len(whole) + len(part) > 38:
        raise Refusal("SW3009", f"{text}: write integers and decimals of at most 38 digits, without an exponent")
    return DecimalLiteral(Decimal(text))


def _negate(_node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    value = operands[0]
    if isinstance(value, DecimalLiteral):
        return DecimalLiteral(-value.value)
    return make.negate(make.integer(value, "unary -"))


def _operator(sign: str, maker: Callable[[IntegerExpression, IntegerExpression], Expression]) -> Maker:
    return lambda _node, operands: maker(make.integer(operands[0], sign), make.integer(operands[1], sign))


def _crc32(_node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    if len(operands) != 1:
        hint = "crc32(concat(a, ':', b)) hashes several columns"
        raise Refusal("SW3006", f"crc32 takes one argument, not {len(operands)}", hint)
    return functions.CRC32.check(operands[0])


def _substr(_node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    if len(operands) < 2:
        raise Refusal("SW3006", "substr needs a literal position", "substr(column, 1, 4)")
    return (functions.SUBSTR_TO_END if len(operands) == 2 else functions.SUBSTR).check(*operands)


def _cast(node: exp.Expr, operands: Sequence[Expression]) -> Expression:
    to, value = node.args["to"], operands[0]
    if not to.expressions and not to.args.get("kind"):
        if to.this is exp.DType.BIGINT:
            return make.cast_signed(value)
        if to.this is exp.DType.UBIGINT:
            return make.cast_unsigned(value)
        if to.this is exp.DType.CHAR:
            return make.as_text(value, "cast as char")
    written = to.sql(dialect="mysql").lower()
    hint = "allowed: signed, unsigned, char (without a length)"
    raise Refusal("SW3006", f"cast as {written} is not allowed here", hint)


_OTHER_CASTS = (exp.DType.BINARY, exp.DType.DATE, exp.DType.TIMESTAMPTZ)

_RULES: Mapping[type[exp.Expr], Maker] = {
    exp.Add: _operator("+", make.sum_of),
    exp.Sub: _operator("-", make.difference),
    exp.Mul: _operator("*", make.product),
    exp.Mod: _operator("%", make.modulo),
    exp.IntDiv: _operator("div", make.quotient),
    exp.Neg: _negate,
    exp.Anonymous: _crc32,
    exp.Substring: _substr,
    exp.Concat: lambda _node, operands: functions.CONCAT.check(*operands),
    exp.Coalesce: lambda _node, operands: make.coalesce(operands),
    exp.Cast: _cast,
}
"""What sharding rules are made of."""


def _refusal_of_changing(name: str) -> Refusal:
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
