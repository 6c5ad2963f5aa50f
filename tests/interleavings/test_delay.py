"""Policy `delay`: deletes are remembered from the first chunk's read until the delay after the last one's commit
(C4).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.lab import Lab, new_family, remove

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]


def test_a10_b2_deletes_are_remembered_for_the_delay_and_no_longer(arena: Arena, tmp_path: Path) -> None:
    lab = Lab(arena, tmp_path, flat=True)
    spec = lab.job.project / "specs" / "lab.yaml"
    text = spec.read_text(encoding="utf-8")
    delayed = text.replace("deletes: until_snapshot", "deletes: {policy: delay, delay: 1h}")
    assert delayed != text
    spec.write_text(delayed, encoding="utf-8")
    lab.job.call("compile")
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 2})
    lab.gates.hold("after-chunk-read")
    with lab.run() as run:
        lab.reach(run, "after-chunk-read")
        lab.write(*remove(1))
        lab.until(run, "the delete is remembered", lambda: lab.ledger_state().tombstones > 0)
        lab.gates.open_all()
        lab.until(run, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.drain(run)
        assert not lab.places(1), "a chunk brought the deleted row back"
        before = lab.ledger_state().tombstones
        lab.write(*remove(2), *remove(3))
        lab.drain(run)
        assert lab.ledger_state().tombstones > before, "the copy is over, the delay is not"
        lab.write(*new_family(2, 1))  # comes back: no later look at remembered deletes may take it out
        lab.drain(run)
    # A row that came late although it was deleted before, and then the hour is over.
    lab.at(0, "INSERT INTO parent_1 (id, place, name, note) VALUES (3, 2, 'n3', 'late')")
    lab.at(0, "UPDATE _shardwright_migration SET snapshot_done_at = snapshot_done_at - 3600")
    lab.finish()
    assert lab.ledger_state().tombstones == 0
    lab.require_equal()
