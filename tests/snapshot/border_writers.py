"""Applications that write where a copy is just reading: at the borders of its chunks, ahead of it and behind it."""

from __future__ import annotations

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pymysql
from pymysql.cursors import Cursor

from examples.shop.application import LOCK_TROUBLE
from tests.servers.testbed import Server

BETWEEN = 4
"""Between two of the first rows' keys, there is room for new ones."""
KINDS = ("changed", "moved", "deleted", "inserted", "another key", "keys exchanged")
"""What a change may be. Moved: the shard key is another one. `another key`: the primary key is."""
_WEIGHTS = (30, 25, 13, 20, 7, 5)
_WRITERS = 2
_REACHED = 0.9
_AT_ONCE = 5


@dataclass(frozen=True)
class Load:
    """`rate`: changes a second of all writers together. `highest`: the last key of the rows that were there first.
    `ledger`: the first shard's database, which says how far the copy is."""

    rate: int
    highest: int
    ledger: str


@dataclass
class Writers:
    """What was done so far, by kind. One that found no row is not counted."""

    load: Load
    began: float
    kinds: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(KINDS, 0)))
    ended: float | None = None
    _counting: threading.Lock = field(default_factory=threading.Lock)

    @property
    def seconds(self) -> float:
        """Until now, or until they were ended."""
        return (time.monotonic() if self.ended is None else self.ended) - self.began

    @property
    def rate(self) -> float:
        return self.kinds.total() / self.seconds

    def count(self, kinds: list[str]) -> None:
        with self._counting:
            self.kinds.update(kinds)

    @property
    def has_reached(self) -> bool:
        return self.rate >= _REACHED * self.load.rate

    def __str__(self) -> str:
        kinds = ", ".join(f"{number} {kind}" for kind, number in self.kinds.most_common())
        return f"{self.rate:.0f} changes a second of {self.load.rate}, for {self.seconds:.1f} s: {kinds}"


@contextmanager
def write(source: Server, ledger_state: Server, load: Load, *, seed: int) -> Iterator[Writers]:
    """Within, the table `thing` is written to in transactions of five changes. `ledger_state`: the server
    of the first shard. A writer that broke raises here."""
    written, done, failed = Writers(load, time.monotonic()), threading.Event(), []

    def write(number: int) -> None:
        try:
            _Writer(written, random.Random(seed + number), done).write(source, ledger_state)
        except Exception as error:  # noqa: BLE001 - told by the test's thread
            failed.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(_WRITERS)]
    for thread in threads:
        thread.start()
    try:
        yield written
    finally:
        done.set()
        written.ended = time.monotonic()
        for thread in threads:
            thread.join()
    assert not failed, failed


class _Writer:
    def __init__(self, written: Writers, dice: random.Random, done: threading.Event) -> None:
        self._written = written
        self._dice = dice
        self._done = done
        self._border = 0

    def write(self, source: Server, ledger_state: Server) -> None:
        written, rate, mine = self._written, self._written.load.rate / _WRITERS, 0
        with (
            source.connect("shop", autocommit=False) as connection,
            connection.cursor() as cursor,
            ledger_state.connect(written.load.ledger) as ledger,
            ledger.cursor() as look,
        ):
            while not self._done.is_set():
                look.execute("SELECT high FROM _shardwright_chunk ORDER BY chunk DESC LIMIT 1")
                found = look.fetchone()
                self._border = int(json.loads(found[0])[0]) if found and found[0] else self._border
                try:
                    kinds = [self._change(cursor) for _ in range(_AT_ONCE)]
                    connection.commit()
                except pymysql.err.OperationalError as trouble:
                    if trouble.args[0] not in LOCK_TROUBLE:
                        raise
                    connection.rollback()
                    continue
                done = [kind for kind in kinds if kind]
                mine += len(done)
                written.count(done)
                self._done.wait(max(0.0, mine / rate - written.seconds))

    def _change(self, cursor: Cursor) -> str:
        """Returns its kind; empty when there was no row for it."""
        (kind,), dice, key = self._dice.choices(KINDS, _WEIGHTS), self._dice, self._somewhere()
        at = " WHERE id >= %s ORDER BY id LIMIT 1"
        if kind == "changed":
            done = cursor.execute(f"UPDATE thing SET amount = amount + 1, note = 'changed'{at}", (key,))
        elif kind == "moved":
            done = cursor.execute(f"UPDATE thing SET owner = %s{at}", (dice.randrange(10**6), key))
        elif kind == "deleted":
            done = cursor.execute(f"DELETE FROM thing{at}", (key,))
        elif kind == "inserted":
            done = cursor.execute("INSERT IGNORE INTO thing VALUES (%s, %s, 1, 'new')", (key, dice.randrange(10**6)))
        elif kind == "another key":
            done = cursor.execute(f"UPDATE IGNORE thing SET id = %s{at}", (self._somewhere(), key))
        else:
            done = self._exchange(cursor, key, self._somewhere())
        return kind if done else ""

    def _exchange(self, cursor: Cursor, low: int, high: int) -> bool:
        """Two rows exchange their primary keys by way of a third one, which nobody else ever sees."""
        keys = []
        for key in sorted((low, high)):
            cursor.execute("SELECT id FROM thing WHERE id >= %s ORDER BY id LIMIT 1 FOR UPDATE", (key,))
            keys += [int(found) for (found,) in cursor.fetchall()]
        if len(set(keys)) < 2:
            return False
        one, other = keys
        between = 2**62 + self._dice.randrange(2**61)
        for old, new in ((one, between), (other, one), (between, other)):
            assert cursor.execute("UPDATE thing SET id = %s WHERE id = %s", (new, old)) == 1
        return True

    def _somewhere(self) -> int:
        """A key: mostly at the border of the chunk that was planned last."""
        dice, border = self._dice, self._border
        where = dice.choice(
            (border, border, border, dice.randrange(self._written.load.highest), dice.randrange(border + 1))
        )
        return max(0, where + dice.randrange(-40, 41))
