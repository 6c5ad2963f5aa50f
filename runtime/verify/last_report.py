"""What has changed since an earlier comparison, by the result that `verify --report json=PATH` has written?

Runs in the process of the command; reads the file, and is pure otherwise.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.verify.result import Mismatch, Verdict, VerifyResult

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
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        theirs, verdict = str(data["migration"]), Verdict(data["verdict"])
        found = frozenset(
            (str(one["table"]), str(one["kind"]), tuple(str(part) for part in one["key"]))
            for table in data["tables"]
            for one in table["mismatches"]
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputAtFault("SW8520", f"{path} cannot be read as a result of verify: {error}") from error
    if theirs != migration:
        raise InputAtFault("SW8520", f"{path} is a result of migration {theirs}, not of {migration}")
    return LastReport(path.name, verdict, found)


def _wrong(mismatch: Mismatch) -> _Wrong:
    return mismatch.table, mismatch.kind.value, mismatch.key
