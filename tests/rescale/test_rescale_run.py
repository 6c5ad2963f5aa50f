"""Shards become the source of the next migration: copied, followed, cut over under writes, and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rescale.lab import Rescaled
from tests.servers.testbed import Arena

pytestmark = [pytest.mark.server, pytest.mark.spark]


def test_four_tables_on_two_servers_become_sixteen_and_go_back(arena: Arena, tmp_path: Path) -> None:
    lab = Rescaled(arena, tmp_path, arena.targets)
    lab.fill(2_000)
    said = lab.rescale()
    assert "exact, by remainders" in said
    application = lab.application()
    with lab.running(), application:
        lab.until_copied()
        lab.call("verify")
        lab.call("cutover")
        lab.writes_on(application, "shards")
        for database in lab.new.databases:
            lab.new.query(database, "UPDATE country SET name = 'east' WHERE code = 1")
        lab.call("cutover", "rollback")
        lab.writes_on(application, "source")
        application.stop()
        lab.equal(application)
        assert (1, "east") in lab.old.rows()["country"]
