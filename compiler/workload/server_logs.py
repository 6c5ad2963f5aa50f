"""Statements from the logs that MySQL and MariaDB write: the general log and the slow query log. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shardwright.compiler.workload.statement import WorkloadStatement

_GENERAL: Final = re.compile(
    r"^(?:\d{6}\s+\d{1,2}:\d\d:\d\d|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*)?\s*(?P<id>\d+)\s"
    r"(?P<command>[A-Z][A-Za-z]+(?: stmt| DB)?)(?:\t(?P<text>.*))?$"
)
_BANNER: Final = re.compile(r"^(?:\S*(?:mysqld|mariadbd)\S*, Version: .*|Tcp port: .*|Time\s+Id Command\s+Argument)$")
_COMMANDS: Final = frozenset({"Query", "Execute"})
_TIME: Final = re.compile(r"#\s+Query_time:\s*(?P<seconds>\d+(?:\.\d+)?)")
_THREAD: Final = re.compile(r"(?:Id:|Thread_id:)\s*(?P<id>\d+)")
_PREAMBLE: Final = re.compile(r"(?:\s*(?:SET\s+timestamp\s*=\s*[\d.]+|use\s+\S+)\s*;)*\s*", re.IGNORECASE)


def is_general_log(lines: list[str]) -> bool:
    known = [line for line in lines if line.strip()]
    return any(_BANNER.match(line) and "Command" in line for line in known[:6]) or bool(
        known and (found := _GENERAL.match(known[0])) and found["command"] in {*_COMMANDS, "Connect", "Prepare", "Quit"}
    )


def read_general_log(text: str, file: str) -> Iterator[WorkloadStatement]:
    """Queries and executed prepared statements, with the connection that executed them."""
    statement: list[str] = []
    session, line = "", 0

    def finish() -> Iterator[WorkloadStatement]:
        if whole := "\n".join(statement).strip():
            yield WorkloadStatement(whole, 1, None, file, line, session)

    for number, row in enumerate(text.splitlines(), 1):
        if _BANNER.match(row):
            continue
        found = _GENERAL.match(row)
        if found is None:
            if statement:
                statement.append(row)
            continue
        yield from finish()
        statement = [found["text"] or ""] if found["command"] in _COMMANDS else []
        session, line = found["id"], number
    yield from finish()


def is_slow_log(lines: list[str]) -> bool:
    return any(line.startswith(("# User@Host:", "# Query_time:")) for line in lines[:40])


def read_slow_log(text: str, file: str) -> Iterator[WorkloadStatement]:
    """Each entry is one call, with its time."""
    seconds: float | None = None
    session, statement, line = "", list[str](), 0

    def finish() -> Iterator[WorkloadStatement]:
        whole = "\n".join(statement)
        whole = _PREAMBLE.sub("", whole, count=1).strip().rstrip(";").rstrip()
        if whole and not whole.startswith("# administrator command"):
            yield WorkloadStatement(whole, 1, seconds, file, line, session)

    for number, row in enumerate(text.splitlines(), 1):
        if _BANNER.match(row):
            continue
        if row.startswith("#"):
            if statement:
                yield from finish()
                statement, seconds = [], None
            if found := _TIME.match(row):
                seconds = float(found["seconds"])
            if found := _THREAD.search(row):
                session = found["id"]
            continue
        if _PREAMBLE.fullmatch("\n".join(statement)):
            line = number
        statement.append(row)
    yield from finish()
