"""What a check of a server has found, and whether that lets a run begin. `run` and `preflight` get the same checks.

Pure. Used in the driver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    OK = "ok"
    WARNING = "warning"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Fault:
    """What prevents a run. `found` and `way_out` (the remedy) are parts of one sentence."""

    code: str
    found: str
    way_out: str

    @property
    def message(self) -> str:
        return f"{self.found}: {self.way_out}" if self.way_out else self.found


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check. A check with a `code` that is not ok ends a run; one without a code only informs."""

    name: str
    """What was checked."""
    where: str
    """The server's address; empty for all servers."""
    verdict: Verdict
    """Whether a run may begin."""
    found: str
    """What the check has found, in words."""
    way_out: str = ""
    """The remedy, which follows `found` in one sentence; empty where there is none."""
    code: str = ""
    """Of the finding that ends a run (SWnnnn); empty for a check that only informs."""

    @property
    def message(self) -> str:
        return f"{self.found}: {self.way_out}" if self.way_out else self.found


def judge_faults(name: str, where: str, faults: Iterable[Fault], *, otherwise: str) -> Iterator[Check]:
    """A refusal for each fault; `otherwise` is what is found when there is none."""
    count = 0
    for fault in faults:
        count += 1
        yield Check(name, where, Verdict.REFUSED, fault.found, fault.way_out, fault.code)
    if not count:
        yield Check(name, where, Verdict.OK, otherwise)


def warn(name: str, where: str, *, warning: str | None, way_out: str, otherwise: str) -> Check:
    """A warning when there is one."""
    if warning is None:
        return Check(name, where, Verdict.OK, otherwise)
    return Check(name, where, Verdict.WARNING, warning, way_out)


def has_refusal(checks: Iterable[Check]) -> bool:
    return any(check.verdict is Verdict.REFUSED for check in checks)
