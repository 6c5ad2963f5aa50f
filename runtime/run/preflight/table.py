"""How are the checks shown: as one table, as JSON, as an exit code? Pure; used in the process of the command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from shardwright.runtime.failures import Refused, Unreachable
from shardwright.runtime.mysql.check import Check, Verdict
from shardwright.specs.findings.text_table import text_table


def exit_code(checks: Sequence[Check]) -> int:
    """0: a run may start; 6: it would be refused; 4: a server could not be asked.

    A server that cannot report its free space ends no run, so it changes no exit code.
    """
    blocking = {check.verdict for check in checks if check.code}
    if Verdict.REFUSED in blocking:
        return Refused.exit_code
    return Unreachable.exit_code if Verdict.UNKNOWN in blocking else 0


def as_json(checks: Sequence[Check]) -> dict[str, Any]:
    return {"exit_code": exit_code(checks), "checks": [asdict(check) for check in checks]}


def as_text(checks: Sequence[Check]) -> str:
    """A row for each check, its remedy below what was found."""
    rows = [(check.verdict.value, check.where, check.name, "\n".join(_describe(check))) for check in checks]
    return f"{text_table(rows)}\n\n{summary(checks)}"


def _describe(check: Check) -> Iterator[str]:
    yield f"{check.code}: {check.found}" if check.code else check.found
    if check.way_out and check.verdict is not Verdict.OK:
        yield f"  do: {check.way_out}"


def summary(checks: Sequence[Check]) -> str:
    counts = Counter(check.verdict for check in checks)
    return ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict)
