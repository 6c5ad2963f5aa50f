"""What is new, gone and lasting since an earlier comparison? Plain data.

Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Identity(NamedTuple):
    """What makes a mismatch of two comparisons the same one."""

    table: str
    """The logical table."""
    kind: str
    """What is wrong."""
    key: tuple[str, ...]
    """The key's values as text."""

    @property
    def key_text(self) -> str:
        return ", ".join(self.key)


@dataclass(frozen=True, slots=True)
class Trend:
    """Mismatches of now and of an earlier report."""

    report: str
    """The file of the earlier report."""
    new: frozenset[Identity]
    """They were not in the earlier report."""
    lasting: frozenset[Identity]
    """They are in both."""
    gone: tuple[Identity, ...]
    """They were in the earlier report alone."""
    not_compared: tuple[str, ...]
    """Tables of which one of the two does not have all mismatches: nothing of them is called new or gone."""

    def __str__(self) -> str:
        counts = f"{len(self.new):,} new, {len(self.lasting):,} lasting, {len(self.gone):,} gone"
        unknown = f"; not all mismatches are known of {', '.join(self.not_compared)}" if self.not_compared else ""
        return f"since {self.report}: {counts}{unknown}"
