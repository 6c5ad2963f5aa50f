"""The fence `lock_accounts`: the named accounts cannot log in, and their connections are killed.

Runs in the driver; locks accounts on the fenced servers, and kills their connections.

A lock stops new logins only: existing connections go on. So those without a transaction are killed at once, as are
those whose transaction began after the lock, and those that are logging in at that moment. The others are waited for.
Other accounts write as before, and so do events, views and routines whose definer is locked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.drain import Patience, drain, require_none_prepared
from shardwright.runtime.cutover.fences.each_server import each_server
from shardwright.runtime.cutover.fences.fence import (
    NOT_ALL_WRITES,
    OTHER_RECORD,
    WOULD_NOT_WORK,
    FenceContext,
    FencedServer,
    Undo,
    item_of,
)
from shardwright.runtime.cutover.fences.server_checks import server_checks
from shardwright.runtime.cutover.fences.sessions import (
    by_number,
    kill,
    logging_in,
    open_transactions,
    other_sessions,
    own_user,
    rest,
)
from shardwright.runtime.cutover.fences.turns import take_turn
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Check, Fault, has_refusal, judge_faults, warn
from shardwright.runtime.mysql.grants import quote_account
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.mysql.transactions import decode_text, execute, query
from shardwright.runtime.run.preflight.grants import fence_grants
from shardwright.specs.environment.cutover import FenceKind

_OF_MARIADB: Final = "SELECT user, host, JSON_VALUE(priv, '$.account_locked') FROM mysql.global_priv"
_OF_MYSQL: Final = "SELECT user, host, account_locked FROM mysql.user"
_LOCKED: Final = frozenset({"1", "Y", "TRUE"})


@dataclass(frozen=True)
class LockedAccounts:
    """See `Fence`."""

    servers: Sequence[FencedServer]
    context: FenceContext
    accounts: tuple[str, ...]
    kind: FenceKind = "lock_accounts"

    def checks(self) -> list[Check]:
        found = each_server(self.servers, lambda server, connection: list(self._checks(connection, server)))
        return [check for checks in found for check in checks]

    def before(self) -> list[dict[str, Any]]:
        def look(server: FencedServer, connection: Connection[Any]) -> dict[str, Any]:
            states = _states(connection)
            locked = [account for account in self.accounts if states.get(account)]
            return {"server": server.name, "kind": self.kind, "accounts": list(self.accounts), "locked": locked}

        return each_server(self.servers, look)

    def set(self, undo: Undo, *, drain_timeout: float) -> None:
        patience = Patience.of(drain_timeout)

        def fence(server: FencedServer, connection: Connection[Any]) -> None:
            accounts = self._accounts(undo, server)
            take_turn(connection, self.context, server.name)
            if faults := list(_not_lockable(connection, accounts)):
                raise Refused(faults[0].code, f"{server.name}: {faults[0].message}")
            _alter(connection, accounts, "LOCK")
            kill(connection, logging_in(connection))
            users, ours = {_user(account) for account in accounts}, own_user(connection)
            rest()
            old = by_number(open_transactions(connection, ours=ours))
            drain(
                connection,
                patience,
                lambda: [session for session in other_sessions(connection, ours=ours) if session.user in users],
                at_once=lambda session: not session.is_one_of(old),
                where=server.name,
            )
            require_none_prepared(connection, patience, server.name)

        each_server(self.servers, fence)

    def in_force(self, undo: Undo) -> dict[str, bool]:
        def look(server: FencedServer, connection: Connection[Any]) -> bool:
            states = _states(connection)
            return all(states.get(account) for account in self._accounts(undo, server))

        found = each_server(self.servers, look)
        return {server.name: on for server, on in zip(self.servers, found, strict=True)}

    def lift(self, undo: Undo) -> None:
        def restore(server: FencedServer, connection: Connection[Any]) -> None:
            found = item_of(undo, self.kind, server.name)["locked"]
            take_turn(connection, self.context, server.name)
            states = _states(connection)
            changed = [name for name in self._read_record(undo, server) if name not in found and states.get(name)]
            _alter(connection, [name for name in changed if name in self.accounts], "UNLOCK")
            self._require_named(changed, server, "stay locked")

        each_server(self.servers, restore)

    def _read_record(self, undo: Undo, server: FencedServer) -> Sequence[str]:
        return [str(account) for account in item_of(undo, self.kind, server.name)["accounts"]]

    def _accounts(self, undo: Undo, server: FencedServer) -> Sequence[str]:
        """Those of the record. Raises Refused (SW8904) where the environment does not name them."""
        recorded = self._read_record(undo, server)
        self._require_named(recorded, server, "are left alone")
        return recorded

    def _require_named(self, accounts: Sequence[str], server: FencedServer, what: str) -> None:
        """Who writes to the ledger could name any account of the server."""
        if others := [account for account in accounts if account not in self.accounts]:
            raise Refused(
                OTHER_RECORD,
                f"{server.name}: {', '.join(others)} {what}: the fence's record has them, and lock_accounts of the "
                "environment does not. Name those that the fence has locked again until it is lifted. Where it has "
                "locked none of them, another account has written to the ledger",
            )

    def _checks(self, connection: Connection[Any], server: FencedServer) -> Iterator[Check]:
        where = server.name
        faults = fence_grants(connection, (), where, kind="lock_accounts")
        grants = list(judge_faults("grants of the fence", where, faults, otherwise="all required grants present"))
        yield from grants
        if has_refusal(grants):
            return
        named = _not_lockable(connection, self.accounts)
        yield from judge_faults("accounts to lock", where, named, otherwise=f"{len(self.accounts)} can be locked")
        users, ours = {_user(account) for account in self.accounts}, own_user(connection)
        others = sorted({session.user for session in other_sessions(connection, ours=ours)} - users)
        yield warn(
            "other accounts", where, warning=f"{', '.join(others[:5])} connected and not locked" if others else None,
            way_out="add the accounts that write the migration's tables to lock_accounts", otherwise="none connected",
        )  # fmt: skip
        yield from server_checks(connection, where)


def _states(connection: Connection[Any]) -> dict[str, bool]:
    """Account as user@host -> whether it is locked."""
    rows = query(connection, _OF_MARIADB if is_mariadb(connection) else _OF_MYSQL)
    return {
        f"{decode_text(user)}@{decode_text(host)}": str(decode_text(locked) or "").upper() in _LOCKED
        for user, host, locked in rows
    }


def _not_lockable(connection: Connection[Any], accounts: Collection[str]) -> Iterator[Fault]:
    states, ours = _states(connection), own_user(connection)
    for account in accounts:
        if account not in states:
            yield Fault(WOULD_NOT_WORK, f"account {account} does not exist", "take it out of lock_accounts")
        if _user(account) == ours:
            yield Fault(
                NOT_ALL_WRITES,
                f"{account} has the user name of our own account, so that its connections cannot be distinguished",
                "give the application an account with another user name",
            )
    for user in sorted({_user(account) for account in accounts}):
        if alike := sorted(name for name in states if _user(name) == user and name not in accounts):
            yield Fault(
                NOT_ALL_WRITES,
                f"account {alike[0]} has the user name of one in lock_accounts, so that its connections cannot be "
                "distinguished from those that are killed",
                "add it to lock_accounts",
            )


def _alter(connection: Connection[Any], accounts: Sequence[str], what: str) -> None:
    if accounts:
        execute(connection, f"ALTER USER {', '.join(map(quote_account, accounts))} ACCOUNT {what}")


def _user(account: str) -> str:
    return account.rpartition("@")[0]
