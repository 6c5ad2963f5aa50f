"""What a benchmark's ratio may be at most: `limits.yaml` as data, and the comparison. Nothing is timed here."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

FILE: Final = Path(__file__).with_name("limits.yaml")
_KEYS: Final = {"yardstick", "measured", "most", "date", "reason"}
_MUCH_FASTER: Final = 0.7


@dataclass(frozen=True, slots=True)
class Limit:
    """Of one ratio: processor time of ours by that of `yardstick`, both taken in the same run. `measured` is what it was
    on `date`, when `most` was set; `reason` says why it is what it is."""

    yardstick: str
    measured: float
    most: float
    date: datetime.date
    reason: str


class WrongLimit(Exception):
    """The file of limits has an entry that says too little or contradicts itself; the message names it."""


def read_limits(file: Path = FILE) -> dict[str, Limit]:
    """By the ratio's name, such as "compile.cold". Raises WrongLimit."""
    limits = {}
    for name, entry in yaml.safe_load(file.read_text(encoding="utf-8")).items():
        if not isinstance(entry, dict) or set(entry) != _KEYS:
            raise WrongLimit(f"{file.name}: {name} has the keys {', '.join(sorted(_KEYS))}, each once")
        limit = Limit(**entry)
        if not isinstance(limit.date, datetime.date) or not str(limit.reason).strip():
            raise WrongLimit(f"{file.name}: {name} needs a date (YYYY-MM-DD) and a reason")
        if not 0 < limit.measured <= limit.most:
            raise WrongLimit(f"{file.name}: {name}: 0 < measured <= most does not hold")
        limits[name] = limit
    return limits


def above_limits(ratios: Mapping[str, float], limits: Mapping[str, Limit]) -> list[str]:
    """Names of the ratios that are above their limit."""
    return [name for name, ratio in ratios.items() if name in limits and ratio > limits[name].most]


def complaints(ratios: Mapping[str, float], limits: Mapping[str, Limit]) -> list[str]:
    """A sentence for each ratio that is above its limit, and for each name that has only one of the two."""
    above = [
        f"{name} is {ratios[name]:.3g} times {limits[name].yardstick}; at most {limits[name].most:.3g} is allowed since "
        f"{limits[name].date} ({limits[name].reason}). Make it faster again, or raise the limit in tests/bench/{FILE.name} "
        "with the reason and the date."
        for name in above_limits(ratios, limits)
    ]
    without_limit = [f"{name} has no limit in tests/bench/{FILE.name}." for name in sorted(ratios.keys() - limits)]
    unmeasured = [f"{name} has a limit, and was not measured." for name in sorted(limits.keys() - ratios)]
    return [*above, *without_limit, *unmeasured]


def hints(ratios: Mapping[str, float], limits: Mapping[str, Limit]) -> list[str]:
    """A sentence for each ratio that is far below what it was: its limit no longer holds anything."""
    return [
        f"{name} is {ratio:.3g}, and was {limits[name].measured:.3g} on {limits[name].date}: lower its limit."
        for name, ratio in ratios.items()
        if name in limits and ratio < _MUCH_FASTER * limits[name].measured
    ]
