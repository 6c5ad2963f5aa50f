"""Generated columns on the way back: the source's server computes its own. A unique key over one of them holds while
rows exchange its values, and a row filter over a stored one says what is compared (hazards C6, C27).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.way_back_lab import BackLab

pytestmark = [pytest.mark.server, pytest.mark.spark]

COLUMNS = """`low` varchar(40) GENERATED ALWAYS AS (lower(`name`)) VIRTUAL,
  `size` int GENERATED ALWAYS AS (char_length(`name`)) STORED,
  UNIQUE KEY `by_low` (`low`),
  UNIQUE KEY `name`"""
ROWS = "SELECT id, place, name, low, size FROM parent ORDER BY id"


@pytest.mark.long
def test_c6_c27_the_source_computes_its_generated_columns(arena: Arena, tmp_path: Path) -> None:
    size = "char_length(name)" if arena.source.lacks_generated_columns_in_the_log() else "size"
    lab = BackLab(arena, tmp_path)
    for file, old, new in (
        ("specs/lab.yaml", "dialect: mariadb", f"dialect: {arena.source.sandbox.kind}"),
        ("specs/lab.yaml", "    weight: 10\n", f"    weight: 10\n    where: {size} > 2\n"),
        ("schema/lab.sql", "UNIQUE KEY `name`", COLUMNS),
    ):
        path = lab.job.project / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")
    lab.job.call("compile")
    lab.arena.source.run_script(lab.job.project / "schema" / "lab.sql", database="lab")
    lab.write(
        "INSERT INTO parent (id, place, name) VALUES (1, 0, 'Anna'), (2, 0, 'Bert'), (3, 2, 'Cleo'), (4, 3, 'no')",
        "INSERT INTO parent (id, place, name) VALUES (5, 1, 'Emil'), (6, 1, 'ab')",
        "UPDATE parent SET name = 'Fritz' WHERE id = 6",
        "UPDATE parent SET name = 'E' WHERE id = 5",
    )
    lab.finish()
    assert lab.at(0, "SELECT id, low, size FROM parent_0 ORDER BY id") == [(1, "anna", 4), (2, "bert", 4)]
    assert lab.at(1, "SELECT id, low, size FROM parent_0") == [(6, "fritz", 5)], "one row began to match, one ceased"
    lab.turn()
    with lab.run() as run:
        lab.on(
            0,
            "UPDATE parent_0 SET name = '~' WHERE id = 1",
            "UPDATE parent_0 SET name = 'ANNA' WHERE id = 2",
            "UPDATE parent_0 SET name = 'BERT' WHERE id = 1",
            "INSERT INTO parent_0 (id, place, name) VALUES (7, 0, 'Gerda')",
        )
        lab.on(2, "UPDATE parent_1 SET name = 'x' WHERE id = 3")
        lab.on(1, "DELETE FROM parent_0 WHERE id = 6")
        lab.drain(run)
        assert lab.source(ROWS) == [
            (1, 0, "BERT", "bert", 4),
            (2, 0, "ANNA", "anna", 4),
            (3, 2, "x", "x", 1),
            (4, 3, "no", "no", 2),
            (5, 1, "E", "e", 1),
            (7, 0, "Gerda", "gerda", 5),
        ]
        assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)
