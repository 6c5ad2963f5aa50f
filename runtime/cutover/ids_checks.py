"""Can the counters of new rows be set on the side that takes the writes, and what would they be set to?

Runs in the driver; reads both sides, writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.next_ids import NextIds
from shardwright.compiler.plan.plan import with_suffix
from shardwright.compiler.sql.sql_text import quoted
from shardwright.runtime.cutover.next_ids import Place, connected, counter_name, places, seed_statement, seeds
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.mysql.check import Check, Fault, Verdict, judged
from shardwright.runtime.mysql.errors import NO_SUCH_TABLE, STATEMENT_DENIED
from shardwright.runtime.mysql.grants import quoted_account
from shardwright.runtime.mysql.servers import current_account
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.run.preflight.grants import target_grants

_NAME: Final = "next ids"
_CANNOT: Final = "SW8927"
_SEGMENT_RIGHTS: Final = "SELECT, INSERT, UPDATE"
_UNIQUE: Final = (
    "SELECT 1 FROM information_schema.statistics WHERE table_schema = %s AND table_name = %s AND non_unique = 0 "
    "GROUP BY index_name HAVING COUNT(*) = 1 AND MAX(LOWER(column_name)) = LOWER(%s) AND MAX(sub_part) IS NULL"
)
_COUNTS: Final = (
    "SELECT extra FROM information_schema.columns WHERE table_schema = %s AND table_name = %s AND column_name = %s"
)


def ids_checks(into: Way, other: Way) -> Iterator[Check]:
    """Of the counters of `into.plan`'s target. The other side's counters are read, too."""
    if not into.plan.ids:
        return
    faults = list(_faults(into))
    if not faults:
        try:
            found = seeds(into, other)
        except pymysql.err.MySQLError as error:
            faults = [Fault(_CANNOT, f"numbers cannot be read: {error.args[-1]}", "see the counters under `ids`")]
    if faults:
        yield from judged(_NAME, "", faults, otherwise="")
        return
    yield from (Check(_NAME, "", Verdict.OK, str(item)) for item in found)


def ids_warnings(way: Way) -> Iterator[Check]:
    """For `preflight`: a run does without them, a cutover does not."""
    for fault in _faults(way):
        yield Check(_NAME, "", Verdict.WARNING, fault.found, f"before a cutover: {fault.way_out}")


def _faults(way: Way) -> Iterator[Fault]:
    for shard in range(len(way.plan.databases)):
        here = [(ids, place) for ids in way.plan.ids for place in places(way.plan, ids) if place[0] == shard]
        if not here:
            continue
        with closing(connected(way, shard)) as connection:
            for ids, place in here:
                found = _of_segment if ids.kind == "segment" else _of_auto_increment
                yield from found(way, ids, place, connection)


def _of_segment(way: Way, ids: NextIds, place: Place, connection: Connection[Any]) -> Iterator[Fault]:
    """EXPLAIN needs the privileges of the statement, and every name in it."""
    plan, name = way.plan, counter_name(way.plan, ids)
    database = plan.databases[place[0]]
    table = f"{quoted(database)}.{quoted(ids.counter)}"
    try:
        query(connection, f"EXPLAIN {seed_statement(plan, ids, place, 1)}")
    except pymysql.err.MySQLError as error:
        number, text = error.args[0], error.args[-1]
        if number in STATEMENT_DENIED:
            account = quoted_account(current_account(connection))
            wanted = f"GRANT {_SEGMENT_RIGHTS} ON {table} TO {account}"
            yield Fault(_CANNOT, f"{ids.title}: the account may not set {name} ({text})", wanted)
            return
        way_out = "create the table" if number == NO_SUCH_TABLE else "name its columns under `ids` of the spec"
        yield Fault(_CANNOT, f"{ids.title}: {name} cannot be set ({text})", way_out)
        return
    if not query(connection, _UNIQUE, (database, ids.counter, ids.row_column)):
        found = f"{ids.title}: column {ids.row_column} of {database}.{ids.counter} has no unique key of its own"
        yield Fault(_CANNOT, found, f"ALTER TABLE {table} ADD UNIQUE KEY ({quoted(ids.row_column)})")


def _of_auto_increment(way: Way, ids: NextIds, place: Place, connection: Connection[Any]) -> Iterator[Fault]:
    database, table = way.plan.databases[place[0]], with_suffix(ids.counter, place[1])
    rows = query(connection, _COUNTS, (database, table, ids.column))
    if rows and "auto_increment" not in str(rows[0][0]).lower():
        found = f"column {ids.column} of {database}.{table} is not AUTO_INCREMENT"
        yield Fault(_CANNOT, found, "change the table, or name a segment table under `ids` of the spec")
    yield from target_grants(connection, [database], str(way.servers.shards[place[0]]), needed=("ALTER",))
