"""`repair` where several source tables make one: with a family and without. Rows go from one source to another
meanwhile, and rows on the shards name the wrong source as their owner (C5, H6).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.families.merged_driver import COUPONS, MergedLab, goes, happenings
from tests.families.repairing import Named, carry, mismatches_in, repair, states, verify
from tests.servers.testbed import Arena
from tests.support.commands import Outcome
from tests.support.lab import SUFFIXES

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

PLACES, ORDER_PLACES = "_sw_place_customer", "_sw_place_orders"


def test_h6_c5_a_row_that_goes_to_another_source_while_it_is_read_again_is_kept(arena: Arena, tmp_path: Path) -> None:
    """Coupons 0 and 1 go before they are read again, 2 and 3 after it."""
    lab = _fill(arena, tmp_path)
    with lab.run() as run:
        lab.write("INSERT INTO lab.coupon VALUES (100, 0, 'the copy is passed')")
        lab.drain(run)
        for id_ in range(5):
            lab.at(id_ % 4, f"UPDATE coupon{SUFFIXES[id_ % 4 // 2]} SET note = 'planted' WHERE id = {id_}")
        result = verify(lab, code=1)
        assert mismatches_in(result) == {("coupon", str(id_)) for id_ in range(5)}
        lab.gates.hold("before-dead-letters-read", "after-dead-letters-read")
        with _repair(lab, result) as repaired:
            lab.reach(run, "before-dead-letters-read")
            lab.write(*goes(COUPONS, "id = 0"), *goes(COUPONS[::-1], "id = 1"))
            lab.gates.open("before-dead-letters-read")
            lab.reach(run, "after-dead-letters-read")
            lab.write(*goes(COUPONS, "id = 2"), *goes(COUPONS[::-1], "id = 3"))
            lab.write("UPDATE depot.coupon SET place = 3 WHERE id IN (0, 2)", "DELETE FROM lab.coupon WHERE id = 4")
            lab.gates.open("after-dead-letters-read")
        lab.drain(run)
        lab.require_placed()
        repaired().require(0)
    verify(lab, code=0)


@pytest.mark.long
def test_h6_a1_every_fault_of_a_merged_family_is_repaired_under_writes(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    """Rows that are missing, changed, in another place, twice or too many, rows whose owner is another source table or
    none, and entries of the lookup tables that are missing, name another place or another source. `repair` is killed
    before the rows are read; the next run reads them, in the middle of writes."""
    lab = _fill(arena, tmp_path)
    planted = _plant(lab)
    result = verify(lab, code=1)
    assert mismatches_in(result) >= planted
    shown = repair(lab, result, "--dry-run", "--delete-extra").require(0)
    assert f"DELETE FROM `lab_0`.`{PLACES}`" in shown.out, shown
    killed = repair(lab, result, "--run", "--delete-extra", failpoints="before-dead-letters-read=kill")
    assert killed.code == -9, killed
    lab.gates.hold("before-dead-letters-read")
    with lab.run() as run:
        lab.reach(run, "before-dead-letters-read")
        lab.write_all(happenings(dice, 20))
        lab.gates.open("before-dead-letters-read")
        for transaction in happenings(dice, 40):
            lab.write(*transaction)
            time.sleep(0.1)
        lab.until(run, "no row waits", lambda: "retry" not in states(lab))
        lab.drain(run)
        lab.require_placed()
        verify(lab, code=0)
    lab.write("UPDATE lab.customer SET place = (place + 1) % 4", "UPDATE depot.coupon SET place = (place + 1) % 4")
    lab.write_all(happenings(dice, 20))
    lab.finish()
    lab.require_placed()
    verify(lab, code=0)


def _plant(lab: MergedLab) -> Named:
    """One fault of every kind, each in a family of its own. What `verify` has to name, at least: whatever is below a
    wrong row is misplaced, too."""
    lab.at(0, "UPDATE customer_0 SET note = 'planted' WHERE id = 0")
    lab.at(1, "DELETE FROM customer_0 WHERE id = 1")
    carry(lab, "customer", "id = 2", start=2, end=3)
    carry(lab, "customer", "id = 3", start=3, end=0, stays=True)
    lab.at(0, "UPDATE _sw_owner_customer SET sw_source = 1 WHERE id = 4")
    lab.at(0, "UPDATE customer_0 SET note = 'planted' WHERE id = 4")
    lab.at(1, "INSERT INTO customer_0 VALUES (900, 1, 'of nobody')")
    for id_, owner in ((901, 0), (902, 1)):
        lab.at(1, f"INSERT INTO customer_0 VALUES ({id_}, 1, 'of a source that lacks it')")
        lab.at(1, f"INSERT INTO _sw_owner_customer (sw_part, id, sw_source) VALUES (0, {id_}, {owner})")
    lab.at(0, f"DELETE FROM {PLACES} WHERE id = 5")
    lab.at(0, f"UPDATE {PLACES} SET sw_at_shard = 0, sw_at_part = 0 WHERE id = 6")
    lab.at(0, f"UPDATE {PLACES} SET sw_from = 'depot' WHERE id = 8")
    lab.at(0, f"INSERT INTO {PLACES} (id, sw_from, sw_at_shard, sw_at_part) VALUES (903, 'depot', 1, 1)")
    lab.at(0, f"DELETE FROM {ORDER_PLACES} WHERE code = 'o9'")
    lab.at(0, f"UPDATE {ORDER_PLACES} SET sw_above_1 = 3 WHERE code = 'o10'")
    lab.at(3, "UPDATE orders_1 SET note = 'planted' WHERE code = 'o7'")
    lab.at(3, "INSERT INTO orders_1 VALUES ('nobody', 7, '')")
    lab.at(3, "DELETE FROM line_1 WHERE order_code = 'o7' LIMIT 1")
    lab.at(3, "INSERT INTO line_1 VALUES ('o7', 904, '')")
    for id_ in range(4):
        lab.at(id_, f"UPDATE coupon{SUFFIXES[id_ // 2]} SET note = 'planted' WHERE id = {id_}")
        lab.at(id_, f"UPDATE _sw_owner_coupon SET sw_source = {(id_ + 1) % 2} WHERE id = {id_}")
    lab.at(1, "INSERT INTO coupon_0 VALUES (905, 1, '')")
    lab.at(1, "INSERT INTO _sw_owner_coupon (sw_part, id, sw_source) VALUES (0, 905, 1)")
    carry(lab, "coupon", "id = 6", start=2, end=1)
    places = {(PLACES, "5,depot"), (PLACES, "6,lab"), (PLACES, "8,lab"), (PLACES, "8,depot"), (PLACES, "903,depot")}
    rows = {("customer", str(id_)) for id_ in (0, 1, 2, 3, 4, 900, 901, 902)} | {("orders", "o7"), ("orders", "nobody")}
    return places | rows | {("line", "o7,904")} | {("coupon", str(id_)) for id_ in (0, 1, 2, 3, 6, 905)}


@contextmanager
def _repair(lab: MergedLab, result: Path, *arguments: str) -> Iterator[Callable[[], Outcome]]:
    """Within, `repair` waits for the run. Yields what returns its outcome, behind the block."""
    with ThreadPoolExecutor(1) as executor:
        yield executor.submit(repair, lab, result, *arguments).result


def _fill(arena: Arena, folder: Path) -> MergedLab:
    lab = MergedLab(arena, folder)
    lab.fill_merged()
    lab.finish()
    return lab
