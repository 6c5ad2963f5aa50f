"""`verify`, then `repair`, of families in which a parent has a parent: faults of every level, planted on the shards;
killed on the way, ahead of the stream, at random beside writes.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.families.chain_driver import CUSTOMERS, IDS, ORDERS, ChainLab, happenings
from tests.families.repairing import Named, carry, mismatches_in, order, repair, verify
from tests.servers.testbed import Arena
from tests.support.dead_letters import letters
from tests.support.job import ENVIRONMENT
from tests.support.lab import SUFFIXES
from tests.support.ledger_state import require_sound

pytestmark = [pytest.mark.server, pytest.mark.spark]

KILLED_AT = (
    "after-children-read",  # in the customers' batch
    "after-mark-staged",
    "after-move-out",
    "after-dead-letter-answered",
    "after-children-read",  # in the orders' batch
    "after-stage",
    "after-upsert",
    "before-close-batch",
    "after-dead-letter-answered",
    "after-dead-letters-read",  # in the lines' batch
    "after-mark-staged",
    "after-close-batch",
)
"""In their order. What a batch has staged is applied by the runs that follow."""


@pytest.mark.long
def test_h6_d13_faults_of_every_level_are_repaired(arena: Arena, tmp_path: Path) -> None:
    """What is below a row that was read again comes to it from wherever it is, down to the last level. Then an order
    is a dead letter: its lines go where the source has it."""
    lab = _lab(arena, tmp_path, quarantine=True)
    with lab.run(gated=False) as run:
        lab.write("UPDATE customer SET note = 'the copy is passed' WHERE id = 0")
        lab.drain(run)
        planted = _plant(lab)
        result = verify(lab, code=1)
        assert mismatches_in(result) == planted
        repair(lab, result, "--delete-extra").require(0)
        lab.require_placed()
        lab.refuse()
        lab.write("UPDATE customer SET place = (place + 1) % 4")
        lab.drain(run)
        lab.write("UPDATE orders SET customer_id = 2, note = 'bad' WHERE code = 'o1'")
        lab.write("UPDATE customer SET place = 0 WHERE id IN (1, 2)")
        lab.drain(run)
        assert set(letters(lab)) == {"o1"} and lab.present("orders", "code = 'o1'") == {2: 1}
        assert lab.present("line", "order_code = 'o1'") == {0: 3}
        lab.write("UPDATE orders SET note = '' WHERE code = 'o1'")
        lab.drain(run)
        lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
        lab.until(run, "no row is held", lambda: not letters(lab))
        _require_right(lab)
    verify(lab, code=0)


@pytest.mark.long
def test_h6_a1_killed_while_a_chain_is_repaired(arena: Arena, tmp_path: Path) -> None:
    lab = _lab(arena, tmp_path)
    _plant(lab)
    killed = repair(lab, verify(lab, code=1), "--run", "--delete-extra", failpoints="before-dead-letters-read=kill")
    assert killed.code == -9, killed
    for name in KILLED_AT:
        lab.gates.open_all()
        lab.gates.forget()
        lab.gates.hold(name)
        with lab.run() as run:
            lab.reach(run, name)
        require_sound(lab.arena, lab.ledger_state())
    lab.write("UPDATE customer SET place = (place + 1) % 4")
    lab.finish()
    verify(lab, code=0)
    _require_right(lab)


@pytest.mark.long
def test_h6_d13_rows_of_a_chain_that_are_read_ahead_of_the_stream(arena: Arena, tmp_path: Path) -> None:
    """Between the stream's position and the one where the rows are read, parents of all levels move, come and go."""
    lab = _lab(arena, tmp_path)
    with lab.run() as run:
        lab.write("UPDATE customer SET note = 'the copy is passed' WHERE id = 0")
        lab.drain(run)
        lab.at(0, f"DELETE FROM {CUSTOMERS} WHERE id IN (1, 9)")
        lab.at(0, f"DELETE FROM {ORDERS} WHERE code IN ('o2', 'o9', 'o16')")
        lab.at(0, f"UPDATE {ORDERS} SET sw_above_1 = 7 WHERE code IN ('o5', 'o6')")
        lab.at(1, "DELETE FROM orders_0 WHERE code = 'o5'")
        lab.at(3, "DELETE FROM line_1 WHERE order_code IN ('o3', 'o7')")
        lab.gates.hold("before-dead-letters-read")
        order(lab, *(("customer", str(id_)) for id_ in (1, 4, 9, 10)))
        order(lab, *(("orders", code) for code in ("o2", "o5", "o6", "o9", "o11", "o16")))
        order(lab, *(_lines("o3", "o7") | {("line", "o4,4")}))
        lab.reach(run, "before-dead-letters-read")
        lab.write("UPDATE customer SET place = 0 WHERE id IN (1, 2)", "UPDATE orders SET note = 'x' WHERE code = 'o1'")
        lab.write("UPDATE orders SET customer_id = 1 WHERE code IN ('o5', 'o3')", "DELETE FROM customer WHERE id = 9")
        lab.write("UPDATE customer SET place = 3 WHERE id = 1", "UPDATE orders SET customer_id = 30 WHERE code = 'o6'")
        lab.write("INSERT INTO customer VALUES (30, 1, 'new')", "UPDATE orders SET code = 'O2' WHERE code = 'o2'")
        lab.write("UPDATE line SET order_code = 'O2' WHERE order_code IN ('o2', 'o3')", "DELETE FROM orders LIMIT 1")
        lab.write("DELETE FROM orders WHERE code = 'o11'", "UPDATE customer SET id = 104 WHERE id = 4")
        lab.write("UPDATE orders SET customer_id = NULL WHERE code = 'o16'", "DELETE FROM customer WHERE id = 10")
        lab.write("UPDATE customer SET place = 2 WHERE id IN (3, 30, 104)", "INSERT INTO orders VALUES ('o11', 3, '')")
        lab.write("UPDATE line SET order_code = 'o16' WHERE order_code = 'o7' LIMIT 1")
        lab.gates.open("before-dead-letters-read")
        lab.drain(run)
        lab.until(run, "none waits", lambda: not lab.at(0, "SELECT 1 FROM _shardwright_dead WHERE state = 'retry'"))
        _require_right(lab)
        lab.write("UPDATE customer SET place = (place + 1) % 4")
        lab.drain(run)
        _require_right(lab)
    verify(lab, code=0)


@pytest.mark.long
@pytest.mark.parametrize("collation", ["utf8mb4_bin", "utf8mb4_general_ci"])
def test_h6_any_faults_of_a_chain_are_repaired_under_writes(
    arena: Arena, tmp_path: Path, dice: random.Random, collation: str
) -> None:
    lab = _lab(arena, tmp_path, collation=collation)
    with lab.run(gated=False) as run:
        lab.write("UPDATE customer SET note = 'the copy is passed' WHERE id = 0")
        for _ in range(2):
            lab.drain(run)
            for _ in range(dice.randrange(4, 30)):
                _plant_any(lab, dice)
            result = verify(lab, code=1)
            with _write(lab, dice):
                command = ("repair", str(result), "--env", ENVIRONMENT, "--timeout", "240", "--delete-extra")
                lab.job.call(*command, timeout=900)
            lab.drain(run)
            verify(lab, code=0)
            _require_right(lab)


def _lab(arena: Arena, folder: Path, *, collation: str = "utf8mb4_bin", quarantine: bool = False) -> ChainLab:
    lab = ChainLab(arena, folder, collation=collation, quarantine=quarantine)
    lab.fill_chain()
    lab.finish()
    return lab


def _orders(id_: int) -> list[str]:
    """Codes of a customer's orders, as `fill_chain` has them."""
    return [f"o{n}" for n in range(3 * IDS) if n % (IDS + 2) == id_]


def _lines(*codes: str) -> Named:
    """Those of orders, as `fill_chain` has them."""
    return {("line", f"{code},{n}") for n in range(8 * IDS) if (code := f"o{n % (3 * IDS + 2)}") in codes}


def _as_list(codes: list[str]) -> str:
    return ", ".join(f"'{code}'" for code in codes)


def _carry_customer(lab: ChainLab, id_: int, *, start: int, end: int) -> None:
    """With all that is below."""
    codes = _as_list(_orders(id_))
    for table, key in (
        ("customer", f"id = {id_}"),
        ("orders", f"code IN ({codes})"),
        ("line", f"order_code IN ({codes})"),
    ):
        carry(lab, table, key, start=start, end=end)


def _plant(lab: ChainLab) -> Named:
    """One fault of every kind, each below a customer of its own. What `verify` has to name."""
    lab.at(1, "UPDATE customer_0 SET note = 'planted' WHERE id = 1")
    lab.at(2, "DELETE FROM customer_1 WHERE id = 2")
    _carry_customer(lab, 3, start=3, end=0)
    lab.at(0, "UPDATE orders_0 SET note = 'planted' WHERE code = 'o4'")
    lab.at(1, "DELETE FROM orders_0 WHERE code = 'o5'")
    carry(lab, "orders", "code = 'o6'", start=2, end=3)
    lab.at(3, "DELETE FROM line_1 WHERE number = 7")
    carry(lab, "line", "number = 45", start=3, end=2)
    lab.at(3, "INSERT INTO line_1 VALUES ('o7', 900, 'nobody')")
    lab.at(0, f"DELETE FROM {ORDERS} WHERE code = 'o8'")
    lab.at(0, f"UPDATE {ORDERS} SET sw_above_1 = 10 WHERE code = 'o9'")
    carry(lab, "orders", "code = 'o9'", start=1, end=2)
    carry(lab, "line", "order_code = 'o9'", start=1, end=2)
    lab.at(0, f"UPDATE {CUSTOMERS} SET sw_at_shard = 0, sw_at_part = 0 WHERE id = 10")
    _carry_customer(lab, 10, start=2, end=0)
    carry(lab, "orders", "code = 'o11'", start=3, end=1, stays=True)
    lab.at(3, "INSERT INTO orders_1 VALUES ('nobody', 11, '')")
    lab.at(0, f"INSERT INTO {ORDERS} VALUES ('no order', 11)")
    lab.at(0, f"INSERT INTO {CUSTOMERS} VALUES (901, 1, 1)")
    lab.at(1, "INSERT INTO customer_0 VALUES (900, 1, 'nobody')")
    lab.at(0, f"UPDATE {ORDERS} SET sw_above_1 = 77 WHERE code = 'o0'")
    lab.at(0, f"INSERT INTO {ORDERS} VALUES ('alone', 1)")
    found = {("customer", key) for key in ("1", "2", "3", "10", "900")}
    found |= {("orders", code) for code in (*_orders(2), "o4", "o5", "o6", "o9", "o11", "nobody")}
    found |= {("line", key) for key in ("o7,7", "o7,45", "o7,900")} | _lines("o5", "o6")
    found |= {(CUSTOMERS, key) for key in ("10", "901")}
    return found | {(ORDERS, code) for code in ("o0", "o8", "o9", "no order", "alone")}


def _plant_any(lab: ChainLab, dice: random.Random) -> None:
    place, other = dice.sample(range(4), 2)
    table = dice.choice(("customer", "orders", "line"))
    name, id_, code = f"{table}{SUFFIXES[place // 2]}", dice.randrange(IDS + 2), f"o{dice.randrange(3 * IDS)}"
    key = {"customer": f"id = {id_}", "orders": f"code = '{code}'", "line": f"order_code = '{code}'"}[table]
    match dice.randrange(7):
        case 0:
            lab.at(place, f"UPDATE {name} SET note = '{dice.random()}' WHERE {key}")
        case 1:
            lab.at(place, f"DELETE FROM {name} WHERE {key}")
        case 2 | 3:
            lab.at(other, f"DELETE FROM {table}{SUFFIXES[other // 2]} WHERE {key}")
            carry(lab, table, key, start=place, end=other)
        case 4:
            lab.at(0, f"DELETE FROM {ORDERS} WHERE code = '{code}'")
            lab.at(0, f"DELETE FROM {CUSTOMERS} WHERE id = {id_}")
        case 5:
            lab.at(0, f"REPLACE INTO {ORDERS} VALUES ('{code}', {id_})")
        case 6:
            lab.at(0, f"REPLACE INTO {CUSTOMERS} VALUES ({id_}, {place % 2}, {place // 2})")


def _require_right(lab: ChainLab) -> None:
    lab.require_placed()
    lab.require_lookup_tables()


@contextmanager
def _write(lab: ChainLab, dice: random.Random) -> Iterator[None]:
    """Some transactions a second at the source, about the same families."""
    ended = threading.Event()

    def write() -> None:
        while not ended.wait(0.2):
            lab.write_all(happenings(dice, 1))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        ended.set()
        writer.join()
