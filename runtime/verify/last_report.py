"""What has changed since an earlier comparison, by the result that `verify --report json=PATH` has written?

Runs in the process of the command; reads the file, and is pure otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.verify.result import Mismatch, Verdict, VerifyResult
from shardwright.runtime.verify.result_file import NO_RESULT, read_result_file

_Wrong = tuple[str, str, tuple[str, ...]]
"""Logical table, kind and key."""


@dataclass(frozen=True, slots=True)
class Change:
    """Mismatches by what became of them."""

    gone: int
    new: int
    still: int


@dataclass(frozen=True, slots=True)
class LastReport:
    """An earlier result of the same migration."""

    file: str
    verdict: Verdict
    mismatches: frozenset[_Wrong]

    def has(self, mismatch: Mismatch) -> bool:
        return _wrong(mismatch) in self.mismatches

    def change_to(self, result: VerifyResult) -> Change:
        """By the mismatches that both results list."""
        now = {_wrong(mismatch) for table in result.tables for mismatch in table.mismatches}
        return Change(len(self.mismatches - now), len(now - self.mismatches), len(now & self.mismatches))


def read_last_report(path: Path, migration: str) -> LastReport:
    """Raises InputAtFault (SW8520) for a file that is no result of verify, or is of another migration."""
    theirs, verdict, found = read_result_file(path, _take_mismatches)
    if theirs != migration:
        raise InputAtFault(NO_RESULT, f"{path} is a result of migration {theirs}, not of {migration}")
    return LastReport(path.name, verdict, found)


def _take_mismatches(data: Any) -> tuple[str, Verdict, frozenset[_Wrong]]:
    """Migration, verdict and mismatches."""
    found = frozenset(
        (str(one["table"]), str(one["kind"]), tuple(str(part) for part in one["key"]))
        for table in data["tables"]
        for one in table["mismatches"]
    )
    return str(data["migration"]), Verdict(data["verdict"]), found


def _wrong(mismatch: Mismatch) -> _Wrong:
    return mismatch.table, mismatch.kind.value, mismatch.key
