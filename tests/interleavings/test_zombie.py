"""A run that was frozen while another one took over writes nothing when it wakes up (C11, A3)."""

from __future__ import annotations

import os
import signal
from subprocess import Popen

import pytest

from tests.support.job import session_members
from tests.support.lab import Lab, contents, move, new_family, remove

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.cold]


@pytest.mark.in_turn
def test_a3_frozen_within_a_transaction(lab: Lab) -> None:
    """The frozen run holds a sub-step's transaction open: the second one ends it instead of waiting for it."""
    lab.fill({id_: id_ % 4 for id_ in range(100, 120)})
    with lab.run() as frozen:
        lab.until(frozen, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.drain(frozen)
        lab.gather(frozen, *_changes())
        with lab.arena.shard("lab_0") as connection, connection.cursor() as cursor:
            connection.begin()
            cursor.execute("SELECT * FROM parent_0 FOR UPDATE")
            lab.gates.open_all()
            lab.until(frozen, "a sub-step waits for a row", lab.lock_waits)
            _stop(frozen)
            connection.rollback()
        _second_takes_over_and_first_wakes(lab, frozen)


@pytest.mark.long
def test_a3_b3_frozen_before_a_chunk_is_written(lab: Lab) -> None:
    """Its tasks wake up with a chunk in their hands that the second run has copied long ago."""
    lab.fill({id_: id_ % 4 for id_ in range(100, 120)})
    lab.gates.hold("after-chunk-read")
    with lab.run() as frozen:
        lab.reach(frozen, "after-chunk-read")
        _stop(frozen)
        lab.write_all(_changes())
        _second_takes_over_and_first_wakes(lab, frozen)


def _changes() -> list[list[str]]:
    changes = [["UPDATE parent SET note = 'new'"], new_family(200, 0), new_family(201, 1)]
    return [*changes, remove(100), remove(101), move(102, 1), move(103, 2)]


def _second_takes_over_and_first_wakes(lab: Lab, frozen: Popen[bytes]) -> None:
    lab.finish()
    lab.require_equal()
    lab.write(*new_family(300, 0), *move(104, 3))
    lab.finish()
    lab.require_equal()
    before = contents(lab)
    # What the second run has not seen yet: the first one would like to write it.
    lab.write(*new_family(301, 1), *move(105, 0))
    lab.gates.open_all()
    _wake(frozen)
    lab.wait_for_end(frozen, code=6, saying="SW8201")
    after = contents(lab)
    changed = {table for table in before.keys() | after.keys() if before.get(table) != after.get(table)}
    # Its command's end is a line of the audit, as that of each command.
    assert changed <= {"0 _shardwright_audit"}, f"the frozen run has written into {changed}"
    ends = [row for row in after["0 _shardwright_audit"] if row not in before["0 _shardwright_audit"]]
    assert len(ends) == 1 and "run: refused" in ends[0] and any("SW8201" in str(value) for value in ends[0])


def _stop(process: Popen[bytes]) -> None:
    for pid in session_members(process.pid):
        os.kill(pid, signal.SIGSTOP)


def _wake(process: Popen[bytes]) -> None:
    for pid in session_members(process.pid):
        os.kill(pid, signal.SIGCONT)
