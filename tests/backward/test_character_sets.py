"""A table of the shards is converted to another character set while its migration runs: the stream goes on, `verify`
finds both sides equal, and on the way back the shards' logs are read in the new character set (hazards C5, E18).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.way_back_lab import BackLab

pytestmark = [pytest.mark.server, pytest.mark.spark]

NOTE = "`note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',\n  PRIMARY KEY (`id`),"
LATIN = (
    "`note` varchar(100) CHARACTER SET latin1 COLLATE latin1_swedish_ci NOT NULL DEFAULT '',\n"
    "  `words` text CHARACTER SET latin1 COLLATE latin1_swedish_ci,\n  PRIMARY KEY (`id`),"
)
ROWS = "SELECT id, note, words FROM parent ORDER BY id"


@pytest.mark.long
def test_c5_e18_a_table_is_converted_while_its_migration_runs(arena: Arena, tmp_path: Path) -> None:
    lab = BackLab(arena, tmp_path)
    for file, old, new in (
        ("specs/lab.yaml", "dialect: mariadb", f"dialect: {arena.source.sandbox.kind}"),
        ("schema/lab.sql", NOTE, LATIN),
    ):
        path = lab.job.project / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")
    lab.job.call("compile")
    lab.arena.source.run_script(lab.job.project / "schema" / "lab.sql", database="lab")
    lab.write(
        "INSERT INTO parent VALUES (1, 0, 'A', 'café', 'Ã©'), (2, 1, 'b', 'x', NULL), (3, 2, 'ü', 'ß', 'n€')",
        "INSERT INTO child (id, line, place, note) VALUES (1, 1, 0, 'é')",
    )
    lab.finish()
    files = lab.job.project / "ddl"
    files.mkdir(exist_ok=True)
    convert = "ALTER TABLE parent CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;\n"
    (files / "0001_utf8.sql").write_text(f"{convert}ALTER TABLE child COLLATE utf8mb4_bin;\n", "utf-8")
    lab.job.call("compile")
    lab.job.call("ddl", "apply", "--env", ENVIRONMENT, "--allow", "SW8421")
    lab.job.call("ddl", "status", "--env", ENVIRONMENT)
    lab.write(
        "UPDATE parent SET note = 'né', words = 'Ã¤' WHERE id = 1",
        "INSERT INTO parent VALUES (4, 3, 'a', 'Ü', REPEAT('ö', 60000))",
        "UPDATE parent SET name = 'c' WHERE id = 4",
        "DELETE FROM parent WHERE id = 2",
    )
    lab.finish()
    assert lab.at(0, "SELECT note, words FROM parent_0") == [("né", "Ã¤")]
    assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)
    lab.turn()
    with lab.run() as run:
        lab.on(0, "UPDATE parent_0 SET note = 'œuvre', words = 'Ã¶' WHERE id = 1")
        lab.on(3, "INSERT INTO parent_1 VALUES (7, 3, 'g', 'Å', 'ñ')", "UPDATE parent_1 SET words = 'Ã¶' WHERE id = 4")
        lab.drain(run)
        assert lab.source(ROWS) == [(1, "œuvre", "Ã¶"), (3, "ß", "n€"), (4, "Ü", "Ã¶"), (7, "Å", "ñ")]
        assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)
