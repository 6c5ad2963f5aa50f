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
from shardwright.compiler.plan.summary import few
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.cutover.next_ids import Place, connect, counter_name, places, seed_statement, seeds
from shardwright.runtime.cutover.number_ends import end_of, next_number_column
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.mysql.check import Check, Fault, Verdict, judge_faults
from shardwright.runtime.mysql.errors import NO_SUCH_TABLE, STATEMENT_DENIED
from shardwright.runtime.mysql.grants import quote_account
from shardwright.runtime.mysql.servers import current_account
from shardwright.runtime.mysql.transactions import decode_text, if_there, query
from shardwright.runtime.run.preflight.grants import target_grants

_NAME: Final = "next ids"
_CANNOT: Final = "SW8927"
_NO_NUMBER: Final = "SW8941"
_SHARED: Final = "SW8939"
_SEGMENT_RIGHTS: Final = "SELECT, INSERT, UPDATE"
_UNIQUE: Final = (
    "SELECT 1 FROM information_schema.statistics WHERE table_schema = %s AND table_name = %s AND non_unique = 0 "
    "GROUP BY index_name HAVING COUNT(*) = 1 AND MAX(LOWER(column_name)) = LOWER(%s) AND MAX(sub_part) IS NULL"
)
_COUNTS: Final = (
    "SELECT extra FROM information_schema.columns WHERE table_schema = %s AND table_name = %s AND column_name = %s"
)
_ALL_COUNTING: Final = (
    "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = %s "
    "AND extra LIKE '%%auto_increment%%'"
)
_NEEDED: Final = (
    "SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = %s "
    "AND is_nullable = 'NO' AND column_default IS NULL AND extra = '' AND COALESCE(generation_expression, '') = ''"
)


def ids_checks(into: Way, other: Way) -> Iterator[Check]:
    """Of the counters of `into.plan`'s target. The other side's counters are read, too."""
    if not into.plan.ids:
        return
    faults = [*_faults(into), *_faults_of_given(other)]
    if not faults:
        try:
            found = seeds(into, other)
        except pymysql.err.MySQLError as error:
            faults = [Fault(_CANNOT, f"numbers cannot be read: {error.args[-1]}", "see the counters under `ids`")]
        else:
            faults = [item.fault for item in found if item.fault is not None]
    if faults:
        yield from judge_faults(_NAME, "", faults, otherwise="")
        return
    yield from (Check(_NAME, "", Verdict.OK, str(item)) for item in found)


def check_uncounted(current: Way) -> Iterator[Check]:
    """A warning: columns that number new rows at the source, and neither count on the shards nor are in `ids`."""
    if current.side != "source":
        return
    plan, counted = current.plan, {(ids.table, ids.column) for ids in current.plan.ids}
    at_source = {names for _, columns in _number_columns_at_source(current) for names in columns}
    on_shards: dict[int, set[tuple[str, str]]] = {}
    found = []
    for table in plan.tables:
        shard = plan.shards(table)[0]
        if shard not in on_shards:
            with closing(current.connect_target(shard)) as connection:
                on_shards[shard] = set(_columns_with_numbers(connection, plan.databases[shard]))
        first = with_suffix(table.physical, plan.parts(table)[0]).lower()
        for column in table.columns:
            numbers = any((name.database, name.table.lower(), column.source.lower()) in at_source
                          for name in table.sources)  # fmt: skip
            there = (first, column.target.lower()) in on_shards[shard]
            if numbers and not there and (table.logical, column.target) not in counted:
                found.append(f"{table.logical}.{column.target}")
    if found:
        yield Check(
            _NAME, "", Verdict.WARNING, f"AUTO_INCREMENT at the source and not on the shards: {few(found)}. An INSERT "
            "without a value fails there (error 1364)",
            "name the counters under `ids` of the spec, or see that the application gives each new row its number",
        )  # fmt: skip


def check_shared_numbers(forward: Way) -> Iterator[Check]:
    """Before both sides take new rows: do the numbers that the source counts leave some for the shards?"""
    yield from judge_faults(
        _NAME, "", _faults_of_shared_numbers(forward), otherwise="the source leaves numbers for the shards"
    )


def _faults_of_shared_numbers(forward: Way) -> Iterator[Fault]:
    for connection, counted in _number_columns_at_source(forward):
        [(step,)] = query(connection, "SELECT @@global.auto_increment_increment")
        if counted and int(step) == 1:
            columns = few([".".join(names) for names in counted])
            found = f"the source gives every number of {columns}: new rows of the shards would get the same"
            way_out = (
                "SET GLOBAL auto_increment_increment = 2 there and connect its applications anew; those of the shards "
                "take the numbers between"
            )
            yield Fault(_SHARED, found, way_out)


def _number_columns_at_source(forward: Way) -> Iterator[tuple[Connection[Any], list[tuple[str, str, str]]]]:
    """By source server: a connection, and the columns of followed tables that number new rows (database, and in lower
    case table and column)."""
    names = [name for table in forward.plan.tables for name in table.sources]
    for followed, connection in forward.servers.each_source(names):
        tables = {(name.database, name.table.lower()) for name in followed}
        yield (
            connection,
            [
                (database, table, column)
                for database in sorted({name.database for name in followed})
                for table, column in _columns_with_numbers(connection, database)
                if (database, table) in tables
            ],
        )


def _columns_with_numbers(connection: Connection[Any], database: str) -> Iterator[tuple[str, str]]:
    """Table and column, in lower case."""
    for table, column in query(connection, _ALL_COUNTING, (database,)):
        yield str(decode_text(table)).lower(), str(decode_text(column)).lower()


def ids_faults(way: Way) -> tuple[Fault, ...]:
    """Why the counters of `way.plan`'s target could not be set, whatever their numbers."""
    return tuple(_faults(way))


def ids_warnings(way: Way) -> Iterator[Check]:
    """For `preflight`: a run does without them, a cutover does not."""
    for fault in _faults(way):
        yield Check(_NAME, "", Verdict.WARNING, fault.found, f"before a cutover: {fault.way_out}")


def _faults(way: Way) -> Iterator[Fault]:
    """Why the counters of `way.plan`'s target cannot be set."""
    for ids, place, connection in _counters(way):
        found = _of_segment if ids.kind == "segment" else _of_auto_increment
        yield from found(way, ids, place, connection)


def _faults_of_given(way: Way) -> Iterator[Fault]:
    """Why the segments of `way.plan`'s target, which applications use now, do not say what was given."""
    for ids, place, connection in _counters(way):
        if ids.kind == "segment":
            yield from _of_row(way, ids, place, connection, in_use=True)


def _counters(way: Way) -> Iterator[tuple[NextIds, Place, Connection[Any]]]:
    for shard in range(len(way.plan.databases)):
        here = [(ids, place) for ids in way.plan.ids for place in places(way.plan, ids) if place[0] == shard]
        if not here:
            continue
        with closing(connect(way, shard)) as connection:
            yield from ((ids, place, connection) for ids, place in here)


def _of_segment(way: Way, ids: NextIds, place: Place, connection: Connection[Any]) -> Iterator[Fault]:
    """EXPLAIN needs the privileges of the statement, and every name in it."""
    plan, name = way.plan, counter_name(way.plan, ids)
    database = plan.databases[place[0]]
    table = f"{quote(database)}.{quote(ids.counter)}"
    try:
        query(connection, f"EXPLAIN {seed_statement(plan, ids, place, 1)}")
    except pymysql.err.MySQLError as error:
        number, text = error.args[0], error.args[-1]
        if number in STATEMENT_DENIED:
            account = quote_account(current_account(connection))
            wanted = f"GRANT {_SEGMENT_RIGHTS} ON {table} TO {account}"
            yield Fault(_CANNOT, f"{ids.title}: the account may not set {name} ({text})", wanted)
            return
        way_out = "create the table" if number == NO_SUCH_TABLE else "name its columns under `ids` of the spec"
        yield Fault(_CANNOT, f"{ids.title}: {name} cannot be set ({text})", way_out)
        return
    if not query(connection, _UNIQUE, (database, ids.counter, ids.row_column)):
        found = f"{ids.title}: column {ids.row_column} of {database}.{ids.counter} has no unique key of its own"
        yield Fault(_CANNOT, found, f"ALTER TABLE {table} ADD UNIQUE KEY ({quote(ids.row_column)})")
        return
    yield from _of_row(way, ids, place, connection, in_use=False)


def _of_row(way: Way, ids: NextIds, place: Place, connection: Connection[Any], *, in_use: bool) -> Iterator[Fault]:
    """Does the segment hold a number? A row that is missing is made, unless applications should have used it."""
    database, column = way.plan.databases[place[0]], next_number_column(ids)
    table, row = f"{database}.{ids.counter}", f"row '{ids.row}' of {database}.{ids.counter}"
    end = end_of(connection, database, ids.counter, column)
    if isinstance(end, str):
        found = f"{ids.title}: column {column} of {table} is of type {end}, so it does not count"
        yield Fault(_NO_NUMBER, found, "make it BIGINT")
        return
    rows = if_there(lambda: query(connection, ids.read))
    if rows and rows[0][0] is None:
        yield Fault(_NO_NUMBER, f"{ids.title}: {column} in {row} is NULL", "give it the number that comes next")
    if not rows and in_use:
        way_out = "see the names under `ids` of the spec, or insert the row with the number that comes next"
        yield Fault(_NO_NUMBER, f"{ids.title}: {row}, from which applications take numbers now, is missing", way_out)
    if not rows and not in_use:
        known = (ids.row_column.lower(), column.lower())
        names = (str(decode_text(name)) for (name,) in query(connection, _NEEDED, (database, ids.counter)))
        needed = [name for name in names if name.lower() not in known]
        if needed:
            found = f"{ids.title}: {row} is missing, and column {needed[0]} needs a value that we do not know"
            yield Fault(_NO_NUMBER, found, "insert the row, with any small number")


def _of_auto_increment(way: Way, ids: NextIds, place: Place, connection: Connection[Any]) -> Iterator[Fault]:
    database, table = way.plan.databases[place[0]], with_suffix(ids.counter, place[1])
    rows = query(connection, _COUNTS, (database, table, ids.column))
    if rows and "auto_increment" not in str(rows[0][0]).lower():
        found = f"column {ids.column} of {database}.{table} is not AUTO_INCREMENT"
        yield Fault(_CANNOT, found, "change the table, or name a segment table under `ids` of the spec")
    yield from target_grants(connection, [database], str(way.servers.shards[place[0]]), needed=("ALTER",))
