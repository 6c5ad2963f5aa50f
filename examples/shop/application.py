"""The shop's application: goes on writing to the source while the migration runs.

    python application.py --port 3306 --password-file app.password --seconds 60 --seed 7 --rate 50

Every transaction keeps the shop's own rules: an order has at least one item, and an order's items and payments belong to
the user the order belongs to. Everything else that a database allows may happen.
"""

from __future__ import annotations

import argparse
import random
import secrets
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pymysql
from pymysql.connections import Connection
from pymysql.cursors import Cursor

if __package__ in (None, ""):  # run as a program: its neighbours are beside it, not in a package
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from examples.shop.changes import CHANGES, Shop
from examples.shop.connection import add_address, address_from

LOCK_TROUBLE = {1020, 1205, 1213}  # 1020: MariaDB with innodb_snapshot_isolation, the default since 11.6
"""Lock wait timeout and deadlock: the transaction was, or is to be, rolled back and another one tried."""


class ShopApplication:
    """One writer on one connection; several with different seeds may run at once.

    `counts` says how often each kind of change was committed, and how many transactions were rolled back.
    """

    def __init__(self, connect: Callable[[], Connection[Cursor]], *, seed: int, rate: float = 50.0) -> None:
        self._connect = connect
        self._dice = random.Random(seed)
        self.interval = 1.0 / rate
        self.counts: Counter[str] = Counter()

    def run(self, *, seconds: float = float("inf"), stop: threading.Event | None = None) -> Counter[str]:
        """Write until the time is over or `stop` is set; never ends inside a transaction."""
        stop = stop or threading.Event()
        end = time.monotonic() + seconds
        due = time.monotonic()
        with self._connect() as connection, connection.cursor() as cursor:
            shop = Shop(cursor, self._dice)
            while time.monotonic() < end and not stop.is_set():
                self._transaction(connection, shop)
                due = max(due + self.interval, time.monotonic() - 1.0)
                stop.wait(max(0.0, min(due, end) - time.monotonic()))
        return self.counts

    def transactions(self, number: int) -> Counter[str]:
        """Write exactly `number` transactions, rolled back ones included, as fast as the server takes them."""
        with self._connect() as connection, connection.cursor() as cursor:
            shop = Shop(cursor, self._dice)
            for _ in range(number):
                self._transaction(connection, shop)
        return self.counts

    def _transaction(self, connection: Connection[Cursor], shop: Shop) -> None:
        done: list[str] = []
        try:
            for _ in range(self._dice.choice((1, 1, 1, 1, 2, 2, 3, 5))):
                done.append(self._one_change(shop))
            if self._dice.random() < 0.05:
                done.append(self._abandon_change(shop))
            if self._dice.random() < 0.06:
                connection.rollback()
                shop.forget()
                self.counts["rolled back"] += 1
                return
            connection.commit()
        except pymysql.err.OperationalError as trouble:
            if trouble.args[0] not in LOCK_TROUBLE:
                raise
            connection.rollback()
            shop.forget()
            self.counts["lock trouble"] += 1
            return
        shop.remember()
        self.counts.update(done)
        self.counts["transactions"] += 1

    def _one_change(self, shop: Shop) -> str:
        change = self._dice.choices(CHANGES, weights=[weight for _, weight in CHANGES])[0][0]
        change(shop)
        return change.__name__

    def _abandon_change(self, shop: Shop) -> str:
        """A change that a savepoint takes back while the rest of the transaction stands."""
        shop.cursor.execute("SAVEPOINT before_change")
        self._one_change(shop)
        shop.cursor.execute("ROLLBACK TO SAVEPOINT before_change")
        shop.forget()
        return "rolled back to savepoint"


def main() -> int:
    parser = argparse.ArgumentParser(description="Keep writing to the example shop.")
    add_address(parser)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=None, help="default: a random one, printed")
    parser.add_argument("--rate", type=float, default=50.0, help="transactions a second")
    arguments = parser.parse_args()
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    print(f"application: seed {seed}", flush=True)
    stop = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: stop.set())
    application = ShopApplication(address_from(arguments).connect, seed=seed, rate=arguments.rate)
    counts = application.run(seconds=arguments.seconds, stop=stop)
    print("application: " + ", ".join(f"{number} {kind}" for kind, number in counts.most_common()), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
