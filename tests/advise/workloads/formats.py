"""The files that servers write of executed statements: a general log, a slow query log, an export of digests. Pure."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_BANNER: Final = (
    "/usr/sbin/mariadbd, Version: 10.11.14-MariaDB-0+deb12u2-log (Debian 12). started with:\n"
    "Tcp port: 3306  Unix socket: /run/mysqld/mysqld.sock\n"
    "Time\t\t    Id Command\tArgument\n"
)
_SECONDS: Final = 3600
_FIRST_SECOND: Final = 1_773_482_400  # 2026-03-14 10:00:00 UTC
Statements = Sequence[str]


def _take_turns(
    calls: Sequence[Statements], connections: Sequence[int], dice: random.Random
) -> Iterator[tuple[int, str]]:
    """Connection and statement. A connection executes one call after the other; the connections take turns by chance."""
    waiting = list(reversed(calls))
    running: dict[int, list[str]] = {}
    while waiting or running:
        free = [one for one in connections if one not in running]
        if waiting and (not running or (free and dice.random() < 0.35)):
            running[dice.choice(free)] = list(reversed(waiting.pop()))
        connection = dice.choice(sorted(running))
        yield connection, running[connection].pop()
        if not running[connection]:
            del running[connection]


def general_log(calls: Sequence[Statements], dice: random.Random) -> str:
    """As MariaDB writes it: the time only where it is another one."""
    connections = [41, 42, 43, 44, 45, 46, 52, 57]
    entries = [
        *((one, "Connect", "shop@10.0.4.17 on shop using TCP/IP") for one in connections),
        *((one, "Query", statement) for one, statement in _take_turns(calls, connections, dice)),
        *((one, "Quit", "") for one in connections),
    ]
    lines, before = [_BANNER], -1
    for number, (connection, command, text) in enumerate(entries):
        second = number * _SECONDS // len(entries)
        time = (
            "\t" if second == before else f"260314 {10 + second // 3600:2d}:{second // 60 % 60:02d}:{second % 60:02d}"
        )
        lines.append(f"{time}\t{connection:6d} {command}\t{text}\n")
        before = second
    return "".join(lines)


def slow_log(calls: Sequence[Statements], dice: random.Random) -> str:
    """As MariaDB writes it with long_query_time = 0. What has no index takes longer."""
    lines, before = [_BANNER], -1
    entries = list(_take_turns(calls, [310, 311, 312, 315, 318, 340], dice))
    for number, (connection, statement) in enumerate(entries):
        second = number * _SECONDS // len(entries)
        if second != before:
            lines.append(f"# Time: 260314 {10 + second // 3600:2d}:{second // 60 % 60:02d}:{second % 60:02d}\n")
        heavy = re.search(r"\b(GROUP BY|DISTINCT|LIKE '%|COUNT\(\*\)|MATCH)", statement) is not None
        seconds = dice.uniform(0.02, 0.9) if heavy else dice.uniform(0.0001, 0.004)
        rows = dice.randint(0, 20) if statement.startswith("SELECT") else 0
        changed = int(statement.startswith(("INSERT", "UPDATE", "DELETE", "REPLACE")))
        examined = dice.randint(5000, 56000) if heavy else rows + changed
        lines.append(
            "# User@Host: forum[forum] @ web1 [10.0.7.21]\n"
            f"# Thread_id: {connection}  Schema: forum  QC_hit: No\n"
            f"# Query_time: {seconds:.6f}  Lock_time: {dice.uniform(0, 0.0001):.6f}  Rows_sent: {rows}  Rows_examined: {examined}\n"
            f"# Rows_affected: {changed}  Bytes_sent: {dice.randint(11, 9000)}\n"
            + ("use forum;\n" if before == -1 else "")
            + f"SET timestamp={_FIRST_SECOND + second};\n{statement};\n"
        )
        before = second
    return "".join(lines)


@dataclass(frozen=True, slots=True)
class CountedStatement:
    """A statement with what MySQL says of it (STATEMENT_DIGEST, STATEMENT_DIGEST_TEXT)."""

    text: str
    weight: int
    digest: str
    digest_text: str


def digest_export(statements: Sequence[CountedStatement], dice: random.Random) -> str:
    """Rows of events_statements_summary_by_digest of one week, as objects. Equal digests are one row. The last row is of
    the statements for which the server had no room."""
    counted: dict[str, tuple[CountedStatement, int, int]] = {}
    for one in statements:
        calls = one.weight * 3600 + dice.randint(0, 400) if one.weight > 1 else dice.randint(1, 170)
        heavy = re.search(r"\b(group by|distinct|like '%|count\(|sum\()", one.text) is not None
        waited = calls * dice.randint(60_000_000, 300_000_000) * (150 if heavy else 2)
        _, more_calls, more_waited = counted.get(one.digest, (one, 0, 0))
        counted[one.digest] = one, calls + more_calls, waited + more_waited
    rows = [
        {
            "SCHEMA_NAME": "billing",
            "DIGEST": one.digest,
            "DIGEST_TEXT": one.digest_text,
            "COUNT_STAR": calls,
            "SUM_TIMER_WAIT": waited,
            "AVG_TIMER_WAIT": waited // calls,
            "FIRST_SEEN": f"2026-03-07 00:{dice.randint(0, 59):02d}:04.{dice.randint(0, 999_999):06d}",
            "LAST_SEEN": f"2026-03-14 09:{dice.randint(0, 59):02d}:09.{dice.randint(0, 999_999):06d}",
        }
        for one, calls, waited in sorted(counted.values(), key=lambda row: -row[2])
    ]
    lost = {**rows[-1], "SCHEMA_NAME": None, "DIGEST": None, "DIGEST_TEXT": None}
    return "[\n" + ",\n".join(map(json.dumps, [*rows, lost])) + "\n]\n"
