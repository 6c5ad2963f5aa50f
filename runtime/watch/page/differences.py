"""Where did a comparison find rows that differ? By the result file that `verify --report json=PATH` writes.

Runs in the process that serves the page; reads the file, and takes no value of a row from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from shardwright.runtime.verify.result_file import read_result_file

_PLACES: Final = 12


@dataclass(frozen=True, slots=True)
class Differences:
    """What a result says of places."""

    verdict: str
    """The word of the whole result."""
    file: str
    """The file's name."""
    mismatches: int
    """How many are in the file."""
    wrong: Mapping[str, Mapping[str, int]]
    """Logical table -> shard -> rows that differ."""
    places: tuple[tuple[str, int], ...]
    """The physical tables with the most of them."""

    @property
    def summary(self) -> dict[str, Any]:
        """The section of the page."""
        places = {str(number): list(place) for number, place in enumerate(self.places)}
        return {"verdict": self.verdict, "file": self.file, "mismatches": self.mismatches, "places": places}


def read_differences(path: Path) -> Differences:
    """Raises InputAtFault (SW8520) where it is no such file."""
    return read_result_file(path, lambda data: _take_places(path.name, data))


def _take_places(file: str, data: Any) -> Differences:
    wrong: dict[str, Counter[str]] = {}
    places = Counter[str]()
    mismatches = 0
    for table in data["tables"]:
        counts = wrong.setdefault(str(table["table"]), Counter())
        for mismatch in table["mismatches"]:
            mismatches += 1
            concerned = set(_tables_of(mismatch))
            places.update(concerned)
            counts.update({place.partition(".")[0] for place in concerned})
    return Differences(str(data["verdict"]), file, mismatches, wrong, tuple(places.most_common(_PLACES)))


def _tables_of(mismatch: Mapping[str, Any]) -> Iterator[str]:
    """The tables that hold the row; where none does, the one that should."""
    if mismatch["places"]:
        yield from map(str, mismatch["places"])
    elif mismatch["belongs"]:
        yield str(mismatch["belongs"])
