"""How each cast of the table is carried out, where that depends on the types."""

from __future__ import annotations

from shardwright.compiler.columns import transform
from shardwright.compiler.columns.cast_conditions import scale
from shardwright.compiler.columns.transform import AS_TEXT, Transform
from shardwright.compiler.expressions import capacity
from shardwright.compiler.plan.catalogue import ColumnType


def number(_source: ColumnType, target: ColumnType) -> Transform:
    return transform.same("UNSIGNED" if target.unsigned else "SIGNED")


def longer_decimal(source: ColumnType, target: ColumnType) -> Transform:
    here, there = scale(source), scale(target)
    point = "." if here == 0 and there else ""
    return transform.longer_decimal(target.precision or 10, there, point + "0" * (there - here))


def plain_number_text(source: ColumnType, _target: ColumnType) -> Transform:
    """Without the zeros that ZEROFILL prints."""
    return transform.plain_text("UNSIGNED" if source.unsigned else "SIGNED")


def longer_fraction(source: ColumnType, target: ColumnType) -> Transform:
    here, there = source.precision or 0, target.precision or 0
    point = "." if here == 0 and there else ""
    return transform.append(point + "0" * (there - here)) if there > here else AS_TEXT


def shorter_fraction(_source: ColumnType, target: ColumnType) -> Transform:
    return transform.cut(capacity.most_characters(target))


def midnight(_source: ColumnType, target: ColumnType) -> Transform:
    return transform.append(" 00:00:00" + ("." + "0" * target.precision if target.precision else ""))


def round_to_scale(_source: ColumnType, target: ColumnType) -> Transform:
    return transform.round_decimal(target.precision or 10, scale(target))


def cut(_source: ColumnType, target: ColumnType) -> Transform:
    return transform.cut(target.length or 0, trimmed=target.name == "char")
