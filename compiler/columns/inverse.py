"""The steps of a lossless cast turned round, for rows that go back from the shards. Pure.

A value of the target's type either comes back as the very value that would go there again, or the server refuses it.
What a server would round, truncate, trim, fill up or read otherwise in silence gets something behind it that no column
of the source's type takes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from shardwright.compiler.columns.transform import FOUR_DIGITS, Transform, require_spelling, shorten
from shardwright.compiler.plan.catalogue import ColumnType


def invert(steps: Sequence[Transform], kind: ColumnType) -> tuple[Transform, ...] | None:
    """What brings a value of the target back to the source's type `kind`; None where a server would change it in
    silence."""
    found: list[Transform] = []
    for step in reversed(steps):
        back = _back(step, kind)
        if back is None:
            return None
        found += back
    return tuple(found)


def _back(step: Transform, kind: ColumnType) -> tuple[Transform, ...] | None:
    if step.more:
        return (shorten(step.more, _invalid_ending(kind)),)
    match step.back:
        case "as a year":
            return (FOUR_DIGITS, *_spelling_check(kind))
        case "if spelled so" if kind.name in ("json", "inet6"):
            return None  # the server orders the keys and spells the numbers, or spells the address anew
        case "if spelled so":
            return _spelling_check(kind)
        case "as it is":
            return _spelling_check(kind) if kind.name == "binary" else ()
        case _:
            return None


def _invalid_ending(kind: ColumnType) -> str:
    """No value of the type with this behind it is one: it is no number and no time, or too long."""
    if kind.name == "binary":
        return "FF" * ((kind.length or 1) + 1)
    return f" is no {kind.name}" + "." * (kind.length or 0)


def _spelling_check(kind: ColumnType) -> tuple[Transform, ...]:
    pattern = _spelling(kind)
    return () if pattern is None else (require_spelling(pattern, _invalid_ending(kind)),)


def _spelling(kind: ColumnType) -> str | None:
    """The texts that a column prints and takes as they are; None where it takes no others."""
    fraction = kind.scale if kind.name == "decimal" else kind.precision
    digits = rf"\.[0-9]{{{fraction}}}" if fraction else ""
    if kind.is_integer:
        return "0|-?[1-9][0-9]*"
    match kind.name:
        case "decimal":
            return rf"(?!-0(\.0+)?$)-?(0|[1-9][0-9]*){digits}"
        case "char":
            return "(?s)(.*[^ ])?"
        case "binary":
            return rf"[0-9A-F]{{{2 * (kind.length or 1)}}}"
        case "enum":
            return "|".join(re.escape(label) for label in kind.labels)
        case "set":
            return "".join(rf"(?:{re.escape(label)}(?:,(?!$)|$))?" for label in kind.labels)
        case "uuid":
            return "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
        case "inet4":
            return r"(0|[1-9][0-9]{0,2})(\.(0|[1-9][0-9]{0,2})){3}"
        case "year":
            return "0000|(19|20|21)[0-9]{2}"
        case "date":
            return "[0-9]{4}-[0-9]{2}-[0-9]{2}"
        case "datetime" | "timestamp":
            return "[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}" + digits
        case "time":
            return rf"(?!-00:00:00(\.0+)?$)-?[0-9]{{2,3}}:[0-9]{{2}}:[0-9]{{2}}{digits}"
        case _:
            return None
