"""Rows that a target refuses, of families in which a parent has a parent: quarantined at every level with their later
events, while all that is below goes where the source has it; tried again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.families.chain_driver import ChainLab
from tests.servers.testbed import Arena
from tests.support.dead_letters import kill_at, letters, run
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

HELD_AND_DIED = ("after-row-held", "after-held-row-taken-out", "after-held-events-recorded")
ANSWERED_AND_DIED = ("before-dead-letters-read", "after-dead-letters-read", "after-dead-letter-answered")
HELD = {"2", "o1", "o3,3", "5", "o4"}


def test_d13_refused_rows_of_every_level_are_held_and_what_is_below_follows(arena: Arena, tmp_path: Path) -> None:
    """By chunks and by the stream."""
    lab = ChainLab(arena, tmp_path, quarantine=True)
    lab.fill_chain()
    lab.write(*_BAD)
    lab.gates.hold("after-lookup-table-filled")
    with lab.run() as process:
        lab.reach(process, "after-lookup-table-filled")
        lab.refuse()
        lab.gates.open("after-lookup-table-filled")
        lab.until(process, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        assert set(letters(lab)) == {"2", "o1", "o3,3"}
        assert lab.present("line", "order_code = 'o1'") == {1: 3}, "the rows of an order that was never there"
        _continue(lab)
        lab.drain(process)
        assert set(letters(lab)) == HELD
        assert lab.present("orders", "code = 'o1'") == lab.present("customer", "id = 2") == {}
        assert lab.present("line", "number = 3") == {}
        _require_below(lab)
        _make_good(lab)
        lab.drain(process)
        lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
        lab.until(process, "no row is held", lambda: not letters(lab))
        lab.drain(process)
        lab.require_placed()
    run(lab, code=0)
    lab.job.call("verify", "--env", ENVIRONMENT)


def test_a1_d13_killed_while_rows_of_every_level_are_held_and_tried_again(arena: Arena, tmp_path: Path) -> None:
    lab = ChainLab(arena, tmp_path, quarantine=True)
    lab.fill_chain()
    run(lab, code=0)
    lab.refuse()
    lab.write(*_BAD)
    for name in HELD_AND_DIED[:2]:
        kill_at(lab, name)
    run(lab, code=7)
    _continue(lab)
    kill_at(lab, HELD_AND_DIED[2])
    run(lab, code=7)
    assert set(letters(lab)) == HELD
    assert lab.present("orders", "code = 'o1'") == {1: 1} and lab.present("customer", "id = 2") == {2: 1}
    assert lab.present("line", "number = 3") == {3: 1}, "nothing of a held row takes effect"
    _require_below(lab)
    _make_good(lab)
    lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
    for name in ANSWERED_AND_DIED:
        kill_at(lab, name)
    run(lab, code=0)
    lab.require_placed()
    assert letters(lab) == {}
    lab.job.call("verify", "--env", ENVIRONMENT)


_BAD = (
    "UPDATE customer SET note = 'bad' WHERE id = 2",
    "UPDATE orders SET note = 'bad' WHERE code = 'o1'",
    "UPDATE line SET note = 'bad' WHERE number = 3",
)


def _continue(lab: ChainLab) -> None:
    """What is held moves, and rows above and below; more rows are refused where they came to."""
    lab.write("UPDATE customer SET place = 3 WHERE id = 1", "UPDATE customer SET place = 0 WHERE id IN (2, 3)")
    lab.write("UPDATE orders SET customer_id = 2 WHERE code = 'o1'", "UPDATE orders SET note = 'x' WHERE code = 'o2'")
    lab.write("UPDATE customer SET place = 3, note = 'bad' WHERE id = 5", "DELETE FROM line WHERE number = 2")
    lab.write("UPDATE orders SET note = 'bad', customer_id = 5 WHERE code = 'o4'")
    lab.write("UPDATE customer SET place = 1 WHERE id = 2", "INSERT INTO line VALUES ('o1', 777, 'new')")


def _require_below(lab: ChainLab) -> None:
    """Where the source has the rows above, whether these are there or not."""
    assert lab.present("line", "order_code = 'o1'") == {1: 4}, "below an order that is held, below a customer"
    assert lab.present("orders", "customer_id = 2 AND code <> 'o1'") == {1: 3}, "below a customer that is held"
    assert lab.present("orders", "customer_id = 5 AND code <> 'o4'") == {3: 3}
    assert lab.present("line", "order_code IN ('o4', 'o5')") == {3: 6}
    assert lab.present("orders", "code = 'o4'") == {0: 1} and lab.present("customer", "id = 5") == {1: 1}
    assert lab.present("line", "order_code = 'o3' AND number <> 3") == {0: 2}


def _make_good(lab: ChainLab) -> None:
    lab.write(*(f"UPDATE {table} SET note = 'good' WHERE note = 'bad'" for table in ("customer", "orders", "line")))
    lab.write("UPDATE customer SET place = 2 WHERE id IN (2, 3)", "UPDATE line SET order_code = 'o4' WHERE number = 3")
