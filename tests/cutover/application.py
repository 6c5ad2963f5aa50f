"""An application with two data access layers: it writes where the switch row says, knows each of its own writes, and
reads every row before it changes it.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.grants import grant, quote_account
from shardwright.runtime.mysql.servers import ledger_database_of
from shardwright.runtime.rehearsal.sandbox.accounts import APPLICATION_USER
from tests.servers.testbed import Arena, Server
from tests.support.lab import SUFFIXES

FEW_KINDS: Final = ("insert", "update", "update", "delete")
ALL_KINDS: Final = (*FEW_KINDS, "move", "swap", "hand over")
"""Of transactions: also rows that move between shards, and unique names that change hands."""
_SOURCE = "lab"


class Row(NamedTuple):
    """A parent, with one child that has the same note."""

    place: int
    name: str
    note: str


Change = tuple[Row | None, Row | None]
"""A row before and after."""


class WrongRow(AssertionError):
    """The application has read something else than it has written."""


@dataclass
class Application:
    """`writers` threads, each with rows of its own. `stop` waits for them and raises what any of them has found."""

    arena: Arena
    databases: Sequence[str]
    writers: int = 2
    pause: float = 0.02
    """Seconds between two transactions of a writer."""
    migration: str = "lab"
    kinds: Sequence[str] = FEW_KINDS
    layers: Callable[[Application], Layers] = field(default_factory=lambda: Layers)
    patience: float = 90.0
    """Seconds within which a transaction succeeds."""
    written: int = 0
    longest_pause: float = 0.0
    """Seconds in which no writer could write."""
    failures: list[BaseException] = field(default_factory=list)
    _ending: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _last: float = 0.0

    def allow(self) -> None:
        """Give the application its account on the shards, and the right to read the switch rows."""
        password = self.arena.application_password_file().read_text(encoding="utf-8")
        for database, server in self.arena.placement.items():
            account = (APPLICATION_USER, server.sandbox.account_host)
            server.query("CREATE USER IF NOT EXISTS %s@%s IDENTIFIED BY %s", (*account, password))
            server.query(grant(("ALL PRIVILEGES",), database, quote_account("@".join(account))))
            server.learn_password(APPLICATION_USER, self.arena.application_password_file())
        account = quote_account(f"{APPLICATION_USER}@{self.arena.source.sandbox.account_host}")
        self.arena.source.query(grant(("SELECT",), ledger_database_of(_SOURCE), account))
        self.arena.source.learn_password(APPLICATION_USER, self.arena.application_password_file())

    def start(self, *, first: int = 100_000, seed: int = 0) -> None:
        self._last = time.monotonic()
        for number in range(self.writers):
            layer = self.layers(self)
            writer = _Writer(self, layer, first + number * 1_000_000, random.Random(seed * 100 + number))
            thread = threading.Thread(
                target=self._keep_error, args=(writer.work,), name=f"writer {number}", daemon=True
            )
            self._threads.append(thread)
            thread.start()

    def stop(self, *, patience: float = 60.0) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join(timeout=patience)
            assert not thread.is_alive(), f"{thread.name} still waits"
        if self.failures:
            raise self.failures[0]

    def __enter__(self) -> Application:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def is_ending(self) -> bool:
        return self._ending.is_set()

    def note_commit(self) -> None:
        """A transaction of any writer is done."""
        with self._lock:
            now = time.monotonic()
            self.longest_pause = max(self.longest_pause, now - self._last)
            self._last = now
            self.written += 1

    def forget_pauses(self) -> None:
        with self._lock:
            self.longest_pause, self._last = 0.0, time.monotonic()

    def _keep_error(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 `stop` raises it
            self.failures.append(error)


@dataclass
class Layers:
    """The two data access layers of one writer, and the switch between them."""

    application: Application
    writes_to: str = "source"
    generation: int = 0
    _open: dict[str, Connection[Any]] = field(default_factory=dict)
    _asked: float = 0.0

    def transaction(self, place: int, work: Callable[[Callable[..., Any], str], None]) -> None:
        """One transaction in the table's place. Raises the driver's error."""
        if self.side_of(place) == "source":
            self._in(_SOURCE, lambda run: work(run, ""))
        else:
            self._in(self.application.databases[place % 2], lambda run: work(run, SUFFIXES[place // 2]))

    def side_of(self, place: int) -> str:
        """Where rows of the place are written."""
        return self.writes_to

    def read(self, place: int, id_: int) -> Row | None:
        """The row as this side has it."""
        found: list[Row] = []
        suffix = "" if self.side_of(place) == "source" else SUFFIXES[place // 2]
        database = _SOURCE if self.side_of(place) == "source" else self.application.databases[place % 2]

        def look(run: Callable[..., Any]) -> None:
            found.extend(
                Row(int(at), str(name), str(note))
                for at, name, note in run(f"SELECT place, name, note FROM parent{suffix} WHERE id = {id_}")
            )

        self._in(database, look)
        return found[0] if found else None

    def ask(self, *, every: float = 0.0) -> None:
        """What the switch row says now, at the first place that answers. A row of an older generation is not believed."""
        if time.monotonic() - self._asked < every:
            return
        self._asked = time.monotonic()
        sql = "SELECT writes_to, generation FROM `_shardwright_switch` WHERE migration = %s"
        for database in (ledger_database_of(_SOURCE), *self.application.databases):
            try:
                rows = self._query(database, sql, (self.application.migration,))
            except pymysql.err.MySQLError:
                self._close(database)
                continue
            for writes_to, generation in rows:
                if int(generation) > self.generation:
                    self.writes_to, self.generation = str(writes_to), int(generation)

    def _in(self, database: str, work: Callable[[Callable[..., Any]], None]) -> None:
        try:
            connection = self._connection(database)
            connection.begin()
            work(lambda sql, values=(): self._query(database, sql, values))
            connection.commit()
        except pymysql.err.MySQLError:
            self._close(database)
            raise

    def _query(self, database: str, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._connection(database).cursor() as cursor:
            cursor.execute(sql, values or None)
            return list(cursor.fetchall())

    def _connection(self, database: str) -> Connection[Any]:
        if database not in self._open:
            password = self.application.arena.application_password_file().read_text(encoding="utf-8")
            self._open[database] = self._server(database).connect(
                database, user=APPLICATION_USER, password=password, read_timeout=20, write_timeout=20
            )
        return self._open[database]

    def _server(self, database: str) -> Server:
        return self.application.arena.placement.get(database, self.application.arena.source)

    def _close(self, database: str) -> None:
        connection: Any = self._open.pop(database, None)
        if connection is not None:
            connection._force_close()


@dataclass
class _Writer:
    application: Application
    layers: Layers
    next_id: int
    choose: random.Random
    rows: dict[int, Row] = field(default_factory=dict)
    """What it has written, as the servers have confirmed."""
    version: int = 0

    def work(self) -> None:
        while not self.application.is_ending:
            self.layers.ask(every=0.05)
            self._one()
            time.sleep(self.application.pause)
        for id_, row in self.rows.items():
            self._require(id_, row)

    def _one(self) -> None:
        """One transaction, repeated until it is known to be done; two of them where rows of two places change."""
        self.version += 1
        kind = self.choose.choice(self.application.kinds) if self.rows else "insert"
        id_ = self.choose.choice(list(self.rows)) if self.rows else 0
        if kind == "insert":
            self.next_id += 1
            self._change({self.next_id: (None, Row(self.choose.randrange(4), f"n{self.next_id}", self._note()))})
        elif kind == "delete":
            self._change({id_: (self.rows[id_], None)})
        elif kind == "move":
            self._move(id_, self.rows[id_]._replace(place=self.choose.randrange(4), note=self._note()))
        elif kind == "swap":
            self._swap_names(id_)
        elif kind == "hand over":
            self._hand_name_over(id_)
        else:
            self._update(id_, note=self._note())
        self.application.note_commit()

    def _note(self) -> str:
        return f"v{self.version}"

    def _update(self, id_: int, **values: str) -> None:
        self._change({id_: (self.rows[id_], self.rows[id_]._replace(**values))})

    def _swap_names(self, id_: int) -> None:
        """With another row of the place, in one transaction."""
        row = self.rows[id_]
        others = [other for other in self.rows if other != id_ and self.rows[other].place == row.place]
        if others:
            second = self.choose.choice(others)
            other = self.rows[second]
            self._change({id_: (row, row._replace(name=other.name)), second: (other, other._replace(name=row.name))})

    def _hand_name_over(self, id_: int) -> None:
        """The row gives its name away, then another one of any place takes it."""
        others = [other for other in self.rows if other != id_]
        if others:
            name = self.rows[id_].name
            self._update(id_, name=f"{id_} {self._note()}")
            self._update(self.choose.choice(others), name=name)

    def _change(self, changes: Mapping[int, Change]) -> None:
        """Rows of one place, in one transaction. Reads before every attempt: a commit whose answer was lost may have
        happened."""
        place = next(row.place for pair in changes.values() for row in pair if row)
        self._until_done(lambda: self._is_done(place, changes))
        self._remember(changes)

    def _is_done(self, place: int, changes: Mapping[int, Change]) -> bool:
        """The transaction is done, by this attempt or an earlier one."""
        found = {id_: self.layers.read(place, id_) for id_ in changes}
        if found != {id_: after for id_, (_, after) in changes.items()}:
            if found != {id_: before for id_, (before, _) in changes.items()}:
                raise WrongRow(f"read {found}, wrote {changes}; {self.layers.writes_to}")
            self.layers.transaction(place, lambda run, suffix: _write(run, suffix, changes))
        return True

    def _move(self, id_: int, after: Row) -> None:
        """On the shards the row is at both places for a moment."""
        before = self.rows[id_]
        changes = {id_: (before, after)}
        if before.place == after.place:
            self._change(changes)
            return

        def attempt() -> bool:
            if self.layers.writes_to == "source":
                return self._is_done(before.place, changes)
            here, there = self.layers.read(before.place, id_), self.layers.read(after.place, id_)
            if (here, there) == (before, None):
                self.layers.transaction(after.place, lambda run, suffix: _write(run, suffix, {id_: (None, after)}))
            elif (here, there) == (before, after):
                self.layers.transaction(before.place, lambda run, suffix: _write(run, suffix, {id_: (before, None)}))
            elif (here, there) != (None, after):
                raise WrongRow(f"{id_}: read {here} and {there}, moves {before} to {after}")
            return (here, there) == (None, after)

        self._until_done(attempt)
        self._remember(changes)

    def _remember(self, changes: Mapping[int, Change]) -> None:
        for id_, (_, after) in changes.items():
            if after is None:
                del self.rows[id_]
            else:
                self.rows[id_] = after

    def _until_done(self, attempt: Callable[[], bool]) -> None:
        end = time.monotonic() + self.application.patience
        while True:
            try:
                if attempt():
                    return
            except pymysql.err.MySQLError as error:
                if time.monotonic() > end:
                    raise
                self.last_error = error
                time.sleep(0.02)
                self.layers.ask()

    def _require(self, id_: int, row: Row) -> None:
        def attempt() -> bool:
            found = self.layers.read(row.place, id_)
            if found != row:
                raise WrongRow(f"{id_}: read {found} at the end, wrote {row}; {self.layers.writes_to}")
            return True

        self._until_done(attempt)


def _write(run: Callable[..., Any], suffix: str, changes: Mapping[int, Change]) -> None:
    """The statements of a transaction."""
    if len(changes) > 1:  # names that are swapped pass through others
        for id_ in changes:
            run(f"UPDATE parent{suffix} SET name = %s WHERE id = %s", (f"{id_} between", id_))
    for id_, (before, after) in changes.items():
        if after is None:
            run(f"DELETE FROM child{suffix} WHERE id = %s", (id_,))
            run(f"DELETE FROM parent{suffix} WHERE id = %s", (id_,))
        elif before is None:
            run(
                f"INSERT INTO parent{suffix} (id, place, name, note) VALUES (%s, %s, %s, %s)",
                (id_, after.place, after.name, after.note),
            )
            run(
                f"INSERT INTO child{suffix} (id, line, place, note) VALUES (%s, 1, %s, %s)",
                (id_, after.place, after.note),
            )
        else:
            run(
                f"UPDATE parent{suffix} SET place = %s, name = %s, note = %s WHERE id = %s",
                (after.place, after.name, after.note, id_),
            )
            run(f"UPDATE child{suffix} SET place = %s, note = %s WHERE id = %s", (after.place, after.note, id_))
