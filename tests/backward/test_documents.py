"""MySQL's JSON comes back: documents that applications make on the shards, values of other types within them too
(hazard C15). MySQL only.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.way_back_lab import BackLab

pytestmark = [pytest.mark.server, pytest.mark.spark]


def test_c15_documents_come_back_and_are_compared(arena: Arena, tmp_path: Path) -> None:
    if arena.source.sandbox.kind != "mysql":
        pytest.skip("MySQL only: its binary JSON")
    lab = BackLab(arena, tmp_path)
    for file, old, new in (
        ("specs/lab.yaml", "dialect: mariadb", "dialect: mysql"),
        ("schema/lab.sql", "  `note`", "  `doc` json DEFAULT NULL,\n  `note`"),
    ):
        path = lab.job.project / file
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    lab.job.call("compile")
    lab.arena.source.run_script(lab.job.project / "schema" / "lab.sql", database="lab")
    lab.write("INSERT INTO parent (id, place, name) VALUES (1, 0, 'n1'), (2, 1, 'n2'), (3, 2, 'n3')")
    lab.write(
        "UPDATE parent SET doc = JSON_OBJECT('price', CAST(1.10 AS DECIMAL(5,2)), 'day', CAST('2024-05-06' AS DATE))"
    )
    lab.finish()
    lab.turn()
    with lab.run() as run:
        lab.on(
            0,
            "UPDATE parent_0 SET doc = JSON_SET(doc, '$.price', CAST(2.50 AS DECIMAL(5,2)), '$.x', x'00') WHERE id = 1",
        )
        lab.on(1, "INSERT INTO parent_0 (id, place, name, doc) VALUES (4, 1, 'n4', '{\"b\": [1e20], \"a\": null}')")
        lab.drain(run)
        assert lab.source("SELECT id, doc->>'$.price', doc->>'$.x', doc->>'$.b' FROM parent ORDER BY id") == [
            (1, "2.5", "base64:type15:AA==", None),
            (2, "1.10", None, None),
            (3, "1.10", None, None),
            (4, None, None, "[1e20]"),
        ]
        assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)
