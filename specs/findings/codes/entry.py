"""What is known about one diagnostic code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """`title` is a phrase. `explanation` is one line: why the finding matters, and what to do. `fix` has the lines of
    an example of the corrected text.

    A code is never reused and never changes its meaning. Whether it may be silenced, `findings/diagnostics` says.
    """

    code: str
    title: str
    explanation: str
    fix: str = ""
