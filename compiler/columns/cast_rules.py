"""Which types a column may have on the target, and what that does to its values: one table.

The first rule that names both types and whose condition holds gives the verdict; where none holds the change is
impossible. `docs/reference/casts.md` is made of this table. `tests/columns/test_casts.py` sends the extreme values of
every type through a real server: a value arrives equal, or the verdict was not lossless.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from shardwright.compiler.columns import cast_conditions as when
from shardwright.compiler.columns import cast_forms as form
from shardwright.compiler.columns.transform import AS_TEXT, YEAR_NUMBER, Transform, cut, same
from shardwright.compiler.plan.catalogue import BINARIES, INTEGERS, MARIADB_TYPES, SPATIALS, TEXTS, ColumnType

Verdict = Literal["lossless", "lossy", "impossible"]
Condition = Callable[[ColumnType, ColumnType], bool]
Maker = Callable[[ColumnType, ColumnType], Transform]


@dataclass(frozen=True, slots=True)
class CastRule:
    """`when` and `effect` are words for the documentation and for messages; `holds` decides, `make` carries out. `same_text`:
    the canonical text stays as it is, so that keys keep their identity and their order."""  # noqa: E501

    sources: frozenset[str]
    targets: frozenset[str]
    verdict: Verdict
    when: str
    effect: str
    holds: Condition
    make: Maker | Transform
    same_text: bool = False


@dataclass(frozen=True, slots=True)
class Cast:
    """The verdict about one change of type. `why` says what is lost, or why it is impossible."""

    verdict: Verdict
    why: str
    transform: Transform
    same_text: bool


def cast(source: ColumnType, target: ColumnType) -> Cast:
    for rule in RULES:
        if source.name in rule.sources and target.name in rule.targets and rule.holds(source, target):
            made = rule.make if isinstance(rule.make, Transform) else rule.make(source, target)
            return Cast(rule.verdict, rule.effect, made, rule.same_text)
    wanted = [rule.when for rule in RULES if source.name in rule.sources and target.name in rule.targets]
    why = f"only where {' or '.join(dict.fromkeys(wanted))}" if wanted else "there is no exact way between these types"
    return Cast("impossible", why, same(), same_text=False)


_MOMENTS = frozenset({"datetime", "timestamp"})


def _types(*names: str) -> frozenset[str]:
    return frozenset(names)


RULES: tuple[CastRule, ...] = (
    # numbers
    CastRule(INTEGERS, INTEGERS, "lossless", "every value of the one is one of the other", "", when.integers_fit, form.number, True),  # noqa: E501
    CastRule(INTEGERS, _types("decimal"), "lossless", "there are digits enough before the point", "", when.integer_fits_decimal, form.longer_decimal),  # noqa: E501
    CastRule(INTEGERS, TEXTS, "lossless", "the longest number fits", "", when.digits_fit, form.plain_number_text),
    CastRule(_types("decimal"), _types("decimal"), "lossless", "there are digits enough on both sides of the point", "", when.decimal_fits, form.longer_decimal),  # noqa: E501
    CastRule(_types("decimal"), _types("decimal"), "lossy", "there is one digit more before the point", "digits after the point are rounded, half away from zero", when.decimal_fits_rounded, form.round_to_scale),  # noqa: E501
    CastRule(_types("decimal"), INTEGERS, "lossless", "there are no digits after the point and every number fits", "", when.decimal_is_an_integer, form.number),  # noqa: E501
    CastRule(_types("decimal"), TEXTS, "lossless", "the longest number fits", "", when.digits_fit, AS_TEXT),
    CastRule(_types("float"), _types("float", "double"), "lossless", "", "", when.always, same("DOUBLE")),
    CastRule(_types("double"), _types("double"), "lossless", "", "", when.always, same()),
    # time
    CastRule(_types("year"), _types("year"), "lossless", "", "", when.always, same()),
    CastRule(_types("year"), INTEGERS, "lossless", "2155 fits", "", when.year_fits, YEAR_NUMBER),
    CastRule(_types("date"), _types("date"), "lossless", "", "", when.always, same()),
    CastRule(_types("date"), _types("datetime"), "lossless", "", "", when.always, form.midnight),
    CastRule(_MOMENTS, _types("datetime"), "lossless", "there are as many digits of a second", "", when.more_fraction, form.longer_fraction),  # noqa: E501
    CastRule(_MOMENTS, _types("datetime"), "lossy", "", "digits of the second are truncated", when.less_fraction, form.shorter_fraction),  # noqa: E501
    CastRule(_types("timestamp"), _types("timestamp"), "lossless", "there are as many digits of a second", "", when.more_fraction, form.longer_fraction),  # noqa: E501
    CastRule(_types("timestamp"), _types("timestamp"), "lossy", "", "digits of the second are truncated", when.less_fraction, form.shorter_fraction),  # noqa: E501
    CastRule(_MOMENTS, _types("date"), "lossy", "", "the time of day is truncated", when.always, cut(10)),
    CastRule(_types("time"), _types("time"), "lossless", "there are as many digits of a second", "", when.more_fraction, form.longer_fraction),  # noqa: E501
    CastRule(_MOMENTS | {"date", "time", "year"}, TEXTS, "lossless", "the longest value fits", "", when.digits_fit, AS_TEXT),  # noqa: E501
    # text
    CastRule(TEXTS, TEXTS, "lossless", "the longest value fits and the character set holds all characters", "", when.text_fits, AS_TEXT, True),  # noqa: E501
    CastRule(TEXTS, _types("varchar"), "lossy", "the character set holds all characters", "longer values are truncated", when.text_fits_when_cut, form.cut),  # noqa: E501
    CastRule(TEXTS, _types("char"), "lossy", "the character set holds all characters", "longer values are truncated, and so are spaces at the end", when.text_fits_when_cut, form.cut),  # noqa: E501
    CastRule(_types("enum", "set"), TEXTS, "lossless", "the longest value fits and the character set holds all characters", "", when.labels_fit, AS_TEXT),  # noqa: E501
    CastRule(_types("enum"), _types("enum"), "lossless", "all labels exist there", "", when.labels_exist_there, AS_TEXT),  # noqa: E501
    CastRule(_types("set"), _types("set"), "lossless", "all labels exist there in the same order", "", when.labels_exist_there, AS_TEXT),  # noqa: E501
    CastRule(_types("json"), _types("json", "longtext"), "lossless", "the character set is utf8mb4", "", when.json_fits, AS_TEXT),  # noqa: E501
    CastRule(MARIADB_TYPES, MARIADB_TYPES, "lossless", "the type is the same", "", when.same_type, same()),
    CastRule(MARIADB_TYPES, TEXTS, "lossless", "the longest value fits", "", when.digits_fit, AS_TEXT),
    # bytes
    CastRule(BINARIES, BINARIES, "lossless", "the longest value fits and is not filled up with zero bytes", "", when.bytes_fit, same(), True),  # noqa: E501
    CastRule(_types("vector"), BINARIES | {"vector"}, "lossless", "the longest value fits and is not filled up with zero bytes", "", when.bytes_fit, same()),  # noqa: E501
    CastRule(_types("bit"), _types("bit"), "lossless", "there are as many bytes", "", when.bits_fit, same()),
    CastRule(SPATIALS, SPATIALS, "lossless", "the type is the same", "", when.same_type, same()),
)  # fmt: skip
