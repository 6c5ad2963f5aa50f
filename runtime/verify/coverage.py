"""What does a cutover prove at its cut? Plain data, as text for a terminal and as JSON for programs.

Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from shardwright.runtime.ledger.comparison import Verification
from shardwright.runtime.ledger.left_out import NONE, LeftOutCount
from shardwright.runtime.verify.report import mismatch_lines
from shardwright.runtime.verify.result import Mismatch, Verdict

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class CountedTable:
    """A table whose rows were counted on both sides."""

    table: str
    """The logical table."""
    followed: int
    """Rows on the side that is followed: of the source, or of all shards on the way back."""
    copies: Mapping[str, int]
    """Where the rows should be the same -> how many there are: all shards together, or each copy by itself."""

    @property
    def is_equal(self) -> bool:
        return all(rows == self.followed for rows in self.copies.values())


@dataclass(frozen=True, slots=True)
class NotCounted:
    """A table whose rows were not counted."""

    table: str
    """The logical table."""
    estimate: int
    """How many rows it has, as the servers estimate."""
    why: str
    """Why not, in words."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The final comparison."""

    verified: Verification | None
    """The whole comparison that it starts from; None where there is none."""
    ends: tuple[str, str]
    """What is followed, and what should be equal to it."""
    after: int
    """The keys that later batches changed were read at the cut."""
    last: int
    """The last batch whose keys were read."""
    beside: Mapping[str, int]
    """Logical table -> rows that were compared again beside the stream, before the cut."""
    at_the_cut: Mapping[str, int]
    """Logical table -> rows that were compared again at the cut."""
    counted: tuple[CountedTable, ...]
    """The tables whose rows were counted."""
    not_counted: tuple[NotCounted, ...]
    """The tables whose rows were not."""
    mismatches: tuple[Mismatch, ...]
    """What was found wrong at the cut."""
    problems: tuple[str, ...]
    """Why something could not be proved."""
    seconds: float
    """Seconds that it took at the cut."""
    left_out: LeftOutCount = NONE
    """What the stream has left out as our own since the whole comparison; its rows were compared, too."""

    @property
    def verdict(self) -> Verdict:
        if self.mismatches or any(not table.is_equal for table in self.counted):
            return Verdict.DIFFERENT
        return Verdict.COULD_NOT_CHECK if self.problems else Verdict.EQUAL

    def as_lines(self) -> Iterator[str]:
        if self.verified is not None:
            began = f"{self.verified.began_at:%Y-%m-%d %H:%M:%S} UTC"
            yield f"all tables were equal at {began}: {self.verified.compared_rows:,} rows compared"
            since = f"since then, batches {self.verified.first_batch + 1:,} to {self.last:,}"
            yield f"{since}: {_rows(self.beside)} compared beside the stream, {_rows(self.at_the_cut)} at the cut"
        if self.left_out.transactions:
            yield f"left out of the stream as our own since then: {self.left_out}; they were compared, too"
        yield from (f"could not be proved: {why}" for why in self.problems)
        if self.counted:
            rows = sum(table.followed for table in self.counted)
            differing = [table for table in self.counted if not table.is_equal]
            same = len(self.counted) - len(differing)
            yield f"counted on both sides: {len(self.counted)} tables, {rows:,} rows; {same} have as many on both"
            for table in differing:
                copies = ", ".join(f"{place} {count:,}" for place, count in table.copies.items())
                yield f"  {table.table}: {self.ends[0]} {table.followed:,}, {copies}"
        for left in self.not_counted:
            yield f"not counted: {left.table}, about {left.estimate:,} rows: {left.why}"
        for mismatch in self.mismatches[:_SHOWN]:
            yield from mismatch_lines(mismatch, self.ends)
        if len(self.mismatches) > _SHOWN:
            yield f"  ... and {len(self.mismatches) - _SHOWN:,} more"

    def as_json(self) -> dict[str, Any]:
        verified = None
        if self.verified is not None:
            times = {name: str(getattr(self.verified, name)) for name in ("began_at", "finished_at")}
            verified = asdict(self.verified) | times
        return {
            "verdict": self.verdict.value,
            "verified": verified,
            "after": self.after,
            "last": self.last,
            "beside": dict(self.beside),
            "at_the_cut": dict(self.at_the_cut),
            "counted": [asdict(table) | {"equal": table.is_equal} for table in self.counted],
            "not_counted": [asdict(table) for table in self.not_counted],
            "mismatches": [asdict(mismatch) for mismatch in self.mismatches],
            "problems": list(self.problems),
            "left_out": asdict(self.left_out),
            "seconds": self.seconds,
        }


def _rows(by_table: Mapping[str, int]) -> str:
    rows = sum(by_table.values())
    return f"{rows:,} row{'' if rows == 1 else 's'}"
