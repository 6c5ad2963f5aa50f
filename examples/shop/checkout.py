"""The shop's checkout: an application that is cut over from a source to its shards, and back, while it writes.

    python checkout.py --password-file app.password --rate 50
    python checkout.py --password-file app.password --migration shop-split-8x8 --environment environments/wide.yaml

It asks the switch row where to write, and tries again while a fence shuts it out. It keeps a record of its own: what it
reads must be what it wrote last, and at the end every order must be there once. SIGTERM or Ctrl-C ends it, with the verdict.
The exit code is 1 when something was lost or doubled.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

if __package__ in (None, ""):  # run as a program: its neighbours are beside it, not in a package
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from examples.shop import orders
from examples.shop.layers import (
    MIGRATIONS,
    SHOP_SPLIT,
    TRY_AGAIN,
    Addresses,
    Connections,
    Layer,
    Migration,
    Place,
    Switch,
    Writes,
    addresses_in,
)
from examples.shop.orders import Order, Rows

ENVIRONMENT_FILE = Path(__file__).resolve().parent / "environments" / "sandbox.yaml"
TILLS = 4
ASK_EVERY = 0.25
PATIENCE = 120.0
"""Seconds for which a transaction is tried again. A fence is lifted long before."""

IDS = 1 << 24
"""Order ids for one checkout, the same number for each of its tills."""
FIRST_USER, USERS = 50_000_000, 1_000
"""The users whose orders these are. They sign up elsewhere."""
SHOWN = 10


class WrongRow(Exception):
    """The checkout has read something else than it has written. The message names the row."""


class Change(NamedTuple):
    """An order before and after a transaction. None: there is no such order. Not both are None."""

    before: Order | None
    after: Order | None

    @property
    def user_id(self) -> int:
        order = self.after or self.before
        assert order is not None
        return order.user_id

    def place(self, layer: Layer) -> Place:
        order = self.after or self.before
        assert order is not None
        return layer.place(order.order_id, order.user_id)


@dataclass
class Till:
    """One thread of the checkout. No other thread changes its orders."""

    checkout: Checkout
    number: int
    record: dict[int, Order] = field(default_factory=dict)
    """Its orders by id, as the servers have confirmed them."""

    def __post_init__(self) -> None:
        self._dice = random.Random(self.number)
        self._connections = Connections(self.checkout.addresses)
        self._last_id = self.checkout.first_id + self.number * (IDS // TILLS)

    def work(self) -> None:
        due = time.monotonic()
        while not self.checkout.ending.is_set():
            change = self._next_change()
            writes = self._until_done(change)
            if change.before:
                del self.record[change.before.order_id]
            if change.after:
                self.record[change.after.order_id] = change.after
            self.checkout.note_write(writes)
            due = max(due + TILLS / self.checkout.rate, time.monotonic() - 1.0)
            self.checkout.ending.wait(max(0.0, due - time.monotonic()))

    def _next_change(self) -> Change:
        kind = self._dice.choice(("place", "place", "change", "pay", "delete")) if self.record else "place"
        if kind == "place":
            self._last_id += 1
            user = FIRST_USER + self._dice.randrange(USERS)
            return Change(None, Order(self._last_id, user, lines=self._dice.randrange(1, 4)))
        before = self._dice.choice(list(self.record.values()))
        if kind == "delete":
            return Change(before, None)
        return Change(before, replace(before, version=before.version + 1, paid=before.paid or kind == "pay"))

    def _until_done(self, change: Change) -> Writes:
        """Repeat the transaction until it is known to be done. Returns which side it was written to."""
        end = time.monotonic() + PATIENCE
        while True:
            writes = self.checkout.switch.of(change.user_id)
            try:
                self._attempt(change, writes)
                return self.checkout.switch.writes
            except TRY_AGAIN:
                if time.monotonic() > end:
                    raise
            time.sleep(0.05)
            self.checkout.switch.ask()

    def _attempt(self, change: Change, writes: Writes) -> None:
        """One transaction. It reads first: an earlier attempt may be committed, although its answer was lost."""
        before, after = change
        place = change.place(self.checkout.migration.layer(writes))
        with self._connections.transaction(place.database) as cursor:
            order_id = (after or before).order_id  # type: ignore[union-attr]
            found = orders.read(cursor, place, order_id, order_id)
            if found == (after.rows(place) if after else {}):
                return
            expected = before.rows(place) if before else {}
            if found != expected:
                raise WrongRow(f"{orders.differences(expected, found)[0]}; writes go to {writes}")
            if after and before:
                orders.update(cursor, place, before, after)
            elif after:
                orders.insert(cursor, place, after)
            elif before:
                orders.delete(cursor, place, before)


@dataclass
class Checkout:
    """All tills, and what they have in common."""

    addresses: Addresses
    rate: float
    migration: Migration = SHOP_SPLIT
    ending: threading.Event = field(default_factory=threading.Event)
    transactions: int = 0
    longest_pause: float = 0.0
    """Seconds in which no till could write."""

    def __post_init__(self) -> None:
        self.first_id = int(time.time()) * IDS  # ids are made from the time, so that a second checkout has others
        self.switch = Switch(self.addresses, self.migration)
        self.tills = [Till(self, number) for number in range(TILLS)]
        self._lock = threading.Lock()
        self._last = (time.monotonic(), self.switch.writes)
        self._after_longest = self.switch.writes
        self._failures: list[BaseException] = []

    def run(self) -> bool:
        """Write until `ending` is set. Then compare the records with what is there, and print the verdict. Raises
        what has ended a till."""
        self._last = (time.monotonic(), self.switch.ask())
        threads = [threading.Thread(target=self._keep_error, args=(till,)) for till in self.tills]
        for thread in threads:
            thread.start()
        while not self.ending.wait(ASK_EVERY):
            self.switch.ask()
        for thread in threads:
            thread.join()
        if self._failures:
            raise self._failures[0]
        return self.verdict()

    def note_write(self, writes: Writes) -> None:
        """A till has written."""
        with self._lock:
            now = time.monotonic()
            last, written_last = self._last
            if now - last > self.longest_pause:
                self.longest_pause, self._after_longest = now - last, writes
            if writes.generation > written_last.generation:
                print(f"checkout: writes go to {writes}; no order was possible for {now - last:.2f} s", flush=True)
            self._last = (now, max(writes, written_last, key=lambda item: item.generation))
            self.transactions += 1

    def _keep_error(self, till: Till) -> None:
        try:
            till.work()
        except BaseException as failure:  # noqa: BLE001 `run` raises it
            self._failures.append(failure)
            self.ending.set()

    def verdict(self) -> bool:
        """All rows of this checkout, at all places of the side that is written, against the records."""
        layer, connections = self.migration.layer(self.switch.ask()), Connections(self.addresses)
        expected: Rows = {}
        found: Rows = {}
        for order in (order for till in self.tills for order in till.record.values()):
            expected |= order.rows(layer.place(order.order_id, order.user_id))
        for place in layer.everywhere():
            with connections.transaction(place.database) as cursor:
                found |= orders.read(cursor, place, self.first_id, self.first_id + IDS - 1)
        lost = sum(1 for key in expected if found.get(key) != expected[key])
        doubled = sum(1 for key in found if key not in expected)
        for line in orders.differences(expected, found)[:SHOWN]:
            print(f"checkout: {line}", flush=True)
        print(
            f"checkout: {self.transactions:,} transactions, {lost} lost, {doubled} doubled; longest pause "
            f"{self.longest_pause:.2f} s, after which writes went to {self._after_longest}",
            flush=True,
        )
        return lost == doubled == 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Take orders at the example shop, wherever the switch row says.")
    parser.add_argument("--environment", type=Path, default=ENVIRONMENT_FILE, help="the file with all addresses")
    parser.add_argument("--migration", choices=MIGRATIONS, default=SHOP_SPLIT.name, help="whose switch row is read")
    parser.add_argument("--user", default="app")
    parser.add_argument("--password-file", type=Path, required=True)
    parser.add_argument("--rate", type=float, default=50.0, help="transactions a second")
    arguments = parser.parse_args()
    migration = MIGRATIONS[arguments.migration]
    addresses = addresses_in(
        arguments.environment, migration, user=arguments.user, password_file=arguments.password_file
    )
    checkout = Checkout(addresses, arguments.rate, migration)
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: checkout.ending.set())
    try:
        return 0 if checkout.run() else 1
    except WrongRow as wrong:
        print(f"checkout: WRONG ROW: {wrong}", file=sys.stderr, flush=True)
        return 1


if __name__ == "__main__":
    raise SystemExit(main())
