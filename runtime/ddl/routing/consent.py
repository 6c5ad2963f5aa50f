"""What must the operator allow before DDL does anything? What loses data, copies tables or keeps writers waiting.

Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from shardwright.compiler.plan.plan import DdlChange, DdlClass
from shardwright.runtime.failures import Refused, RuntimeFailure

DESTRUCTIVE = "SW8420"
COPYING = "SW8421"
BLOCKING = "SW8422"
HEAVIER = "SW8415"
"""Allows a server to do a change in a heavier way than the plan asks for, if it refuses that one."""

_CODES: Mapping[DdlClass, str] = {"copying": COPYING, "blocking": BLOCKING}
_WORDS = {
    DESTRUCTIVE: "cannot be undone",
    COPYING: "copies each table",
    BLOCKING: "blocks writes to each table",
}


def parse_codes(text: str) -> frozenset[str]:
    """The codes of `--allow`, separated by commas. Raises RuntimeFailure (SW8007) for one that would allow nothing
    here."""
    codes = frozenset(code.strip().upper() for code in text.split(",") if code.strip())
    if unknown := sorted(codes - {DESTRUCTIVE, COPYING, BLOCKING, HEAVIER}):
        known = ", ".join(sorted((DESTRUCTIVE, COPYING, BLOCKING, HEAVIER)))
        raise RuntimeFailure("SW8007", f"--allow {', '.join(unknown)}: {known} can be allowed")
    return codes


def codes_to_allow(change: DdlChange, *, mariadb: bool) -> tuple[str, ...]:
    """The codes that have to be allowed for the change on such a server."""
    form = change.form(mariadb=mariadb)
    found = [DESTRUCTIVE] if change.destructive else []
    found += [_CODES[form.ddl_class]] if form is not None and form.ddl_class in _CODES else []
    return tuple(found)


def refuse_unless_allowed(
    waiting: Iterable[tuple[DdlChange, bool]], allowed: Set[str], *, handed_over: bool = False
) -> None:
    """`waiting`: changes that some table does not have, and whether its server is MariaDB. `handed_over`: copying ones
    go to a tool, so no writer waits for them. Raises Refused with the first missing code, and names every change that
    needs one and all the codes that are needed."""
    lacking: dict[str, set[str]] = {}
    wanted: set[str] = set()
    for change, mariadb in waiting:
        codes = [code for code in codes_to_allow(change, mariadb=mariadb) if not (handed_over and code == COPYING)]
        wanted.update(codes)
        for code in codes:
            if code not in allowed:
                lacking.setdefault(code, set()).add(f"{change.file} {change.ordinal}")
    if not lacking:
        return
    said = "; ".join(f"{', '.join(sorted(changes))}: {_WORDS[code]}" for code, changes in sorted(lacking.items()))
    flag = ",".join(sorted(wanted | set(allowed)))
    raise Refused(min(lacking), f"{said}. If that is what you want, run again with --allow {flag}")
