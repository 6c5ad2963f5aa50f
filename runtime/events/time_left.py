"""Durations and sizes in words. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """Seconds: `soonest` <= `expected` <= `latest`."""

    expected: float
    soonest: float
    latest: float

    def __str__(self) -> str:
        low, high = span(self.soonest), span(self.latest)
        return f"about {span(self.expected)}" + (f" ({low} to {high})" if low != high else "")


def span(seconds: float) -> str:
    """A duration in two units at most, such as `3 h 10 min`."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes = round(whole / 60)
    if minutes < 60:
        return f"{minutes} min"
    if minutes < 24 * 60:
        return _two(minutes // 60, "h", minutes % 60, "min")
    hours = round(minutes / 60)
    return _two(hours // 24, "d", hours % 24, "h")


def size(count: float) -> str:
    """Bytes in a readable unit, such as `1.2 GiB`."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" or count >= 100 else f"{count:.3g} {unit}"
        count /= 1024
    return f"{count:.3g} TiB"


def _two(many: int, unit: str, rest: int, smaller: str) -> str:
    return f"{many} {unit} {rest} {smaller}" if rest else f"{many} {unit}"
