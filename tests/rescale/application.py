"""An application on shards, with two data access layers: it writes to the side that the switch row names, and knows
each of its own rows.
"""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.servers import ledger_database_of
from shardwright.runtime.rehearsal.sandbox.accounts import APPLICATION_USER
from tests.rescale.judge import Side

_PATIENCE = 90.0


@dataclass
class Application:
    """One writer, whose parcels and accounts have ids from a million on. Within, it writes."""

    sides: dict[str, Side]
    """By the switch row's words: `source` has the old shards, `shards` the new ones."""
    password: str
    migration: str
    writes_to: str = "source"
    generation: int = 0
    written: int = 0
    parcels: dict[int, tuple[int, str]] = field(default_factory=dict)
    """Owner and note, as the servers have confirmed."""
    failures: list[BaseException] = field(default_factory=list)
    _open: dict[tuple[str, str], Connection[Any]] = field(default_factory=dict)
    _ending: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Application:
        self._thread = threading.Thread(target=self._keep_error, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self._ending.set()
        if self._thread is not None:
            self._thread.join(timeout=_PATIENCE)
        if self.failures:
            raise self.failures[0]

    def _keep_error(self) -> None:
        dice, id_ = random.Random(7), 1_000_000
        try:
            while not self._ending.is_set():
                id_ += 1
                self._one(dice, id_)
                self.written += 1
                time.sleep(0.03)
        except BaseException as error:  # noqa: BLE001 `stop` raises it
            self.failures.append(error)

    def _one(self, dice: random.Random, fresh: int) -> None:
        kind = dice.choice(("insert", "insert", "update", "delete", "move")) if self.parcels else "insert"
        id_ = fresh if kind == "insert" else dice.choice(list(self.parcels))
        before = self.parcels.get(id_)
        owner = before[0] if before else dice.randrange(500)
        if kind in ("delete", "move"):
            self._until_done(id_, owner, before, None)
            del self.parcels[id_]
            owner, before = dice.randrange(500), None
        if kind != "delete":  # a moved one is inserted where its new owner is, be it on another server
            after = (owner, f"n{fresh}")
            self._until_done(id_, owner, before, after)
            self.parcels[id_] = after

    def _until_done(self, id_: int, owner: int, before: object, after: tuple[int, str] | None) -> None:
        """Reads before every attempt: a commit whose answer was lost may have happened."""
        end = time.monotonic() + _PATIENCE
        while True:
            side = self.sides[self.writes_to]
            database, suffix = side.place(owner)
            try:
                rows = self._query(database, f"SELECT owner_id, note FROM parcel{suffix} WHERE id = {id_}")
                found = tuple(rows[0]) if rows else None
                if found == after:
                    return
                assert found == before, f"{id_}: read {found}, wrote {before} ({self.writes_to})"
                self._write(database, suffix, id_, before, after)
                return
            except pymysql.err.MySQLError:
                self._forget(database)
                assert time.monotonic() < end, f"{id_} could not be written"
                time.sleep(0.02)
                self._ask()

    def _write(self, database: str, suffix: str, id_: int, before: object, after: tuple[int, str] | None) -> None:
        if after is None:
            self._query(database, f"DELETE FROM parcel{suffix} WHERE id = {id_}")
        elif before is None:
            values = f"({id_}, {after[0]}, '{after[1]}')"
            self._query(database, f"INSERT INTO parcel{suffix} (id, owner_id, note) VALUES {values}")
        else:
            self._query(database, f"UPDATE parcel{suffix} SET note = '{after[1]}' WHERE id = {id_}")

    def _ask(self) -> None:
        """A row of an older generation is not believed."""
        sql = f"SELECT writes_to, generation FROM `_shardwright_switch` WHERE migration = '{self.migration}'"
        for name, side in self.sides.items():
            for database in side.databases:
                try:
                    rows = self._query(database, sql, on=name, beside=name == "source")
                except pymysql.err.MySQLError:
                    self._forget(database)
                    continue
                for writes_to, generation in rows:
                    if int(generation) > self.generation:
                        self.writes_to, self.generation = str(writes_to), int(generation)

    def _query(self, database: str, sql: str, *, on: str = "", beside: bool = False) -> list[tuple[Any, ...]]:
        name = on or self.writes_to
        key = (name, ledger_database_of(database) if beside else database)
        if key not in self._open:
            server = self.sides[name].servers[database]
            self._open[key] = server.connect(key[1], user=APPLICATION_USER, password=self.password, read_timeout=20)
        with self._open[key].cursor() as cursor:
            cursor.execute(sql)
            return list(cursor.fetchall())

    def _forget(self, database: str) -> None:
        for key in [key for key in self._open if key[1] in (database, ledger_database_of(database))]:
            connection: Any = self._open.pop(key)
            connection._force_close()
