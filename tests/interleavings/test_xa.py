"""An application that uses XA transactions beside a plain one, and a run that is killed between prepare and commit
(hazard E21)."""

from __future__ import annotations

from functools import partial

import pytest

from tests.servers.xa import commit, prepare, roll_back
from tests.support.job import kill_tree
from tests.support.lab import Lab, move, new_family
from tests.support.ledger_state import require_sound

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]


def _run(lab: Lab, *statements: str) -> None:
    with lab.arena.source.connect("lab") as connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def test_e21_prepared_before_and_committed_after_a_start(lab: Lab) -> None:
    run = partial(_run, lab)
    lab.fill({id_: id_ % 4 for id_ in range(100, 120)})
    prepare(run, "'before the copy'", *new_family(200, 1), *move(101, 2))
    run("FLUSH BINARY LOGS")
    process = lab.start(gated=False)
    try:
        lab.until(process, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        commit(run, "'before the copy'")
        lab.write(*new_family(201, 3))
        for id_ in range(210, 220):
            prepare(run, f"'{id_}'", *new_family(id_, id_ % 4), *move(id_ - 105, id_ % 3))
            commit(run, f"'{id_}'")
        prepare(run, "'before the death'", *new_family(202, 2), *move(102, 3))
        prepare(run, "'taken back'", *new_family(203, 0), "DELETE FROM child WHERE id = 103")
        lab.write(*new_family(204, 0))
        lab.drain(process)
        assert [lab.places(id_) for id_ in (200, 101, 202, 203)] == [[1], [2], [], []]
    finally:
        kill_tree(process)
    require_sound(lab.arena, lab.ledger_state())
    run("FLUSH BINARY LOGS")
    commit(run, "'before the death'")
    roll_back(run, "'taken back'")
    lab.write(*move(104, 1))
    lab.finish()
    lab.require_equal()
    assert [lab.places(id_) for id_ in (202, 102, 203)] == [[2], [3], []]
