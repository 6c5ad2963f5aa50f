"""Would a rollback be possible after the switch? What it needs is asked before the switch: in an incident, nobody wants
to look for an administrator.

Runs in the driver; reads both sides, writes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from shardwright.runtime.cutover.fencing import fence_checks
from shardwright.runtime.cutover.ids_checks import ids_faults
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Check, Fault, Verdict, judge_faults

IMPOSSIBLE: Final = "SW8942"
_NAME: Final = "rollback"


def rollback_checks(
    current: Way, following: Way, generation: int, *, given_up: bool, allowed: Collection[str]
) -> Iterator[Check]:
    """Of the fence of the side that is to take the writes, and of the counters of the side that is left. `given_up`:
    an operator does without a rollback, so that what is missing is a warning."""
    found = list(
        judge_faults(_NAME, "", _faults(current, following, generation, allowed), otherwise="its fence can be set")
    )
    for check in found:
        if given_up and check.verdict is Verdict.REFUSED:
            yield Check(_NAME, "", Verdict.WARNING, f"{check.found} (--no-rollback)", check.way_out)
        else:
            yield check


def _faults(current: Way, following: Way, generation: int, allowed: Collection[str]) -> Iterator[Fault]:
    try:
        checks = list(fence_checks(following, current, generation + 1, allowed=allowed))
    except Refused as failure:
        yield Fault(IMPOSSIBLE, f"a rollback would be refused ({failure.code}): {failure.message}", _REMEDY)
    else:
        for check in checks:
            if check.verdict is Verdict.REFUSED:
                found = f"a rollback would be refused ({check.code}): {check.found}"
                yield Fault(IMPOSSIBLE, found, f"{check.way_out}; {_REMEDY}")
    for fault in ids_faults(following):
        found = f"a rollback would be refused ({fault.code}): {fault.found}"
        yield Fault(IMPOSSIBLE, found, f"{fault.way_out}; {_REMEDY}")


_REMEDY: Final = "or cut over with --no-rollback"
