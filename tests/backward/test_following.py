"""After a cutover the source follows the shards: what an application writes there comes back to the source's tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backward.lab import BackLab
from tests.servers.testbed import Arena

pytestmark = [pytest.mark.server, pytest.mark.spark]


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> BackLab:
    made = BackLab(arena, tmp_path)
    made.create_source()
    made.fill({1: 0, 2: 1, 3: 2, 4: 3})
    made.finish()
    made.turn()
    return made


def test_rows_of_the_shards_come_back(lab: BackLab) -> None:
    with lab.running(gated=False) as run:
        lab.insert(5, 3, lines=2, note="born on the shards")
        lab.on(0, "UPDATE parent_0 SET note = 'changed' WHERE id = 1", "DELETE FROM child_0 WHERE id = 1 AND line = 2")
        lab.on(2, "DELETE FROM child_1 WHERE id = 3", "DELETE FROM parent_1 WHERE id = 3")
        lab.drain(run)
        lab.require_equal()
        assert lab.source("SELECT id, note FROM parent ORDER BY id") == [
            (1, "changed"), (2, ""), (4, ""), (5, "born on the shards")
        ]  # fmt: skip
