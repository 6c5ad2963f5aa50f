"""Which physical tables does a change have to reach, what does each shard say before it, and what does the operator
read when it did not reach them all?

Runs in the driver; reads the shards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pymysql

from shardwright.compiler.plan.plan import DdlChange, Plan
from shardwright.runtime.ddl.online.hand_over import HandOver
from shardwright.runtime.ddl.session import Connect, explain
from shardwright.runtime.ddl.shard_access import ServerPools
from shardwright.runtime.ddl.target import Target, entry_for
from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay
from shardwright.runtime.ledger.ddl_record import CREATED, ChangeRecord, Place, is_of_stream, read_record
from shardwright.runtime.mysql.servers import is_mariadb


def look(connect: Connect, database: str, plan: Plan) -> tuple[dict[Place, ChangeRecord], bool]:
    """What is recorded on a shard, and whether its server is MariaDB. Raises RuntimeFailure."""
    connection = connect(database)
    try:
        return read_record(connection, plan.migration), is_mariadb(connection)
    except pymysql.err.MySQLError as error:
        raise explain(error, database, "_shardwright_ddl") from error
    finally:
        connection.close()


def look_before_hand_over(
    hand_over: HandOver,
    waiting: Mapping[DdlChange, Sequence[Target]],
    mariadb: Mapping[str, bool],
    *,
    connect: Connect,
    pools: ServerPools,
) -> None:
    """Checks that the tool can do everything that is to be handed over and that some table does not have. `waiting`:
    the tables that do not have each change. `mariadb`: by database. Raises RuntimeFailure."""
    tables: dict[str, list[str]] = {}
    taken: dict[tuple[DdlChange, bool], None] = {}
    for change, left in waiting.items():
        for target in left:
            kind = mariadb[target.database]
            if hand_over.takes(change, mariadb=kind):
                taken[change, kind] = None
                names = tables.setdefault(target.database, [])
                names += [] if target.table in names else [target.table]
    if not tables:
        return
    hand_over.refuse_missing({database: mariadb[database] for database in tables}, tuple(taken))

    def ask(database: str) -> None:
        connection = connect(database)
        try:
            hand_over.refuse_unfit(connection, database, tables[database])
        except pymysql.err.MySQLError as error:
            raise explain(error, database, tables[database][0]) from error
        finally:
            connection.close()

    pools.on_each(ask, [*tables], database_of=lambda name: name)


_NAMED = 20

Records = Mapping[str, Mapping[Place, ChangeRecord]]
"""By database."""


@dataclass(frozen=True, slots=True)
class DdlProgress:
    """One physical table has one change."""

    file: str
    """The change's DDL file."""
    ordinal: int
    """Number of the statement in its file."""
    database: str
    """The shard's database."""
    table: str
    """The physical table."""
    done: int
    """How many physical tables have the change."""
    total: int
    """How many physical tables must get it."""


OnProgress = Callable[[DdlProgress], None]


@dataclass(frozen=True, slots=True)
class Failure:
    target: Target
    failure: RuntimeFailure


def targets(plan: Plan, change: DdlChange, databases: Collection[str]) -> Iterator[Target]:
    """In the plan's order, so that the tables of one database are together."""
    for shard, suffix, name in plan.places_of(change):
        if plan.databases[shard] in databases:
            entry = entry_for(change, migration=plan.migration, table=name, suffix=suffix)
            yield Target(plan.databases[shard], suffix, entry)


def canaries_first(waiting: Sequence[Target]) -> tuple[Sequence[Target], Sequence[Target], Sequence[Target]]:
    """A canary table, the others of its shard, those of all other shards; each part begins when the one before is
    done."""
    shard = waiting[0].database if waiting else ""
    beside = [target for target in waiting[1:] if target.database == shard]
    return waiting[:1], beside, [target for target in waiting[1:] if target.database != shard]


def refuse_changed_files(plan: Plan, records: Records) -> None:
    """Raises Refused when a change that has reached a table reads differently now, or is gone. Changes met in the
    stream are in no file: each is checked by itself."""
    one_of_stream = next((change.file for change in plan.ddl if is_of_stream(change.file)), None)
    known = {
        (target.database, change.file, change.ordinal, target.entry.table): target.entry.sha256
        for change in plan.ddl
        for target in targets(plan, change, records.keys())
    }
    for database, record in records.items():
        for (file, ordinal, table), recorded in record.items():
            looked_at = file == one_of_stream if one_of_stream else not is_of_stream(file)
            if looked_at and file != CREATED and known.get((database, file, ordinal, table)) != recorded.sha256:
                raise Refused(
                    "SW8401",
                    f"{file} was changed after its statement {ordinal} had reached {database}.{table}: "
                    "put the file back as it was and write the change into a new file",
                )


def stop_failure(change: DdlChange, failures: list[Failure], untouched: Iterable[Target]) -> RuntimeFailure:
    """The first failure gives the reason; all tables without the change are named. A refusal remains a refusal."""
    first = next((f.failure for f in failures if isinstance(f.failure, Refused)), failures[0].failure)
    missing = [*(f.target for f in failures), *untouched]
    names = ", ".join(map(str, missing[:_NAMED]))
    more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    lacking = f"statement {change.ordinal} of {change.file} is missing on {names}{more}"
    if isinstance(first, Refused):
        return Refused(first.code, f"{first.message}; {lacking}")
    return StoppedPartWay("SW8403", f"{lacking}; {first.code}: {first.message}; run again to continue")
