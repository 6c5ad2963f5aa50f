"""What `CONVERT TO CHARACTER SET`, and another default character set, make of a CREATE TABLE. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlglot import exp

from shardwright.compiler.ddl.shape.table_shape import TEXTS, charset_word
from shardwright.compiler.expressions.capacity import charset_holds
from shardwright.compiler.sql.character_sets import CharacterSet, default_named

BYTES: Final = {"ascii": 1, "latin1": 1, "utf8mb3": 3, "utf8mb4": 4}
"""Of a character at most, in the character sets that a routed statement may convert to."""
_FOUR: Final = frozenset({"utf16", "utf16le", "utf32", "gb18030"})
_FEWER: Final = 2
"""In all others: fewer than four. What has more than one and is converted, is converted to more than it has."""
_LONGER: Final = {
    exp.DType.TINYTEXT: exp.DType.TEXT,
    exp.DType.TEXT: exp.DType.MEDIUMTEXT,
    exp.DType.MEDIUMTEXT: exp.DType.LONGTEXT,
}
_SETS: Final = (exp.CharacterSetColumnConstraint, exp.CollateColumnConstraint)
_OPTIONS: Final = (exp.CharacterSetProperty, exp.CollateProperty)


def convert(table: exp.Create, to: CharacterSet) -> None:
    """Every text column gets the character set, in place. A TEXT whose characters may need more bytes than before
    becomes the next longer type: both servers do that."""
    default = _default_of(table)
    for column in _text_columns(table):
        old = _own_of(column) or default
        if old is not None and old.name == "binary":
            continue
        kind = column.args["kind"]
        if old is not None and _bytes_of(old) < _bytes_of(to):
            kind.set("this", _LONGER.get(kind.this, kind.this))
        column.set("constraints", [part for part in _parts(column) if not isinstance(part.kind, _SETS)])
    _set_options(table, to)


def set_default(table: exp.Create, to: CharacterSet) -> None:
    """New columns get the character set, in place: those that are there keep theirs, and have to name it now."""
    default = _default_of(table)
    for column in _text_columns(table):
        if default is not None and _own_of(column) is None:
            column.set("constraints", [*_constraints(default), *_parts(column)])
    _set_options(table, to)


def _text_columns(table: exp.Create) -> Iterator[exp.ColumnDef]:
    for part in table.this.expressions:
        kind = part.args.get("kind") if isinstance(part, exp.ColumnDef) else None
        if isinstance(kind, exp.DataType) and kind.this in TEXTS:
            yield part


def _parts(column: exp.ColumnDef) -> list[exp.ColumnConstraint]:
    return list(column.args.get("constraints") or ())


def _own_of(column: exp.ColumnDef) -> CharacterSet | None:
    found = {type(part.kind): part.kind.name.lower() for part in _parts(column) if isinstance(part.kind, _SETS)}
    named = CharacterSet(*(found.get(kind, "") for kind in _SETS))
    return named if found else None


def _default_of(table: exp.Create) -> CharacterSet | None:
    properties = table.args.get("properties")
    return default_named(properties.expressions if properties else ())


def keeps_texts(old: str, new: str) -> bool:
    """Whether texts stay what they are. `verify` takes texts of utf8mb4 as they are kept, so they stay there."""
    return old == new or (new in BYTES and old != "utf8mb4" and charset_holds(old, new))


def widen_text_type(name: str, old: str, new: str) -> str:
    """The name of a TEXT type after its conversion from one character set to another."""
    longer = {str(kind.value).lower(): str(next_one.value).lower() for kind, next_one in _LONGER.items()}
    return longer.get(name, name) if _bytes_in(old) < _bytes_in(new) else name


def _bytes_of(named: CharacterSet) -> int:
    return _bytes_in(named.name)


def _bytes_in(charset: str) -> int:
    word = charset_word(charset)
    return 4 if word in _FOUR else BYTES.get(word, _FEWER)


def _constraints(named: CharacterSet) -> Iterator[exp.ColumnConstraint]:
    if named.charset:
        yield exp.ColumnConstraint(kind=exp.CharacterSetColumnConstraint(this=exp.Var(this=named.charset)))
    if named.collation:
        collation = exp.Column(this=exp.to_identifier(named.collation, quoted=False))
        yield exp.ColumnConstraint(kind=exp.CollateColumnConstraint(this=collation))


def _set_options(table: exp.Create, to: CharacterSet) -> None:
    properties = table.args.get("properties")
    others = [part for part in (properties.expressions if properties else ()) if not isinstance(part, _OPTIONS)]
    named: list[exp.Expr] = [exp.CharacterSetProperty(this=exp.Var(this=to.name), default=True)]
    if to.collation:
        named.append(exp.CollateProperty(this=exp.Var(this=to.collation)))
    table.set("properties", exp.Properties(expressions=[*others, *named]))
