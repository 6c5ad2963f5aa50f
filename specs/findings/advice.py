"""Which codes are advice, so that an author may silence them in place, and which pass looks for them.

Kept apart from the explanations (`codes/`): every compilation asks this, and only `explain`, reports and pages read
those.
"""

from __future__ import annotations

from typing import Literal

Pass = Literal["validate", "compile", "dry-run"]
"""The command whose work includes the check, the first of them."""

_OF_COMPILE = frozenset(
    {
        "SW4001",
        "SW4002",
        "SW4003",
        "SW4004",
        "SW4010",
        "SW4108",
        "SW4214",
        "SW4301",
        "SW4302",
        "SW4303",
        "SW4304",
        "SW4305",
        "SW4306",
        "SW4307",
        "SW4308",
        "SW4309",
        "SW4310",
        "SW4311",
        "SW4312",
        "SW4313",
        "SW4314",
        "SW4316",
        "SW5004",
        "SW5005",
        "SW5011",
        "SW5101",
        "SW5102",
        "SW5103",
        "SW5104",
        "SW5105",
        "SW5106",
        "SW5108",
        "SW5109",
        "SW5110",
        "SW5111",
        "SW6101",
        "SW6102",
        "SW6103",
    }
)


def suppressible(code: str) -> Pass | None:
    """The pass that looks for a code which may be silenced; None for every other text."""
    return "compile" if code in _OF_COMPILE else None
