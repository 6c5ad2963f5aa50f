"""Labs of three levels: a customer's orders and their lines, which are where the customer is. And what may happen there.

`bin` keys have one spelling; with another collation, only the server knows which order a line belongs to.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.servers.testbed import Arena
from tests.support.lab import SPARK, SUFFIXES, Lab

PROJECT = Path(__file__).with_name("chain")
IDS = 12
CUSTOMERS, ORDERS = "_sw_place_customer", "_sw_place_orders"


class ChainLab(Lab):
    def __init__(self, arena: Arena, folder: Path, *, collation: str = "utf8mb4_bin", quarantine: bool = False) -> None:
        """`quarantine`: rows that a target refuses are held."""
        own = folder / "own"
        for file in (*PROJECT.glob("specs/*"), *PROJECT.glob("ddl/*"), *PROJECT.glob("schema/*")):
            (own / file.parent.name).mkdir(parents=True, exist_ok=True)
            text = file.read_text(encoding="utf-8").replace("utf8mb4_bin", collation)
            if quarantine:
                text = re.sub(r"( +)weight: \d+\n", r"\g<0>\1errors: {policy: quarantine, at_most: 9}\n", text)
            (own / file.parent.name / file.name).write_text(text, encoding="utf-8")
        settings: dict[str, Any] = {"spark": {**SPARK, "master": "local[3]"}, "snapshot": {"chunk_rows": 20}}
        super().__init__(arena, folder, settings=settings, example=own)
        self.create_source()

    def fill_chain(self) -> None:
        self.write(
            *(f"INSERT INTO customer VALUES ({id_}, {id_ % 4}, '')" for id_ in range(IDS)),
            *(f"INSERT INTO orders VALUES ('o{n}', {n % (IDS + 2)}, '')" for n in range(3 * IDS)),
            "INSERT INTO orders VALUES ('alone', NULL, '')",
            *(f"INSERT INTO line VALUES ('o{n % (3 * IDS + 2)}', {n}, '')" for n in range(8 * IDS)),
            "INSERT INTO line VALUES ('alone', 1, '')",
        )

    def differences(self) -> list[str]:
        """What the source's server says of all three tables, and what is on the shards."""
        source = self.arena.source
        wanted = {("customer", int(row[1]), *row) for row in source.query("SELECT id, place, note FROM lab.customer")}
        orders = "lab.orders AS o LEFT JOIN lab.customer AS c ON c.id = o.customer_id"
        for table, columns, sql in (
            ("orders", "o.code, o.customer_id, o.note", orders),
            ("line", "l.order_code, l.number, l.note", f"lab.line AS l LEFT JOIN ({orders}) ON o.code = l.order_code"),
        ):
            rows = source.query(f"SELECT COALESCE(c.place, 0), {columns} FROM {sql}")
            wanted |= {(table, int(place), *row) for place, *row in rows}
        found = [
            (table, place, *row)
            for place in range(4)
            for table in ("customer", "orders", "line")
            for row in self.at(place, f"SELECT * FROM {table}{SUFFIXES[place // 2]}")
        ]
        assert len(found) == len(set(found)), "a row is there twice"
        only = (("only at the source", wanted - set(found)), ("only on the shards", set(found) - wanted))
        return [f"{words}: {row}" for words, rows in only for row in sorted(rows, key=repr)[:10]]

    def present(self, table: str, where: str) -> dict[int, int]:
        """place -> how many such rows are there, where there are any."""
        counts = {}
        for place in range(4):
            sql = f"SELECT COUNT(*) FROM {table}{SUFFIXES[place // 2]} WHERE {where}"
            if count := int(self.at(place, sql)[0][0]):
                counts[place] = count
        return counts

    def refuse(self) -> None:
        """From now on the targets refuse rows with a bad note."""
        for place in range(4):
            for table in ("customer", "orders", "line"):
                name = f"{table}{SUFFIXES[place // 2]}"
                self.at(place, f"ALTER TABLE {name} ADD CONSTRAINT {name}_note CHECK (note <> 'bad')")

    def require_placed(self) -> None:
        differences = self.differences()
        assert not differences, "\n".join(differences)

    def require_lookup_tables(self) -> None:
        """They say what the source says."""
        source = self.arena.source
        wanted = {(int(id_), int(place)) for id_, place in source.query("SELECT id, place FROM lab.customer")}
        assert {(int(id_), int(s) + 2 * int(p)) for id_, s, p in self.at(0, f"SELECT * FROM {CUSTOMERS}")} == wanted
        above = source.query("SELECT code, customer_id FROM lab.orders WHERE customer_id IS NOT NULL")
        assert {*self.at(0, f"SELECT code, sw_above_1 FROM {ORDERS}")} == {*above}

    def _pulse(self) -> None:
        self._pulses += 1
        self.write(f"INSERT INTO customer VALUES ({1_000_000 + self._pulses}, {self._pulses % 4}, 'pulse')")


def happenings(dice: random.Random, count: int) -> Sequence[Sequence[str]]:
    """Transactions that follow one another. Statements may find nothing to do; none may fail."""
    return [[_statement(dice) for _ in range(dice.randint(1, 4))] for _ in range(count)]


def _statement(dice: random.Random) -> str:
    one, other = (dice.randrange(IDS + 2) for _ in range(2))
    order, another = (dice.choice("oO") + str(dice.randrange(3 * IDS)) for _ in range(2))
    number, note = dice.randrange(8 * IDS), str(dice.random())
    return dice.choice(
        (
            f"UPDATE customer SET place = {dice.randrange(4)} WHERE id = {one}",
            f"UPDATE customer SET place = (place + 1) % 4 WHERE id IN ({one}, {other})",
            f"UPDATE customer SET place = (place + 1) % 4 WHERE id IN ({one}, {other})",
            f"DELETE FROM customer WHERE id = {one}",
            f"INSERT IGNORE INTO customer VALUES ({one}, {dice.randrange(4)}, 'new')",
            f"UPDATE IGNORE customer SET id = {other} WHERE id = {one}",
            f"UPDATE orders SET customer_id = {other} WHERE customer_id = {one} LIMIT 2",
            f"UPDATE orders SET customer_id = NULL WHERE code = '{order}'",
            f"UPDATE orders SET note = '{note}' WHERE customer_id = {one}",
            f"UPDATE IGNORE orders SET code = '{another}' WHERE code = '{order}'",
            f"DELETE FROM orders WHERE code = '{order}'",
            f"INSERT IGNORE INTO orders VALUES ('{order}', {one}, 'new')",
            f"INSERT IGNORE INTO line VALUES ('{order}', {number}, 'new {note}')",
            f"UPDATE IGNORE line SET order_code = '{another}' WHERE order_code = '{order}' LIMIT 2",
            f"UPDATE line SET note = '{note}' WHERE order_code = '{order}'",
            f"DELETE FROM line WHERE order_code = '{order}' LIMIT 1",
        )
    )
