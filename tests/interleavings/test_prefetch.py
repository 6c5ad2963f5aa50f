"""The next range is looked for, and Spark begins with it, while a batch is under way: what comes of that, and what
does not (A1, A2).
"""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.job import kill_tree
from tests.support.lab import Lab
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]
AHEAD = "before-looking-ahead"
DIED_AT = frozenset({AHEAD})
ROWS = 10


@pytest.fixture
def behind(arena: Arena, tmp_path: Path, seed: int) -> Lab:
    """A run has copied everything, and many small batches wait for the next one."""
    lab = Lab(arena, tmp_path, settings={"batch": {"max_rows": ROWS}})
    lab.create_source()
    lab.fill({number: number % 4 for number in range(20)})
    lab.finish()
    lab.write_all(list(_changes(random.Random(seed), 150)))
    return lab


def _changes(chance: random.Random, count: int) -> Iterator[str]:
    """Stretches of both tables and of one: the events of several are kept by Spark while their batch lasts, and those
    batches are not begun before their time."""
    for number in range(count):
        if number // ROWS % 3 == 0 and chance.random() < 0.5:
            yield f"UPDATE parent SET note = 'change {number}' WHERE id = {chance.randrange(20)}"
            continue
        where = f"id = {chance.randrange(20)}"
        yield chance.choice(
            (
                f"INSERT INTO child VALUES ({chance.randrange(20)}, {100 + number}, {chance.randrange(4)}, 'new')",
                f"UPDATE child SET note = 'change {number}' WHERE {where}",
                f"UPDATE child SET place = {chance.randrange(4)} WHERE {where}",
                f"UPDATE child SET line = line + 1000 WHERE {where} ORDER BY line DESC LIMIT 1",
                f"DELETE FROM child WHERE {where} LIMIT 1",
            )
        )


@pytest.mark.long
def test_a1_a_backlog_of_many_batches(behind: Lab) -> None:
    before = behind.ledger_state().batch
    with behind.run() as run:
        behind.drain(run)
    assert behind.gates.is_reached(AHEAD)
    assert behind.ledger_state().batch >= before + 10
    behind.require_equal()


@pytest.mark.long
def test_a1_killed_while_it_prefetches(behind: Lab) -> None:
    for _ in range(2):
        process = behind.start(gated=False, failpoints=f"{AHEAD}=kill")
        try:
            assert process.wait(timeout=PATIENCE) == -signal.SIGKILL, behind.job.end_of_log()
        finally:
            kill_tree(process)
    behind.finish()
    behind.require_equal()


@pytest.mark.long
def test_a16_a_batch_is_finished_while_the_source_is_waited_for(behind: Lab) -> None:
    """Whoever looks ahead may wait for an answer: the batch under way does not."""
    before = behind.ledger_state().batch
    behind.gates.hold(AHEAD)
    with behind.run() as run:
        behind.reach(run, AHEAD)
        behind.until(
            run, "its batch is closed", lambda: (b := behind.ledger_state()).batch > before and b.open_batch is None
        )
        behind.gates.open_all()
        behind.drain(run)
    behind.require_equal()


@pytest.mark.long
def test_e14_a_change_of_the_table_further_on_stops_the_run_when_it_is_next(behind: Lab) -> None:
    behind.write("ALTER TABLE child ADD COLUMN extra int")
    behind.write("UPDATE child SET note = 'behind it' WHERE id = 3")
    with behind.run() as run:
        behind.wait_for_end(run, code=6, saying="ALTER TABLE child")
    ledger_state = behind.ledger_state()
    assert ledger_state.open_batch is None
    behind.write("ALTER TABLE child DROP COLUMN extra")
    counts = [behind.arena.source.query("SELECT COUNT(*) FROM child", database="lab")[0][0]]
    exist = sum(int(behind.at(place, f"SELECT COUNT(*) FROM child_{place // 2}")[0][0]) for place in range(4))
    assert counts == [exist]
