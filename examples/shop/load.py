"""Fills the shop: users, orders with one to three items each, payments for most, the same for the same seed.

python load.py --port 3306 --password-file app.password --orders 200000
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from pymysql.connections import Connection
from pymysql.converters import escape_string
from pymysql.cursors import Cursor

if __package__ in (None, ""):  # run as a program: its neighbours are beside it, not in a package
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from examples.shop import texts
from examples.shop.connection import Address, add_address, address_from

ORDERS = 200_000
ORDERS_PER_USER = 4
BLOCK = 5_000
"""Rows come in blocks, each from a random sequence of its own, so that they are the same however many work on them."""

ITEM_TABLES = 4

_NAMES = tuple(f"'{escape_string(name)}'" for name in texts.NAMES)
_SKUS = tuple(f"'{escape_string(sku)}'" for sku in texts.SKUS)
_NOTES = tuple("NULL" if note is None else f"'{escape_string(note)}'" for note in texts.NOTES)
_REPLIES = tuple("NULL" if reply is None else f"'{escape_string(reply)}'" for reply in texts.REPLIES)


def load_shop(address: Address, *, orders: int = ORDERS, seed: int = 1, processes: int = 2) -> dict[str, int]:
    """Fill the empty tables of the shop and return how many rows each logical table got."""
    users = max(1, orders // ORDERS_PER_USER)
    work = [
        (address, seed, "users", first, min(first + BLOCK, users + 1), users) for first in range(1, users + 1, BLOCK)
    ]
    work += [
        (address, seed, "orders", first, min(first + BLOCK, orders + 1), users) for first in range(1, orders + 1, BLOCK)
    ]
    counts = {"region": _load_regions(address)}
    with ProcessPoolExecutor(processes) as pool:
        for loaded in pool.map(_load_block, work):
            for table, rows in loaded.items():
                counts[table] = counts.get(table, 0) + rows
    return counts


def _load_regions(address: Address) -> int:
    with address.connect() as connection, connection.cursor() as cursor:
        cursor.executemany("INSERT INTO region VALUES (%s, %s, %s)", texts.REGIONS)
        connection.commit()
    return len(texts.REGIONS)


def _load_block(work: tuple[Address, int, str, int, int, int]) -> dict[str, int]:
    address, seed, kind, first, end, users = work
    dice = random.Random(f"{seed}:{kind}:{first}")
    rows = _user_rows(dice, first, end) if kind == "users" else _order_rows(dice, first, end, users=users)
    with address.connect() as connection:
        return _insert(connection, rows)


def _user_rows(dice: random.Random, first: int, end: int) -> Iterator[tuple[str, str]]:
    for user in range(first, end):
        phone = "NULL" if dice.random() < 0.3 else f"'+86 {dice.randrange(10**10):010}'"
        birthday = "NULL" if dice.random() < 0.5 else f"'{dice.randrange(1940, 2010)}-{dice.randrange(1, 13):02}-15'"
        balance = dice.randrange(-(10**9), 10**12)
        yield (
            "users",
            f"({user},'user{user}@shop.example',{dice.choice(_NAMES)},{phone},{balance}e-4,{dice.randrange(2)},{birthday},"
            f"'{texts.moment(dice, digits=6)}')",
        )


def _order_rows(dice: random.Random, first: int, end: int, *, users: int) -> Iterator[tuple[str, str]]:
    for order in range(first, end):
        # A few users order much more than the rest, as everywhere.
        user = int(users * dice.random() ** 2) + 1
        amount = 0
        for line in range(1, dice.randrange(1, 4) + 1):
            quantity, cents = dice.randrange(1, 9), dice.randrange(1, 100_000)
            amount += quantity * cents
            yield (
                f"order_item_{order % ITEM_TABLES}",
                f"({order},{line},{user},{dice.choice(_SKUS)},{quantity},{cents}e-2)",
            )
        region = "NULL" if dice.random() < 0.1 else dice.choice(texts.REGIONS)[0]
        yield (
            "order_info",
            f"({order},{user},{dice.randrange(1, 6)},{amount}e-2,{dice.choice(_NOTES)},'picked by {dice.randrange(50)}',"
            f"{region},'{texts.moment(dice, digits=6)}')",
        )
        if dice.random() < 0.85:
            signature = texts.signature(dice)
            signed = "NULL" if signature is None else f"x'{signature.hex()}'"
            paid_at = "NULL" if dice.random() < 0.1 else f"'{texts.moment(dice, digits=3)}'"
            yield (
                "payment",
                f"('PAY-{order:012}-{dice.randrange(16**6):06x}',{order},{user},{dice.randrange(16)},{amount}e-2,{paid_at},"
                f"{signed},{dice.choice(_REPLIES)})",
            )


def _insert(connection: Connection[Cursor], rows: Iterator[tuple[str, str]]) -> dict[str, int]:
    """Insert rows given as (table, ready-made VALUES tuple), a thousand to a statement, in one transaction."""
    waiting: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    with connection.cursor() as cursor:
        for table, row in rows:
            waiting.setdefault(table, []).append(row)
            if len(waiting[table]) == 1_000:
                cursor.execute(f"INSERT INTO {table} VALUES " + ",".join(waiting.pop(table)))
            logical = "order_item" if table.startswith("order_item_") else table
            counts[logical] = counts.get(logical, 0) + 1
        for table, rest in waiting.items():
            cursor.execute(f"INSERT INTO {table} VALUES " + ",".join(rest))
    connection.commit()
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description="Fill the example shop.")
    add_address(parser)
    parser.add_argument("--orders", type=int, default=ORDERS)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    begin = time.monotonic()
    counts = load_shop(address_from(arguments), orders=arguments.orders, seed=arguments.seed)
    seconds = time.monotonic() - begin
    print(f"loaded {', '.join(f'{rows:,} {table}' for table, rows in sorted(counts.items()))} in {seconds:.1f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
