"""How are the checks shown: as one table, as JSON, as an exit code? Pure; used in the process of the command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from shardwright.runtime.failures import Refused, Unreachable
from shardwright.runtime.mysql.check import Check, Verdict


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
    """A line for each check, and below it the remedy."""
    columns = [[check.verdict.value, check.where, check.name] for check in checks]
    widths = [max((len(row[index]) for row in columns), default=0) for index in range(3)]
    lines: list[str] = []
    for row, check in zip(columns, checks, strict=True):
        head = "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))
        code = f"{check.code}: " if check.code else ""
        lines.append(f"{head}  {code}{check.found}")
        if check.way_out and check.verdict is not Verdict.OK:
            lines.append(f"{' ' * len(head)}    do: {check.way_out}")
    return "\n".join([*lines, "", summary(checks)])


def summary(checks: Sequence[Check]) -> str:
    counts = Counter(check.verdict for check in checks)
    return ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict)
