"""The fence `read_only`: the whole server takes writes only from accounts with a special privilege, as ours is.

Runs in the driver; sets a global variable of the fenced servers, and kills connections there.

Both kinds of server refuse the COMMIT of a transaction that has written before, and roll it back (error 1290). So
nothing can be written once the variable is set. Transactions with writes are waited for all the same, so that each
application sees its error, and the rest is killed. `super_read_only` of MySQL would stop our account, too: it is left
alone. A server that is restarted has the value of its configuration file again: `in_force` shows it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.drain import Killer, Patience, drain, require_none_prepared
from shardwright.runtime.cutover.fences.each_server import each_server
from shardwright.runtime.cutover.fences.fence import (
    NOT_ALL_WRITES,
    STILL_OPEN,
    WOULD_NOT_WORK,
    FenceContext,
    FencedServer,
    Undo,
    item_of,
)
from shardwright.runtime.cutover.fences.server_checks import server_checks
from shardwright.runtime.cutover.fences.sessions import (
    Session,
    by_number,
    describe,
    open_transactions,
    other_sessions,
    own_user,
    rest,
)
from shardwright.runtime.cutover.fences.turns import take_turn
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Check, Fault, has_refusal, judge_faults
from shardwright.runtime.mysql.errors import LOCK_WAIT_TIMEOUT
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.mysql.transactions import decode_text, execute, query
from shardwright.runtime.run.preflight.grants import fence_grants
from shardwright.specs.environment.cutover import FenceKind

_OFF: Final = frozenset({"0", "OFF"})
_PASSING: Final = {True: ("READ_ONLY ADMIN", "READ ONLY ADMIN"), False: ("CONNECTION_ADMIN", "SUPER")}
"""Privileges that pass the fence, by whether it is MariaDB."""
_READERS: Final = ("SELECT", "SHOW", "(")
_PRIVILEGED: Final = "SELECT DISTINCT grantee FROM information_schema.user_privileges WHERE privilege_type IN %s"


@dataclass(frozen=True)
class ReadOnlyFence:
    """See `Fence`."""

    servers: Sequence[FencedServer]
    context: FenceContext
    kind: FenceKind = "read_only"

    def checks(self) -> list[Check]:
        found = each_server(self.servers, lambda server, connection: list(_checks(connection, server)))
        return [check for checks in found for check in checks]

    def before(self) -> list[dict[str, Any]]:
        def look(server: FencedServer, connection: Connection[Any]) -> dict[str, Any]:
            return {"server": server.name, "kind": self.kind, "read_only": _value(connection)}

        return each_server(self.servers, look)

    def set(self, undo: Undo, *, drain_timeout: float) -> None:
        patience = Patience.of(drain_timeout)

        def fence(server: FencedServer, connection: Connection[Any]) -> None:
            ours = own_user(connection)
            item_of(undo, self.kind, server.name)
            take_turn(connection, self.context, server.name)
            if _value(connection) in _OFF:
                _switch_on(connection, server, patience, ours=ours)
            rest()
            old = by_number(open_transactions(connection, ours=ours))

            def find_writers() -> Collection[Session]:
                found = open_transactions(connection, ours=ours)
                return [session for session in found if session.writes and session.is_one_of(old)]

            drain(connection, patience, find_writers, where=server.name)
            require_none_prepared(connection, patience, server.name)

        each_server(self.servers, fence)

    def in_force(self, undo: Undo) -> dict[str, bool]:
        found = each_server(self.servers, lambda server, connection: _value(connection) not in _OFF)
        return {server.name: on for server, on in zip(self.servers, found, strict=True)}

    def lift(self, undo: Undo) -> None:
        def restore(server: FencedServer, connection: Connection[Any]) -> None:
            value = str(item_of(undo, self.kind, server.name)["read_only"])
            take_turn(connection, self.context, server.name)
            if value in _OFF and _value(connection) not in _OFF:
                execute(connection, "SET GLOBAL read_only = OFF")

        each_server(self.servers, restore)


def _value(connection: Connection[Any]) -> str:
    return str(query(connection, "SELECT @@global.read_only")[0][0]).upper()


def _switch_on(connection: Connection[Any], server: FencedServer, patience: Patience, *, ours: str) -> None:
    """Waits for statements that write, and for LOCK TABLES; later ones wait behind it."""

    def find_writers(other: Connection[Any]) -> Collection[int]:
        found = [session for session in other_sessions(other, ours=ours) if session.statement is not None]
        return [session.number for session in found if session.writes or not _reads(session)]

    with Killer(server, patience, find_writers) as killer:
        try:
            patience.take_lock(connection, lambda: execute(connection, "SET GLOBAL read_only = ON"), server.name)
        except pymysql.err.MySQLError as error:
            if error.args[0] != LOCK_WAIT_TIMEOUT:
                raise
            others = describe(other_sessions(connection, ours=ours))
            raise Refused(
                STILL_OPEN,
                f"{server.name}: read_only cannot be set: a connection holds LOCK TABLES or the lock of a backup "
                f"(connected: {others}){killer.failure}: end it, then run again",
            ) from error


def _reads(session: Session) -> bool:
    return (session.statement or "").lstrip().upper().startswith(_READERS)


def _checks(connection: Connection[Any], server: FencedServer) -> Iterator[Check]:
    where = server.name
    faults = fence_grants(connection, (), where, kind="read_only")
    grants = list(judge_faults("grants of the fence", where, faults, otherwise="all required grants present"))
    yield from grants
    yield from judge_faults("super_read_only", where, _stops_us(connection), otherwise="off")
    if has_refusal(grants):
        return
    yield from judge_faults(
        "accounts that pass", where, _find_exempt_sessions(connection), otherwise="none is connected but ours"
    )
    yield from server_checks(connection, where)


def _stops_us(connection: Connection[Any]) -> Iterator[Fault]:
    if not is_mariadb(connection) and query(connection, "SELECT @@global.super_read_only")[0][0]:
        yield Fault(WOULD_NOT_WORK, "super_read_only stops our account, too", "SET GLOBAL super_read_only = OFF")


def _find_exempt_sessions(connection: Connection[Any]) -> Iterator[Fault]:
    """Accounts are compared by user name: that of a session is not shown."""
    privileges, ours = _PASSING[is_mariadb(connection)], own_user(connection)
    listed_accounts = [str(decode_text(row[0])) for row in query(connection, _PRIVILEGED, (privileges,))]
    users = {account.rpartition("@")[0].strip("'"): account for account in listed_accounts}
    found = {session.user: session for session in other_sessions(connection, ours=ours) if session.user in users}
    for user, session in sorted(found.items()):
        yield Fault(
            NOT_ALL_WRITES,
            f"{users[user]} writes in spite of read_only, and is connected ({session})",
            f"end its connections, or REVOKE {privileges[0]} ON *.* FROM {users[user]}, or take the fence triggers",
        )
