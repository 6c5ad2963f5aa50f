"""A row that moves between shards keeps what only the source has, also when the log with its delete is read first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.way_back_lab import BackLab

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
    with lab.run() as run:
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


@pytest.mark.long
def test_case_h1_a_key_over_a_column_that_does_not_come_back(arena: Arena, tmp_path: Path) -> None:
    """No statement of the plan knows the key's values, so the row that the server refuses is found by trial."""
    lab = BackLab(arena, tmp_path, settings=FEW)
    spec, schema = lab.job.project / "specs" / "lab.yaml", lab.job.project / "schema" / "lab.sql"
    text = spec.read_text("utf-8").replace("    weight: 10\n", "    weight: 10\n    columns: {exclude: [note]}\n")
    spec.write_text(text, "utf-8")
    text = schema.read_text("utf-8").replace("UNIQUE KEY `name` (`name`)", "UNIQUE KEY `name` (`name`,`note`)")
    schema.write_text(text, "utf-8")
    lab.job.call("compile")
    lab.arena.source.run_script(schema, database="lab")
    lab.fill({1: 0, 2: 1, 3: 1, 100: 0})
    lab.finish()
    lab.turn()
    with lab.run() as run:
        lab.drain(run)
        lab.gates.hold("before-open-batch")
        for number in range(2 * FEW["batch"]["max_rows"]):
            lab.on(0, f"UPDATE parent_0 SET name = 'busy {number}' WHERE id = 100")
        lab.on(0, "UPDATE parent_0 SET name = 'given away' WHERE id = 1")
        lab.on(1, "UPDATE parent_0 SET name = 'n1' WHERE id = 2", "UPDATE parent_0 SET name = 'other' WHERE id = 3")
        lab.gates.open("before-open-batch")
        lab.drain(run)
        wanted = [(1, "given away"), (2, "n1"), (3, "other")]
        lab.until(
            run, "all are back", lambda: lab.source("SELECT id, name FROM parent WHERE id < 9 ORDER BY id") == wanted
        )
        assert "to be read again: parent (2)" in lab.job.end_of_log(200)
