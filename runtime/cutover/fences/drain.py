"""How long are users' transactions waited for, and what happens then? Their connections are killed.

Runs in the driver, partly in a thread of its own; kills users' connections on one server.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import dataclass
from threading import Event, Thread
from types import TracebackType
from typing import Any, Final, Self

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.fence import STILL_OPEN, FencedServer
from shardwright.runtime.cutover.fences.sessions import (
    LOOK_AGAIN,
    Session,
    describe,
    has_detached_transactions,
    kill,
    rest,
)
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.mysql.errors import LOCK_WAIT_TIMEOUT
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.transactions import execute

GRACE: Final = 15.0
"""How many seconds a killed connection may take to roll back."""
_PREPARED: Final = (
    "a transaction without a connection is open, and could be committed in spite of the fence. XA RECOVER lists it "
    "after XA PREPARE: commit it or roll it back, then run again. If it lists none, a large one is still rolled back"
)


@dataclass(frozen=True, slots=True)
class Patience:
    """Until when open transactions are waited for, on the clock of `time.monotonic`."""

    end: float

    @classmethod
    def of(cls, seconds: float) -> Patience:
        return cls(time.monotonic() + seconds)

    @property
    def seconds_left(self) -> float:
        return self.end - time.monotonic()

    def take_lock(self, connection: Connection[Any], work: Callable[[], object], where: str) -> None:
        """Does `work`, which waits for users' locks, in attempts of one second. In between users go on: one may wait
        behind us while it holds a row that another one waits for, whose end we wait for, and no server notices that.
        A Killer ends those in front of us once the patience is over. Raises the driver's error 1205 when that does not
        help, and Refused (SW8903) when it cannot help."""
        execute(connection, "SET SESSION lock_wait_timeout = 1")
        while True:
            try:
                work()
                return
            except pymysql.err.MySQLError as error:
                if error.args[0] != LOCK_WAIT_TIMEOUT or self.seconds_left < -GRACE:
                    raise
                if self.seconds_left <= 0 and has_detached_transactions(connection):
                    raise Refused(STILL_OPEN, f"{where}: {_PREPARED}") from error


class Killer:
    """While a statement waits for others' locks: kills those others once the patience is over. Entered around the
    statement; it has a connection of its own."""

    def __init__(
        self, server: FencedServer, patience: Patience, blockers: Callable[[Connection[Any]], Collection[int]]
    ) -> None:
        self._server = server
        self._patience = patience
        self._blockers = blockers
        self._done = Event()
        self._thread = Thread(target=self._work, name="fence-killer", daemon=True)
        self.failure: str = ""
        """Why nothing could be killed."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def _work(self) -> None:
        if self._done.wait(max(0.0, self._patience.seconds_left)):
            return
        try:
            with closing(connect(self._server.endpoint)) as connection:
                while not self._done.wait(LOOK_AGAIN):
                    kill(connection, self._blockers(connection))
        except (RuntimeFailure, pymysql.err.MySQLError) as error:
            self.failure = f": {error}"


def drain(
    connection: Connection[Any],
    patience: Patience,
    left: Callable[[], Collection[Session]],
    *,
    at_once: Callable[[Session], bool] = lambda session: False,
    where: str,
) -> None:
    """Waits until `left` finds no session any more. Kills those that it finds after the patience is over, and those of
    which `at_once` says so. Raises Refused (SW8903) when they do not end."""
    while sessions := list(left()):
        kill(connection, [each.number for each in sessions if patience.seconds_left <= 0 or at_once(each)])
        if patience.seconds_left < -GRACE:
            raise Refused(
                STILL_OPEN,
                f"{where}: {describe(sessions)} was killed and does not end: its changes are still rolled back: wait "
                "until it has gone, then run again",
            )
        rest()


def require_none_prepared(connection: Connection[Any], patience: Patience, where: str) -> None:
    """Waits until every transaction belongs to a connection. Raises Refused (SW8903) when one does not end."""
    while has_detached_transactions(connection):
        if patience.seconds_left <= 0:
            raise Refused(STILL_OPEN, f"{where}: {_PREPARED}")
        rest()
