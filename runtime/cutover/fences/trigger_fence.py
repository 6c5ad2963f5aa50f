"""The fence `triggers`: each table of the migration refuses changes of rows, unless our account makes them.

Runs in the driver; writes triggers on the fenced servers, and kills connections there that hold tables for too long.

The tables stay readable, and late writers get an error (1644) that names the migration. CREATE TRIGGER waits for each
open transaction that has used the table. So when the last trigger is there, every transaction that writes the table has
met it. TRUNCATE, other DDL and cascades of foreign keys fire no trigger, and neither does replication by rows: checks
name the cascades, the rest is for the operator to keep away.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.drain import Killer, Patience, require_none_prepared
from shardwright.runtime.cutover.fences.each_server import ANSWER, each_server
from shardwright.runtime.cutover.fences.fence import FAILED, STILL_OPEN, FenceContext, FencedServer, Undo, item_of
from shardwright.runtime.cutover.fences.sessions import Session, by_number, open_transactions, own_user, table_holders
from shardwright.runtime.cutover.fences.trigger_checks import trigger_checks
from shardwright.runtime.cutover.fences.trigger_text import FenceTrigger, fence_triggers
from shardwright.runtime.cutover.fences.turns import SLOTS, take_slot, take_turn
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Check
from shardwright.runtime.mysql.errors import LOCK_WAIT_TIMEOUT
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.transactions import decode_text, execute, query
from shardwright.specs.environment.cutover import FenceKind

_THERE_ALREADY: Final = 1359
_LIFTING_WAITS: Final = 2
_LIFTING_TRIES: Final = 15
_FOUND: Final = (
    "SELECT trigger_name, event_object_table, event_manipulation, action_statement FROM information_schema.triggers "
    "WHERE trigger_schema = %s AND action_timing = 'BEFORE'"
)
_HELD: Final = (
    "{table} stays locked{more}. It may be one of our own account (a comparison?), or a backup's, which are not "
    "killed: end it, then run again. MariaDB does not show who holds LOCK TABLES unless it is asked to: INSTALL SONAME "
    "'metadata_lock_info'"
)


TriggersOf = Callable[[str, str, str], Sequence[FenceTrigger]]
"""The triggers of a table: by its database, its name, and the user name that passes."""


@dataclass(frozen=True)
class TriggerFence:
    """See `Fence`. `triggers_of`: those that refuse every row, unless others are given."""

    servers: Sequence[FencedServer]
    context: FenceContext
    kind: FenceKind = "triggers"
    triggers_of: TriggersOf | None = None

    def checks(self) -> list[Check]:
        def ask(server: FencedServer, connection: Connection[Any]) -> list[Check]:
            there = self._there(server, connection)
            return list(trigger_checks(connection, server, left_over=[name for _, name in there]))

        return [check for found in each_server(self.servers, ask) for check in found]

    def before(self) -> list[dict[str, Any]]:
        def look(server: FencedServer, connection: Connection[Any]) -> dict[str, Any]:
            tables = {database: list(names) for database, names in server.tables.items()}
            there = [list(place) for place in self._there(server, connection)]
            return {"server": server.name, "kind": self.kind, "tables": tables, "there": there}

        return each_server(self.servers, look)

    def set(self, undo: Undo, *, drain_timeout: float) -> None:
        patience = Patience.of(drain_timeout)

        def fence(server: FencedServer, connection: Connection[Any]) -> None:
            wanted = self._of_record(undo, server, connection)
            take_turn(connection, self.context, server.name)
            missing = _find_missing(connection, wanted)
            ours = own_user(connection)
            with Killer(server, patience, _holders(server.tables, ours=ours)) as killer:
                self._at_once(server, missing, lambda one, part: _create(one, server, part, patience, killer=killer))
            if left := _find_missing(connection, wanted):
                named = f"{left[0].database}.{left[0].table}"
                raise Refused(
                    FAILED, f"{server.name}: trigger {left[0].name} is not on {named}: drop what has its name"
                )
            require_none_prepared(connection, patience, server.name)

        each_server(self.servers, fence)

    def in_force(self, undo: Undo) -> dict[str, bool]:
        def look(server: FencedServer, connection: Connection[Any]) -> bool:
            return not _find_missing(connection, self._of_record(undo, server, connection))

        found = each_server(self.servers, look)
        return {server.name: there for server, there in zip(self.servers, found, strict=True)}

    def lift(self, undo: Undo) -> None:
        def remove(server: FencedServer, connection: Connection[Any]) -> None:
            kept = {(database, name) for database, name in item_of(undo, self.kind, server.name)["there"]}
            wanted = self._of_record(undo, server, connection)
            take_turn(connection, self.context, server.name)
            there = _names(connection, wanted) - kept
            gone = [trigger for trigger in wanted if (trigger.database, trigger.name) in there]
            self._at_once(server, gone, lambda one, part: _drop(one, server, part))

        each_server(self.servers, remove)

    def _at_once(
        self,
        server: FencedServer,
        triggers: Sequence[FenceTrigger],
        work: Callable[[Connection[Any], Sequence[FenceTrigger]], None],
    ) -> None:
        """In several connections; all triggers of a table in one: two would wait for each other's locks."""
        tables = list(dict.fromkeys((trigger.database, trigger.table) for trigger in triggers))

        def one(slot: int) -> None:
            part = set(tables[slot - 1 :: SLOTS])
            with closing(connect(server.endpoint.wait_for(ANSWER))) as connection:
                take_slot(connection, self.context, slot, server.name)
                work(connection, [each for each in triggers if (each.database, each.table) in part])

        slots = range(1, min(SLOTS, len(tables)) + 1)
        with ThreadPoolExecutor(max_workers=SLOTS, thread_name_prefix="triggers") as pool:
            list(pool.map(one, slots))

    def _there(self, server: FencedServer, connection: Connection[Any]) -> list[tuple[str, str]]:
        """Our triggers that are there: database and name."""
        wanted = self._triggers(server.tables, connection)
        return sorted(_names(connection, wanted) & {(trigger.database, trigger.name) for trigger in wanted})

    def _of_record(self, undo: Undo, server: FencedServer, connection: Connection[Any]) -> list[FenceTrigger]:
        return self._triggers(item_of(undo, self.kind, server.name)["tables"], connection)

    def _triggers(self, tables: Mapping[str, Sequence[str]], connection: Connection[Any]) -> list[FenceTrigger]:
        ours = own_user(connection)
        triggers_of = self.triggers_of or self._every_row
        return [
            trigger
            for database, names in tables.items()
            for table in names
            for trigger in triggers_of(database, table, ours)
        ]

    def _every_row(self, database: str, table: str, ours: str) -> Sequence[FenceTrigger]:
        return fence_triggers(database, table, migration=self.context.migration, ours=ours)


def _names(connection: Connection[Any], wanted: Sequence[FenceTrigger]) -> set[tuple[str, str]]:
    """Database and name of all triggers in the databases of those that are wanted."""
    return {(database, name) for database, name, *_ in _read_triggers(connection, wanted)}


def _find_missing(connection: Connection[Any], wanted: Sequence[FenceTrigger]) -> list[FenceTrigger]:
    """Those that are not there, or have other words. Some servers know tables in lower case only."""
    found = _read_triggers(connection, wanted)
    return [
        each for each in wanted if (each.database, each.name, each.table.lower(), each.event, each.body) not in found
    ]


def _read_triggers(connection: Connection[Any], wanted: Sequence[FenceTrigger]) -> set[tuple[str, str, str, str, str]]:
    return {
        (database, name, table.lower(), event, body)
        for database in {trigger.database for trigger in wanted}
        for name, table, event, body in (
            tuple(str(decode_text(value)) for value in row) for row in query(connection, _FOUND, (database,))
        )
    }


def _create(
    connection: Connection[Any],
    server: FencedServer,
    triggers: Sequence[FenceTrigger],
    patience: Patience,
    *,
    killer: Killer,
) -> None:
    for trigger in triggers:
        try:
            patience.take_lock(connection, partial(_replace, connection, trigger), server.name)
        except pymysql.err.MySQLError as error:
            if error.args[0] != LOCK_WAIT_TIMEOUT:
                raise
            raise _lock_refusal(server, trigger, killer.failure) from error


def _replace(connection: Connection[Any], trigger: FenceTrigger) -> None:
    """One with other words may be there, of an account that the environment had before."""
    try:
        execute(connection, trigger.create())
    except pymysql.err.MySQLError as error:
        if error.args[0] != _THERE_ALREADY:
            raise
        execute(connection, trigger.drop())
        execute(connection, trigger.create())


def _drop(connection: Connection[Any], server: FencedServer, triggers: Sequence[FenceTrigger]) -> None:
    """Short waits: while DROP TRIGGER waits for a reader's transaction, new ones wait behind it."""
    execute(connection, f"SET SESSION lock_wait_timeout = {_LIFTING_WAITS}")
    for trigger in triggers:
        for attempt in range(1, _LIFTING_TRIES + 1):
            try:
                execute(connection, trigger.drop())
                break
            except pymysql.err.MySQLError as error:
                if error.args[0] != LOCK_WAIT_TIMEOUT:
                    raise
                if attempt == _LIFTING_TRIES:
                    raise _lock_refusal(server, trigger, "") from error


def _lock_refusal(server: FencedServer, trigger: FenceTrigger, more: str) -> Refused:
    table = f"{server.name}: table {trigger.database}.{trigger.table}"
    return Refused(STILL_OPEN, _HELD.format(table=table, more=more))


def _holders(tables: Mapping[str, Sequence[str]], *, ours: str) -> Callable[[Connection[Any]], Collection[int]]:
    """Who holds up our statements. Where the server does not show it: the transactions that were open at the look
    before, too, because a new one waits behind our statement."""
    seen: dict[int, Session] = {}

    def find(connection: Connection[Any]) -> Collection[int]:
        if (exact := table_holders(connection, tables, ours=ours)) is not None:
            return exact
        found = open_transactions(connection, ours=ours)
        old = [session.number for session in found if session.is_one_of(seen)]
        seen.clear()
        seen.update(by_number(found))
        return old

    return find
