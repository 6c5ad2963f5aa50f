"""When a type holds what another type held: the conditions of the table of casts."""

from __future__ import annotations

from shardwright.compiler.expressions import capacity
from shardwright.compiler.expressions.interval import integer_interval
from shardwright.compiler.plan.catalogue import ColumnType


def always(_source: ColumnType, _target: ColumnType) -> bool:
    return True


def same_type(source: ColumnType, target: ColumnType) -> bool:
    return source == target


def integers_fit(source: ColumnType, target: ColumnType) -> bool:
    return integer_interval(source).within(integer_interval(target))


def year_fits(_source: ColumnType, target: ColumnType) -> bool:
    return integer_interval(target).high >= 2155


def integer_fits_decimal(source: ColumnType, target: ColumnType) -> bool:
    interval = integer_interval(source)
    digits = max(len(str(interval.high)), len(str(abs(interval.low))))
    return whole_digits(target) >= digits and (not target.unsigned or source.unsigned)


def decimal_fits(source: ColumnType, target: ColumnType) -> bool:
    enough = whole_digits(target) >= whole_digits(source) and scale(target) >= scale(source)
    return enough and (not target.unsigned or source.unsigned)


def decimal_fits_rounded(source: ColumnType, target: ColumnType) -> bool:
    """99.99 rounds to 100: one more digit before the point is needed. Spark reckons with 38 digits."""
    enough = whole_digits(target) > whole_digits(source) and (source.precision or 10) <= 38
    return enough and (not target.unsigned or source.unsigned)


def decimal_is_an_integer(source: ColumnType, target: ColumnType) -> bool:
    interval = integer_interval(target)
    most = 10 ** whole_digits(source) - 1
    return scale(source) == 0 and most <= interval.high and (source.unsigned or -most >= interval.low)


def more_fraction(source: ColumnType, target: ColumnType) -> bool:
    return (target.precision or 0) >= (source.precision or 0)


def less_fraction(source: ColumnType, target: ColumnType) -> bool:
    return (target.precision or 0) < (source.precision or 0)


def digits_fit(source: ColumnType, target: ColumnType) -> bool:
    most = capacity.most_characters(source)
    return capacity.charset_holds("ascii", target.charset) and capacity.holds_text(target, most, most)


def labels_fit(source: ColumnType, target: ColumnType) -> bool:
    most = capacity.most_characters(source)
    fits = capacity.holds_text(target, most, most * capacity.character_width(target.charset))
    return fits and capacity.charset_holds(source.charset, target.charset)


def labels_exist_there(source: ColumnType, target: ColumnType) -> bool:
    """In the same order: a SET's text names its labels in the order of the definition."""
    kept = [label for label in target.labels if label in source.labels]
    return kept == list(source.labels) if source.name == "set" else set(source.labels) <= set(target.labels)


def text_fits(source: ColumnType, target: ColumnType) -> bool:
    if not capacity.charset_holds(source.charset, target.charset):
        return False
    if target.name == "char" and source.name != "char":
        return False
    most = capacity.most_characters(source)
    size = most * capacity.character_width(target.charset)
    if (limit := capacity.text_limit(source)) is not None and source.charset == target.charset:
        size = limit
    return capacity.holds_text(target, most, size)


def text_fits_when_cut(source: ColumnType, target: ColumnType) -> bool:
    return capacity.charset_holds(source.charset, target.charset)


def json_fits(_source: ColumnType, target: ColumnType) -> bool:
    return target.name == "json" or target.charset == "utf8mb4"


def bytes_fit(source: ColumnType, target: ColumnType) -> bool:
    """BINARY(n) is filled up with zero bytes: only the same length keeps the value."""
    if target.name == "binary":
        return source == target
    return capacity.most_bytes(source) <= capacity.most_bytes(target)


def bits_fit(source: ColumnType, target: ColumnType) -> bool:
    """The canonical text is hexadecimal, two digits a byte: as many bytes on both sides."""
    here, there = source.length or 1, target.length or 1
    return here <= there and (here + 7) // 8 == (there + 7) // 8


def scale(kind: ColumnType) -> int:
    return kind.scale or 0


def whole_digits(kind: ColumnType) -> int:
    return (kind.precision or 10) - scale(kind)
