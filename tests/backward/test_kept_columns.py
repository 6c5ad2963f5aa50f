"""A row that moves between shards keeps what only the source has, also when the log with its delete is read first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backward.lab import BackLab
from tests.servers.testbed import Arena

pytestmark = [pytest.mark.server, pytest.mark.spark]

FEW = {"batch": {"max_rows": 12}}
"""So that the long log is left behind when the short one has been read."""


@pytest.mark.long
def test_a_log_that_is_late_loses_no_column(arena: Arena, tmp_path: Path) -> None:
    lab = BackLab(arena, tmp_path, settings=FEW)
    spec = lab.job.project / "specs" / "lab.yaml"
    text = spec.read_text("utf-8").replace("    weight: 10\n", "    weight: 10\n    columns: {exclude: [note]}\n")
    spec.write_text(text, "utf-8")
    lab.job.call("compile")
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 0})
    lab.write("UPDATE parent SET note = 'only here'")
    lab.finish()
    lab.turn()
    with lab.running() as run:
        lab.drain(run)
        lab.gates.hold("before-open-batch")
        for number in range(60):
            lab.on(1, f"UPDATE parent_0 SET name = 'late {number}' WHERE id = 2")
        lab.on(1, "INSERT INTO parent_0 (id, place, name) VALUES (1, 1, 'moved')")
        lab.on(0, "DELETE FROM parent_0 WHERE id = 1", "DELETE FROM parent_0 WHERE id = 3")
        lab.gates.open("before-open-batch")
        lab.drain(run)
    assert lab.source("SELECT id, place, name, note FROM parent ORDER BY id") == [
        (1, 1, "moved", "only here"), (2, 1, "late 59", "only here")
    ]  # fmt: skip
