"""What one question to a server came to. `run` and `preflight` are told the same checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    OK = "ok"
    WARNING = "warning"
    REFUSED = "refused"
    UNKNOWN = "could not be asked"


@dataclass(frozen=True, slots=True)
class Fault:
    """What stands in the way of a run. `found` and `way_out` are parts of one sentence."""

    code: str
    found: str
    way_out: str

    @property
    def message(self) -> str:
        return f"{self.found}: {self.way_out}" if self.way_out else self.found


@dataclass(frozen=True, slots=True)
class Check:
    """`where` is a server's address, or empty for all of them. A check with a `code` that is not ok ends a run; one without
    only informs."""

    name: str
    where: str
    verdict: Verdict
    found: str
    way_out: str = ""
    code: str = ""

    @property
    def message(self) -> str:
        return f"{self.found}: {self.way_out}" if self.way_out else self.found


def judged(name: str, where: str, faults: Iterable[Fault], *, otherwise: str) -> Iterator[Check]:
    """A refusal for each fault; `otherwise` is what is found when there is none."""
    count = 0
    for fault in faults:
        count += 1
        yield Check(name, where, Verdict.REFUSED, fault.found, fault.way_out, fault.code)
    if not count:
        yield Check(name, where, Verdict.OK, otherwise)


def warned(name: str, where: str, *, warning: str | None, way_out: str, otherwise: str) -> Check:
    """A warning when there is one."""
    if warning is None:
        return Check(name, where, Verdict.OK, otherwise)
    return Check(name, where, Verdict.WARNING, warning, way_out)


def has_refusal(checks: Iterable[Check]) -> bool:
    return any(check.verdict is Verdict.REFUSED for check in checks)
