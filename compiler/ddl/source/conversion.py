"""CONVERT TO CHARACTER SET of a followed table: the types of its texts afterwards, and whether the targets can be
converted by the same clause.
"""

from __future__ import annotations

from dataclasses import replace

from shardwright.compiler.ddl.shape.character_sets import widen_text_type
from shardwright.compiler.ddl.shape.table_shape import charset_word
from shardwright.compiler.ddl.source.logged_change import CannotFollow
from shardwright.compiler.ddl.source.source_side import SourceSide
from shardwright.compiler.ddl.source.type_changes import with_character_set
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.schema.file import text_defaults
from shardwright.compiler.sql.character_sets import CharacterSet, convert_to


def follow_conversion(source: SourceSide, to: CharacterSet) -> None:
    """`to` is what the clause names. Servers differ in the collation that they take where it names none; then the table
    behind the statement shows it. Raises CannotFollow (SW8156)."""
    named = f"CONVERT TO CHARACTER SET {to.name}"
    if not source.is_alone:
        raise CannotFollow("SW8156", f"{named} beside other clauses")
    if not to.is_certain and source.behind is not None:
        to = CharacterSet(*(word or "" for word in text_defaults(source.behind().statement)))
    if not to.is_certain:
        raise CannotFollow("SW8156", f"{named} names no collation, and servers differ in which one they take")
    charset, collation = charset_word(to.name), charset_word(to.collation)
    changed = False
    for place, column in enumerate(source.columns):
        if column.type.charset in (None, "binary"):
            continue
        kind = _convert(column.type, charset, collation)
        if kind is None:
            raise CannotFollow("SW8156", f"{named}: texts of column {column.name} ({column.type.charset}) may change")
        if kind != column.type:
            source.refuse_used(column.name, "converted")
            source.columns[place] = replace(column, type=kind)
            changed = True
    if not changed:
        raise CannotFollow("SW8156", f"{named} changes no column, only what new columns get")
    _refuse_other_texts(source, named)
    source.routed.append(convert_to(charset, collation))
    source.words.append(f"its texts get the character set {charset}, collation {collation}")


def _convert(kind: ColumnType, charset: str, collation: str) -> ColumnType | None:
    """The types of texts whose characters may need more bytes grow, as both servers do it."""
    if (charset_word(kind.charset or ""), charset_word(kind.collation or "")) == (charset, collation):
        return kind
    recoded = with_character_set(kind, charset, collation)
    return None if recoded is None else replace(recoded, name=widen_text_type(kind.name, kind.charset or "", charset))


def _refuse_other_texts(source: SourceSide, named: str) -> None:
    """The clause converts every text of a target, so each must come from the source as it is."""
    for column in source.plan.columns:
        if column.type.charset and (not column.source or column.mapping != "copied"):
            why = f"the target's column {column.target} is no copy of the source's"
            raise CannotFollow("SW8156", f"{named}, and {why}")
    if source.plan.generated:
        raise CannotFollow("SW8156", f"{named}, and the targets compute columns ({source.plan.generated[0].target})")
