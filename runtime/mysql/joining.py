"""Statements that wait for the next one, and travel with it in one packet: a round trip to a server that is far away
takes longer than most statements.

Used in the driver and in Spark tasks, on every connection. The server executes the statements of a packet one after the
other and stops at the first that fails, so a packet does what its statements would do one by one. `COMMIT` travels only
with statements that say that it may: those that fail, and give no warning, where they do not do what they should.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakSet

import pymysql
from pymysql.constants import CLIENT, COMMAND

from shardwright.runtime.mysql.packet_ceiling import BoundedConnection

_MOST_BYTES: Final = 256 << 10
"""Of a packet of several statements. A server may take packets of 1 MiB only."""
_MOST_PAYLOAD: Final = 8 << 20
"""Bytes of rows that wait in memory."""
_BETWEEN: Final = b"\n;\n"


class UnclearWarning(Exception):
    """A statement that travelled with others has given a warning, whose text is gone by now. The transaction has to
    begin again, statement by statement."""


def _ignore(_result: Any) -> None:
    return


def _as_it_is(_error: pymysql.err.MySQLError) -> None:
    return


@dataclass(frozen=True, slots=True)
class Waiting:
    """A statement that was not sent yet."""

    sql: bytes
    judge: Callable[[Any], None] = _ignore
    """Takes its result. Raises what its caller expects."""
    payload: bytes = b""
    """What the server may ask for while it executes it (`LoadingConnection`)."""
    explain: Callable[[pymysql.err.MySQLError], BaseException | None] = _as_it_is
    """What to raise instead of its error; None: the error itself."""
    may_commit: bool = False
    """Whether COMMIT may travel in the same packet: `judge` does not decide whether the transaction is valid."""


_waited: Final = WeakSet[pymysql.err.MySQLError]()
_BEGIN: Final = Waiting(b"BEGIN", may_commit=True)


class JoiningConnection(BoundedConnection):
    """PyMySQL's connection, where statements may wait. All that goes to the server takes them along, in their order."""

    joins: bool = True
    """False: nothing waits, as where a warning has to be read."""
    in_transaction: bool = False
    """Between `begin` and its `commit` or `rollback`."""
    pending_rows: bytes = b""
    """The payload of the statement whose answer is read."""
    raw: bool = False
    """Whether answers are read elsewhere (`RawConnection`); those of statements that wait never are."""

    def __init__(self, *arguments: Any, joins: bool = True, client_flag: int = 0, **options: Any) -> None:
        """Without `joins` the server takes one statement a packet, whatever its text hides."""
        self.joins = joins
        super().__init__(*arguments, client_flag=client_flag | (CLIENT.MULTI_STATEMENTS if joins else 0), **options)

    def send_later(self, statement: Waiting) -> None:
        """Sends it with the next statement, and raises its error there."""
        payload = sum(len(one.payload) for one in self._queue)
        too_long = _size(self._queue) + len(statement.sql) > _MOST_BYTES
        if too_long or (payload and payload + len(statement.payload) > _MOST_PAYLOAD):
            self.send_waiting()
        self._queue.append(statement)
        if not self.joins:
            self.send_waiting()

    def send_waiting(self) -> None:
        """Sends what waits, and raises its errors. Without a round trip where nothing waits."""
        waiting = self._take()
        if waiting:
            self._command(_BETWEEN.join(one.sql for one in waiting))
            results: list[Any] = []
            self._read_answers(waiting, results)
            _judge(waiting, results)

    def query(self, sql: Any, unbuffered: bool = False) -> int:
        driver: Any = self
        if isinstance(sql, str):
            sql = sql.encode(driver.encoding)
        if _size(self._queue) + len(sql) > _MOST_BYTES:
            self.send_waiting()
        waiting, results = self._take(), list[Any]()
        self._command(_BETWEEN.join([*(one.sql for one in waiting), sql]))
        self._read_answers(waiting, results)
        try:
            driver._affected_rows = driver._read_query_result(unbuffered=unbuffered)
        finally:
            _judge(waiting, results)
        return int(driver._affected_rows or 0)

    def begin(self) -> None:
        self.in_transaction = True
        if self.joins:
            self.send_later(_BEGIN)
        else:
            super().begin()

    def commit(self) -> None:
        """With the last statements that wait, as far as these allow it."""
        waiting = self._queue
        last = list(itertools.takewhile(lambda one: one.may_commit, reversed(waiting)))[::-1]
        self._waits = waiting[: len(waiting) - len(last)]
        self.send_waiting()
        if last:
            self._waits = [*last, Waiting(b"COMMIT")]
            self.send_waiting()
        else:
            super().commit()
        self.in_transaction = False

    def rollback(self) -> None:
        """What waits of the transaction is not sent any more."""
        waiting, self.in_transaction = self._take(), False
        if _BEGIN in waiting:
            self._waits = waiting[: waiting.index(_BEGIN)]
        else:
            super().rollback()

    def _execute_command(self, command: int, sql: Any) -> None:
        self.send_waiting()
        driver: Any = super()
        driver._execute_command(command, sql)

    def _command(self, sql: bytes) -> None:
        """Sends a packet while nothing waits."""
        driver: Any = self
        driver._execute_command(COMMAND.COM_QUERY, sql)

    @property
    def _queue(self) -> list[Waiting]:
        found: list[Waiting] | None = self.__dict__.get("_waits")
        if found is None:  # PyMySQL connects in its __init__
            found = self._waits = []
        return found

    def _take(self) -> list[Waiting]:
        waiting, self._waits = self._queue, []
        return waiting

    def _read_answers(self, waiting: Sequence[Waiting], results: list[Any]) -> None:
        driver: Any = self
        raw, self.raw = self.raw, False
        try:
            for one in waiting:
                self.pending_rows, own = one.payload, self.pending_rows
                try:
                    driver._read_query_result()
                except pymysql.err.MySQLError as error:
                    _judge(waiting, results)
                    _waited.add(error)
                    if (instead := one.explain(error)) is not None:
                        raise instead from error
                    raise
                finally:
                    self.pending_rows = own
                results.append(driver._result)
        finally:
            self.raw = raw


def has_waited(error: pymysql.err.MySQLError) -> bool:
    """Whether it is of a statement that waited, and not of the one that it travelled with."""
    return error in _waited


def _judge(waiting: Sequence[Waiting], results: Sequence[Any]) -> None:
    """In their order, as far as there are results: what is wrong first is raised."""
    for one, result in zip(waiting, results, strict=False):
        one.judge(result)


def _size(waiting: Sequence[Waiting]) -> int:
    return sum(len(one.sql) + len(_BETWEEN) for one in waiting)
