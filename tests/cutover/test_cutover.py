"""An application is cut over to the shards while it writes, and back, and is finished."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena

pytestmark = [pytest.mark.server, pytest.mark.spark]


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> CutoverLab:
    made = CutoverLab(arena, tmp_path, fence={"source": "triggers", "shards": "read_only"})
    made.begin()
    return made


def test_h8_h9_there_and_back_and_there_for_good(lab: CutoverLab) -> None:
    with lab.live() as run:
        rehearsed = lab.cutover("--rehearse")
        assert "rehearsed: writers would have waited" in rehearsed
        assert lab.status()["writes_to"] == "source"
        done = lab.cutover()
        assert "writes go to the shards (generation 1)" in done
        before = lab.application.written
        lab.until(run, "the application writes to the shards", lambda: lab.application.written > before + 20)
        assert lab.status()["state"] == "reversing"
        lab.drain(run)
        lab.cutover("rollback")
        before = lab.application.written
        lab.until(run, "the application writes to the source", lambda: lab.application.written > before + 20)
        lab.drain_forward(run)
        lab.cutover()
        before = lab.application.written
        lab.until(run, "the application writes to the shards", lambda: lab.application.written > before + 20)
        lab.application.stop()
        lab.drain(run)
        lab.equal()
    lab.cutover("finish")
