"""Colours of a finding on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_RESET = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Palette:
    """`codes` maps a part of a finding ("error", "mark", "frame", "note", "help") to a terminal's code for its look."""

    codes: Mapping[str, str] = field(default_factory=dict)

    def paint(self, part: str, text: str) -> str:
        code = self.codes.get(part)
        return f"\x1b[{code}m{text}{_RESET}" if code and text else text


PLAIN = Palette()
COLOURED = Palette({"error": "1;31", "warning": "1;33", "mark": "1;31", "frame": "34", "note": "36", "help": "2"})
