"""Durations ("200ms", "10m") and sizes ("32MiB") as people write them."""

from __future__ import annotations

import re

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES = {"B": 1, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}
_DURATION = re.compile(r"([0-9]{1,9})(ms|s|m|h|d)")
_SIZE = re.compile(r"([0-9]{1,12})(B|KiB|MiB|GiB)")


def seconds(text: str) -> float | None:
    """The duration in seconds; None when it is not a whole number followed by ms, s, m, h or d."""
    match = _DURATION.fullmatch(text)
    return None if match is None else int(match[1]) * _SECONDS[match[2]]


def size_in_bytes(text: str) -> int | None:
    """The size in bytes; None when it is not a whole number followed by B, KiB, MiB or GiB."""
    match = _SIZE.fullmatch(text)
    return None if match is None else int(match[1]) * _BYTES[match[2]]
