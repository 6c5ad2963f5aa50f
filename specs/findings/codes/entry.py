"""What is known about one diagnostic code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Pass = Literal["validate", "compile", "dry-run"]
"""What finds it: the first command whose work includes the check."""


@dataclass(frozen=True, slots=True)
class Code:
    """`title` is a phrase, `explanation` says why it matters and what to do, `fix` is an example of the mended text.

    `suppressible` is None for what makes a plan wrong. A code that is advice names the pass that looks for it: such a
    finding may be silenced in place with a reason, and never keeps a plan from being made, whatever its severity.
    A code is never reused and never changes its meaning.
    """

    code: str
    title: str
    explanation: str
    fix: str = ""
    suppressible: Pass | None = None
