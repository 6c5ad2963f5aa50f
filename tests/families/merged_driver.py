"""Labs whose customers, orders and lines come from two databases each, orders from two tables in each of them; coupons
without a family; and accounts with equal keys in both databases. And what may happen there: rows go from one source to
another, too.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.servers.testbed import Arena
from tests.support.lab import SPARK, SUFFIXES, Lab

PROJECT = Path(__file__).with_name("merged")
DATABASES = ("lab", "depot")
CUSTOMERS = tuple(f"{database}.customer" for database in DATABASES)
ORDERS = tuple(f"{database}.orders_{letter}" for database in DATABASES for letter in "ab")
LINES = tuple(f"{database}.line" for database in DATABASES)
COUPONS = tuple(f"{database}.coupon" for database in DATABASES)
IDS = 12


class MergedLab(Lab):
    def __init__(self, arena: Arena, folder: Path) -> None:
        settings: dict[str, Any] = {
            "spark": {**SPARK, "master": "local[3]"},
            "snapshot": {"chunk_rows": 20, "parallel": 2},
        }
        super().__init__(arena, folder, settings=settings, example=PROJECT)
        for database in DATABASES:
            self.arena.source.run_script(self.example / "schema" / "lab.sql", database=database)

    def fill_merged(self) -> None:
        """Every fourth row or so is beside what it belongs to; the others are elsewhere."""
        orders = [f"INSERT INTO {ORDERS[n % 4]} VALUES ('o{n}', {n % (IDS + 2)}, '')" for n in range(3 * IDS)]
        self.write(
            *(f"INSERT INTO {CUSTOMERS[id_ % 2]} VALUES ({id_}, {id_ % 4}, '')" for id_ in range(IDS)),
            *orders,
            *(f"INSERT INTO {LINES[n // 3 % 2]} VALUES ('O{n % (3 * IDS + 2)}', {n}, '')" for n in range(6 * IDS)),
            *(
                f"INSERT INTO {name}.account VALUES ({n}, {(n + len(name)) % 4})"
                for name in DATABASES
                for n in range(6)
            ),
            *(f"INSERT INTO {COUPONS[id_ % 2]} VALUES ({id_}, {id_ % 4}, '')" for id_ in range(IDS)),
            *(f"INSERT INTO {name}.entry VALUES ({n}, {n % 7})" for name in DATABASES for n in range(20)),
        )

    def differences(self) -> list[str]:
        """What the source's server says of all tables, and what is on the shards."""
        source = self.arena.source

        def every(tables: Sequence[str]) -> str:
            return "(" + " UNION ALL ".join(f"SELECT * FROM {table}" for table in tables) + ")"

        orders = f"{every(ORDERS)} AS o LEFT JOIN {every(CUSTOMERS)} AS c ON c.id = o.customer_id"
        asked = {
            "customer": f"SELECT place, id, place, note FROM {every(CUSTOMERS)} AS c",
            "coupon": f"SELECT place, id, place, note FROM {every(COUPONS)} AS c",
            "orders": f"SELECT COALESCE(c.place, 0), o.code, o.customer_id, o.note FROM {orders}",
            "line": f"SELECT COALESCE(c.place, 0), l.order_code, l.number, l.note FROM {every(LINES)} AS l "
            f"LEFT JOIN ({orders}) ON o.code = l.order_code",
        }
        wanted = {(table, *row) for table, sql in asked.items() for row in source.query(sql)}
        for name in DATABASES:
            wanted |= {("account", row[1], *row, name) for row in source.query(f"SELECT id, place FROM {name}.account")}
            beside = f"{name}.entry AS e LEFT JOIN {name}.account AS a ON a.id = e.account_id"
            rows = source.query(f"SELECT COALESCE(a.place, 0), e.id, e.account_id FROM {beside}")
            wanted |= {("entry", *row, name) for row in rows}
        found = [
            (table, place, *row)
            for place in range(4)
            for table in ("customer", "coupon", "orders", "line", "account", "entry")
            for row in self.at(place, f"SELECT * FROM {table}{SUFFIXES[place // 2]}")
        ]
        assert len(found) == len(set(found)), "a row is there twice"
        only = (("only at the source", wanted - set(found)), ("only on the shards", set(found) - wanted))
        return [f"{words}: {row}" for words, rows in only for row in sorted(rows, key=repr)[:10]]

    def require_placed(self) -> None:
        differences = self.differences()
        assert not differences, "\n".join(differences)

    def _pulse(self) -> None:
        self._pulses += 1
        self.write(f"INSERT INTO lab.customer VALUES ({1_000_000 + self._pulses}, {self._pulses % 4}, 'pulse')")


def happenings(dice: random.Random, count: int) -> list[list[str]]:
    """Transactions that follow one another. Statements may find nothing to do; none may fail, and no key is ever in two
    source tables after one."""
    return [[statement for _ in range(dice.randint(1, 3)) for statement in _statements(dice)] for _ in range(count)]


def _statements(dice: random.Random) -> list[str]:
    one, other = (dice.randrange(IDS + 2) for _ in range(2))
    order, another = (dice.choice("oO") + str(dice.randrange(3 * IDS)) for _ in range(2))
    number, note = dice.randrange(6 * IDS), str(dice.random())
    customers, orders, lines = dice.sample(CUSTOMERS, 2), dice.sample(ORDERS, 2), dice.sample(LINES, 2)
    coupons = dice.sample(COUPONS, 2)
    name = dice.choice(DATABASES)
    no_one = " AND ".join(f"NOT EXISTS (SELECT 1 FROM {table} WHERE id = {other})" for table in customers[1:])
    no_order = " AND ".join(
        f"NOT EXISTS (SELECT 1 FROM {table} WHERE code = '{another}')" for table in ORDERS if table != orders[0]
    )
    no_line = f"NOT EXISTS (SELECT 1 FROM {lines[1]} WHERE order_code = '{order}' AND number = {number})"
    return dice.choice(
        (
            [f"UPDATE {customers[0]} SET place = (place + 1) % 4 WHERE id IN ({one}, {other})"],
            [f"UPDATE {table} SET place = (place + 1) % 4 WHERE id IN ({one}, {other})" for table in CUSTOMERS],
            [f"DELETE FROM {customers[0]} WHERE id = {one}"],
            [f"INSERT IGNORE INTO {customers[0]} SELECT {other}, {dice.randrange(4)}, 'new' FROM DUAL WHERE {no_one}"],
            [f"UPDATE IGNORE {customers[0]} SET id = {other} WHERE id = {one} AND {no_one}"],
            goes(customers, f"id = {one}"),
            goes(customers, f"id = {one}", f"place = {dice.randrange(4)}"),
            [f"UPDATE {orders[0]} SET customer_id = {other} WHERE customer_id = {one} LIMIT 2"],
            [f"UPDATE {orders[0]} SET customer_id = NULL WHERE code = '{order}'"],
            [f"UPDATE {orders[0]} SET note = '{note}' WHERE customer_id = {one}"],
            [f"UPDATE IGNORE {orders[0]} SET code = '{another}' WHERE code = '{order}' AND {no_order}"],
            [f"DELETE FROM {orders[0]} WHERE code = '{order}'"],
            [f"INSERT IGNORE INTO {orders[0]} SELECT '{another}', {one}, 'new' FROM DUAL WHERE {no_order}"],
            goes(orders, f"code = '{order}'"),
            goes(orders, f"code = '{order}'", f"customer_id = {other}"),
            [f"INSERT IGNORE INTO {lines[0]} SELECT '{order}', {number}, '{note}' FROM DUAL WHERE {no_line}"],
            [f"DELETE FROM {lines[0]} WHERE order_code = '{order}' LIMIT 1"],
            goes(lines, f"order_code = '{order}' AND number < {number}"),
            [f"UPDATE {table} SET place = (place + 1) % 4 WHERE id IN ({one}, {other})" for table in COUPONS],
            goes(coupons, f"id = {one}", f"note = '{note}'"),
            [f"UPDATE {name}.account SET place = (place + 1) % 4 WHERE id IN ({one % 6}, {other % 6})"],
            [f"DELETE FROM {name}.account WHERE id = {one % 6}"],
            [f"INSERT IGNORE INTO {name}.account VALUES ({one % 6}, {dice.randrange(4)})"],
            [f"UPDATE {name}.entry SET account_id = {one % 7} WHERE id = {number % 20}"],
        )
    )


def goes(tables: Sequence[str], which: str, change: str | None = None) -> list[str]:
    """Rows go from the first table to the second one, within one transaction."""
    changed = [] if change is None else [f"UPDATE {tables[1]} SET {change} WHERE {which}"]
    return [
        f"INSERT INTO {tables[1]} SELECT * FROM {tables[0]} WHERE {which}",
        f"DELETE FROM {tables[0]} WHERE {which}",
        *changed,
    ]
