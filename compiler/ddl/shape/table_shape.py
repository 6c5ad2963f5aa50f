"""What a CREATE TABLE means, so that two of them can be compared in whatever spelling a person, MySQL or MariaDB wrote
them. What servers say in several ways and mean the same by is made equal; nothing else is.

Left out: the order of columns and of keys, the counter of AUTO_INCREMENT, statistics, the suffix in names of checks.
What a column takes over from the table (its collation) is said at the column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, Literal

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from shardwright.compiler.ddl.shape.table_edit import parts_of
from shardwright.compiler.sql.mysql_parser import parse_tokens
from shardwright.compiler.sql.sql_tokens import PARSER_FAULTS
from shardwright.compiler.sql.table_keys import column_of_part, length_of_part, read_key
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
    """A CREATE TABLE as an author or SHOW CREATE TABLE wrote it; None when it is not understood completely. The server
    executes the text in version marks (`/*!80023 INVISIBLE */`), so it is read as plain SQL."""
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
    """Without what says nothing: brackets (the tree holds the order), introducers before texts, letter case and quotes
    of names, the several words for the present time. A copy."""
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
    if isinstance(node, exp.JSONPath):  # as with an introducer before it
        return exp.Literal.string(sqlglot.parse_one(node.sql("mysql"), dialect="mysql").name)
    if isinstance(node, exp.Anonymous) and isinstance(node.this, str):
        named = node.copy()
        named.set("this", node.this.upper())
        return named
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


Kind = Literal["column", "index", "check", "foreign key", "option"]
TEXTS: Final = frozenset(
    {
        *(exp.DType.CHAR, exp.DType.VARCHAR, exp.DType.NCHAR, exp.DType.NVARCHAR, exp.DType.TEXT, exp.DType.TINYTEXT),
        *(exp.DType.MEDIUMTEXT, exp.DType.LONGTEXT, exp.DType.ENUM, exp.DType.SET),
    }
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One column, key, check or option. `means` is compared; `node` is what brings it about, `shown` says it to
    people."""

    kind: Kind
    name: str = field(compare=False)
    means: str
    shown: str = field(compare=False)
    node: exp.Expr = field(compare=False)


Shape = Mapping[tuple[Kind, str], Piece]
"""By kind and name in lower case; a check that the server named by its meaning."""


def shape_of(table: exp.Create, *, suffix: str, defaults: Mapping[str, str]) -> Shape:
    """`suffix` is taken off the names of checks; `defaults`: character set -> its collation on the server."""
    found = [*_options(table, defaults)]
    collation = next(piece.means for piece in found if piece.name == "collation")
    keys = (part for part in table.this.expressions if isinstance(part, exp.PrimaryKey))
    primary = frozenset(part.name.lower() for key in keys for part in key.expressions)
    for part in table.this.expressions:
        if isinstance(part, exp.ColumnDef):
            found += _column(part, collation, primary, defaults)
        else:
            found.append(_key(part, table.this.this.name, suffix))
    return {(piece.kind, piece.name.lower()): piece for piece in found}


def _options(table: exp.Create, defaults: Mapping[str, str]) -> Iterator[Piece]:
    properties = table.args.get("properties")
    by_kind = {type(option): option for option in (properties.expressions if properties else ())}
    charset, collate = by_kind.get(exp.CharacterSetProperty), by_kind.get(exp.CollateProperty)
    collation = collation_of(charset.name if charset else "", collate.name if collate else "", defaults)
    yield Piece("option", "collation", collation, collation, exp.CollateProperty(this=exp.Var(this=collation)))
    kinds: tuple[tuple[type[exp.Expr], str, str], ...] = (
        (exp.EngineProperty, "engine", "INNODB"),
        (exp.SchemaCommentProperty, "comment", ""),
        (exp.RowFormatProperty, "row format", "DEFAULT"),
    )
    for kind, name, usual in kinds:
        option = by_kind.get(kind)
        value = option.name if option else usual
        means = value if name == "comment" else value.upper()
        text = exp.Literal.string(value) if name == "comment" else exp.Var(this=value)
        yield Piece("option", name, means, value or "''", kind(this=text))


def _column(
    column: exp.ColumnDef, table_collation: str, primary: frozenset[str], defaults: Mapping[str, str]
) -> Iterator[Piece]:
    constraints = parts_of(column)
    kind, json = column.args.get("kind"), _is_json(column)
    is_text = isinstance(kind, exp.DataType) and kind.this in TEXTS and not json
    said: dict[str, str] = {"null": "NOT NULL"} if column.name.lower() in primary else {}
    charset = collate = ""
    kept: list[exp.Expr] = []
    for part in constraints:
        match part:
            case exp.NotNullColumnConstraint():
                said |= {} if part.args.get("allow_null") else {"null": "NOT NULL"}
            case exp.DefaultColumnConstraint():
                said |= {} if isinstance(part.this, exp.Null) else {"default": plain_default(part.this, text=is_text)}
            case exp.OnUpdateColumnConstraint():
                said["on update"] = meaning(part.this)
            case exp.CommentColumnConstraint():
                said |= {"comment": part.this.name} if part.this.name else {}
            case exp.CharacterSetColumnConstraint():
                charset = part.this.name
                continue
            case exp.CollateColumnConstraint():
                collate = part.this.name
                continue
            case exp.ComputedColumnConstraint():
                said["as"] = f"{'STORED' if part.args.get('persisted') else 'VIRTUAL'} {meaning(part.this)}"
            case exp.CheckColumnConstraint():
                if not json:
                    yield Piece("check", meaning(part.this), meaning(part.this), part.sql("mysql"), part.copy())
                continue
            case exp.PrimaryKeyColumnConstraint():
                said["null"] = "NOT NULL"
                key = exp.PrimaryKey(expressions=[column.this.copy()])
                yield _index("PRIMARY", "primary", key, [column.this])
                continue
            case exp.UniqueColumnConstraint():
                unique = exp.UniqueColumnConstraint(
                    this=exp.Schema(this=column.this.copy(), expressions=[exp.Column(this=column.this.copy())])
                )
                yield _index(column.name, "unique", unique, [column.this])
                continue
            case _:
                said[type(part).__name__] = meaning(part)
        kept.append(exp.ColumnConstraint(kind=part.copy()))
    if is_text:
        said["collation"] = collation_of(charset, collate, defaults) if charset or collate else table_collation
        word = exp.CollateColumnConstraint(this=exp.Column(this=exp.Identifier(this=said["collation"], quoted=False)))
        set_of = exp.CharacterSetColumnConstraint(this=exp.Var(this=said["collation"].split("_")[0]))
        kept = [exp.ColumnConstraint(kind=set_of), exp.ColumnConstraint(kind=word), *kept]
    zerofill = any("ZEROFILL" in type(part).__name__.upper() for part in constraints)
    typed = plain_type(kind, zerofill=zerofill) if isinstance(kind, exp.DataType) else meaning(kind or column)
    node = exp.ColumnDef(this=exp.to_identifier(column.name, quoted=True), kind=kind.copy() if kind else None)
    node.set("constraints", kept)
    means = repr(("JSON" if json else typed, sorted(said.items())))
    shown = node.sql("mysql").split(" ", 1)[-1]
    yield Piece("column", column.name, means, shown, node)


def _is_json(column: exp.ColumnDef) -> bool:
    """MariaDB keeps JSON as a long text with a check."""
    kind = column.args.get("kind")
    if not isinstance(kind, exp.DataType):
        return False
    if kind.this == exp.DType.JSON:
        return True
    checks = (part.sql("mysql").lower() for part in parts_of(column) if isinstance(part, exp.CheckColumnConstraint))
    return kind.this == exp.DType.LONGTEXT and any("json_valid" in check for check in checks)


def _key(part: exp.Expr, table: str, suffix: str) -> Piece:
    key = read_key(part)
    if key is None or key.kind == "foreign key":
        inner = part if key is None else key.inner
        return Piece("foreign key", part.name, meaning(inner), inner.sql("mysql"), part.copy())
    if key.kind == "primary key":
        return _index("PRIMARY", "primary", exp.PrimaryKey(expressions=list(key.parts)), key.parts)
    if key.kind != "check":
        word = str(key.inner.args.get("kind") or key.kind.removesuffix(" key")).lower()
        return _index(key.name or (str(key.parts[0].name) if key.parts else ""), word, key.inner, key.parts)
    # MariaDB and MySQL name a check that has no name each in its own way: it is known by what it says.
    by_server = re.fullmatch(rf"constraint_\d+|{re.escape(table.lower())}_chk_\d+", key.name.lower())
    says = meaning(key.inner.this)
    name = says if by_server or not key.name else key.name.removesuffix(suffix)
    return Piece("check", name, says, key.inner.sql("mysql"), part.copy())


def _index(name: str, kind: str, node: exp.Expr, parts: Sequence[exp.Expr]) -> Piece:
    said = [_part(part) for part in parts]
    options = [option for option in node.args.get("options") or () if not option.args.get("using")]
    hidden = any(option.args.get("visible") is False for option in options)
    comment = next((option.args["comment"].name for option in options if option.args.get("comment")), "")
    parser = next((option.args["parser"].name for option in options if option.args.get("parser")), "")
    means = repr((kind, said, hidden, comment, parser.lower()))
    shown = ", ".join(part.sql("mysql") for part in parts)
    return Piece("index", name, means, f"{kind} ({shown})", node.copy())


def _part(part: exp.Expr) -> tuple[str, str, bool]:
    descending = isinstance(part, exp.Ordered) and bool(part.args.get("desc"))
    column, length = column_of_part(part), length_of_part(part)
    said = meaning(part.this if isinstance(part, exp.Ordered) else part) if column is None else column.name.lower()
    return said, "" if length is None else str(length), descending
