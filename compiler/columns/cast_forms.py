"""How each cast of the table is carried out."""

from __future__ import annotations

from shardwright.compiler.columns.cast_conditions import scale
from shardwright.compiler.columns.transform import (
    Appended,
    AsText,
    Cut,
    CutAndTrimmed,
    LongerDecimal,
    PlainInteger,
    PlainText,
    Rounded,
    Same,
    Transform,
)
from shardwright.compiler.expressions import capacity
from shardwright.compiler.plan.catalogue import ColumnType


def same(_source: ColumnType, _target: ColumnType) -> Transform:
    return Same()


def number(_source: ColumnType, target: ColumnType) -> Transform:
    return Same("UNSIGNED" if target.unsigned else "SIGNED")


def year_number(_source: ColumnType, _target: ColumnType) -> Transform:
    return PlainInteger()


def double(_source: ColumnType, _target: ColumnType) -> Transform:
    return Same("DOUBLE")


def text(_source: ColumnType, _target: ColumnType) -> Transform:
    return AsText()


def longer_decimal(source: ColumnType, target: ColumnType) -> Transform:
    here, there = scale(source), scale(target)
    point = "." if here == 0 and there else ""
    return LongerDecimal(target.precision or 10, there, point + "0" * (there - here))


def plain_number_text(source: ColumnType, _target: ColumnType) -> Transform:
    """Without the zeros that ZEROFILL prints."""
    return PlainText("UNSIGNED" if source.unsigned else "SIGNED")


def longer_fraction(source: ColumnType, target: ColumnType) -> Transform:
    here, there = source.precision or 0, target.precision or 0
    point = "." if here == 0 and there else ""
    return Appended(point + "0" * (there - here)) if there > here else AsText()


def shorter_fraction(_source: ColumnType, target: ColumnType) -> Transform:
    return Cut(capacity.most_characters(target))


def midnight(_source: ColumnType, target: ColumnType) -> Transform:
    return Appended(" 00:00:00" + ("." + "0" * target.precision if target.precision else ""))


def day(_source: ColumnType, _target: ColumnType) -> Transform:
    return Cut(10)


def rounded(_source: ColumnType, target: ColumnType) -> Transform:
    return Rounded(target.precision or 10, scale(target))


def cut(_source: ColumnType, target: ColumnType) -> Transform:
    return CutAndTrimmed(target.length or 0) if target.name == "char" else Cut(target.length or 0)
