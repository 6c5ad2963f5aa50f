"""Which tables of the source databases does the plan neither take nor ignore? Without this check, a forgotten table is
missed only after the switch.

Runs in the process of the command; reads source servers.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator

from shardwright.compiler.plan.plan import Plan, is_ours
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.mysql.check import Check, Fault, judge_faults
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import query

_TABLES = (
    "SELECT table_name FROM information_schema.tables WHERE table_schema = %s "
    "AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY table_name"
)
_SHOWN = 10


def check_forgotten_tables(plan: Plan, servers: Servers) -> Iterator[Check]:
    """A check for each source database. A server that does not answer is reported by the other checks. Of a table that
    is copied whole, the spec says which of several databases it is copied from."""
    taken = {name for table in plan.tables for name in table.sources}
    copies = {name for table in plan.tables if table.placement.has_copies for name in table.source.tables}
    for database in sorted({name.database for name in taken}):
        known = copies | {name.table for name in taken if name.database == database}
        try:
            connection = servers.connect_source(database)
        except RuntimeFailure:
            continue
        try:
            there = [name for (name,) in query(connection, _TABLES, (database,)) if not is_ours(name)]
        finally:
            connection.close()
        forgotten = [
            name for name in there if name not in known and not any(fnmatch.fnmatchcase(name, p) for p in plan.stays)
        ]
        yield from judge_faults(
            "forgotten tables", database, _faults(database, forgotten), otherwise="every table is taken or ignored"
        )


def _faults(database: str, forgotten: list[str]) -> Iterator[Fault]:
    if forgotten:
        listed = ", ".join(forgotten[:_SHOWN]) + (", ..." if len(forgotten) > _SHOWN else "")
        yield Fault(
            "SW4320",
            f"no spec takes or ignores {database}: {listed}",
            f"add an entry that moves it, or ignore it (ignore_tables: [{forgotten[0]}]), and compile",
        )
