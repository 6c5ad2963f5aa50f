"""Names of databases and tables by the dozen: "order_db_{00..15}", "_{0..7}", or a list of such texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

MAX_NAMES = 65_536
MAX_LENGTH = 64

_RANGE = re.compile(r"\{([0-9]{1,9})\.\.([0-9]{1,9})\}")
# The characters of names that need no quoting, and `-`: names travel through shells, paths and dashboards too.
_NAME = re.compile(r"[\w$-]*")
_NUMBER = re.compile(r"(?P<stem>.*?)(?P<number>[0-9]{1,9})(?P<rest>[^0-9]*)")


@dataclass(frozen=True, slots=True)
class TopologyFault(Exception):
    """Why a topology text gives no names: a code, a message, and the item of the list it stands in (None: no list)."""

    code: str
    message: str
    item: int | None = None


def expand(value: str | Sequence[str], *, may_be_empty: bool = False) -> tuple[str, ...]:
    """The names a topology value stands for, in order. `may_be_empty` allows "" (a suffix that adds nothing).

    Raises TopologyFault. Padding is kept: "{00..15}" gives 00, 01, ... 15.
    """
    texts = [value] if isinstance(value, str) else list(value)
    names: dict[str, None] = {}
    for index, text in enumerate(texts):
        item = None if isinstance(value, str) else index
        for name in _expand_text(text, item, len(names)):
            _check_name(name, item, may_be_empty=may_be_empty)
            if name in names:
                raise TopologyFault("SW1205", f"name '{name}' is given twice", item)
            names[name] = None
    return tuple(names)


def _expand_text(text: str, item: int | None, before: int) -> list[str]:
    """Every range of the text counts through; with several, the last counts fastest."""
    bounds = _RANGE.findall(text)
    fixed = _RANGE.split(text)[::3]
    if any("{" in part or "}" in part for part in fixed):
        message = f"'{text}' is not a name with a range"
        raise TopologyFault("SW1201", message, item)
    total = 1
    for low, high in bounds:
        _check_bounds(low, high, item)
        total *= int(high) - int(low) + 1
    if before + total > MAX_NAMES:
        raise TopologyFault("SW1203", f"with '{text}' there are more than {MAX_NAMES:,} names", item)
    names = [fixed[0]]
    for (low, high), tail in zip(bounds, fixed[1:], strict=True):
        numbers = [str(number).zfill(len(low)) for number in range(int(low), int(high) + 1)]
        names = [name + number + tail for name in names for number in numbers]
    return names


def _check_bounds(low: str, high: str, item: int | None) -> None:
    if int(low) > int(high):
        raise TopologyFault("SW1202", f"range {{{low}..{high}}} runs backwards", item)
    padded = low.startswith("0") and len(low) > 1
    if (padded and len(low) != len(high)) or (not padded and high.startswith("0") and len(high) > 1):
        message = f"range {{{low}..{high}}} is padded on one side only: write both ends with the same number of digits"
        raise TopologyFault("SW1201", message, item)


def _check_name(name: str, item: int | None, *, may_be_empty: bool) -> None:
    if not name and not may_be_empty:
        raise TopologyFault("SW1204", "a name must not be empty", item)
    if not _NAME.fullmatch(name):
        odd = next(character for character in name if not _NAME.fullmatch(character))
        raise TopologyFault("SW1204", f"name {name!r} holds the character {odd!r}", item)
    if len(name) > MAX_LENGTH:
        raise TopologyFault("SW1206", f"name '{name}' is longer than {MAX_LENGTH} characters", item)


def fold(names: Sequence[str]) -> str | list[str]:
    """A topology value that stands for these names, in their order: one text where that can be."""
    if len(names) == 1:
        return names[0]
    first, last = (_NUMBER.fullmatch(name) for name in (names[0], names[-1]))
    if first and last:
        text = f"{first['stem']}{{{first['number']}..{last['number']}}}{first['rest']}"
        try:
            if expand(text) == tuple(names):
                return text
        except TopologyFault:
            pass
    return list(names)
