"""A reader that looks at the shards all the time, as the shop's users would, and remembers what should not be."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType

import pymysql
from pymysql.connections import Connection
from pymysql.cursors import Cursor

_NOT_YET = {1146, 1049}
"""No such table, no such database: the run has not made it yet."""


class Observer:
    """Watches every parent for its details, and every key for a second home, on connections of its own.

        with Observer(connections, ...) as observer:
            ...
        assert observer.violations == []

    A row may be in two shards while it moves; it counts as at rest after `rest` seconds in the same two places.
    A shard that does not answer is left out until it does.
    """

    def __init__(
        self,
        connect: Mapping[str, Callable[[], Connection[Cursor]]],
        *,
        suffixes: Sequence[str],
        parent: str = "order_info",
        detail: str = "order_item",
        key: str = "order_id",
        interval: float = 0.05,
        rest: float = 10.0,
    ) -> None:
        self._connect = connect
        self._suffixes = suffixes
        self._lonely = (
            f"SELECT p.{key} FROM {parent}{{0}} p WHERE NOT EXISTS"
            f" (SELECT 1 FROM {detail}{{0}} d WHERE d.{key} = p.{key}) LIMIT 5"
        )
        self._keys = f"SELECT {key} FROM {parent}{{0}}"
        self._names = (parent, detail)
        self._interval = interval
        self._rest = rest
        self._open: dict[str, Connection[Cursor]] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="observer", daemon=True)
        self._together: dict[tuple[object, frozenset[str]], float] = {}
        self._failure: BaseException | None = None
        self._seen: dict[str, tuple[str, str]] = {}
        self.looks = 0
        """How often everything was looked at: a test can show that the observer was not asleep."""

    def __enter__(self) -> Observer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(timeout=60)
        for connection in self._open.values():
            connection.close()
        if self._failure is not None and kind is None:
            raise self._failure

    @property
    def violations(self) -> list[str]:
        """What was seen, each once, with the times of the first and the last look that saw it."""
        return [f"{first}-{last} {what}" for what, (first, last) in self._seen.items()]

    def _saw(self, what: str) -> None:
        first, _ = self._seen.get(what, (_now(), ""))
        self._seen[what] = (first, _now())

    def _watch(self) -> None:
        last_count = 0.0
        try:
            while not self._stop.is_set():
                for database in self._connect:
                    for suffix in self._suffixes:
                        self._look_for_details(database, suffix)
                if time.monotonic() - last_count > self._rest / 4:
                    self._look_for_second_homes()
                    last_count = time.monotonic()
                self.looks += 1
                self._stop.wait(self._interval)
        except BaseException as failure:  # noqa: BLE001 - carried over to the test's thread
            self._failure = failure

    def _look_for_details(self, database: str, suffix: str) -> None:
        parent, detail = self._names
        for (key,) in self._ask(database, self._lonely.format(suffix)):
            self._saw(f"{database}.{parent}{suffix}: {key} is visible without its {detail}")

    def _look_for_second_homes(self) -> None:
        homes: dict[object, list[str]] = {}
        for database in self._connect:
            for suffix in self._suffixes:
                for (key,) in self._ask(database, self._keys.format(suffix)):
                    homes.setdefault(key, []).append(f"{database}{suffix}")
        doubled = {(key, frozenset(places)) for key, places in homes.items() if len(places) > 1}
        now = time.monotonic()
        self._together = {pair: self._together.get(pair, now) for pair in doubled}
        for (key, places), since in self._together.items():
            if now - since > self._rest:
                self._saw(f"{key} rests in {' and '.join(sorted(places))}")

    def _ask(self, database: str, sql: str) -> Sequence[tuple[object, ...]]:
        try:
            if database not in self._open:
                self._open[database] = self._connect[database]()
            with self._open[database].cursor() as cursor:
                cursor.execute(sql)
                return list(cursor.fetchall())
        except pymysql.err.ProgrammingError as error:
            if error.args[0] not in _NOT_YET:
                raise
        except (pymysql.err.OperationalError, pymysql.err.InterfaceError, OSError) as error:
            if not (isinstance(error, pymysql.err.OperationalError) and error.args[0] in _NOT_YET):
                self._open.pop(database, None)
        return ()


def _now() -> str:
    return time.strftime("%H:%M:%S")
