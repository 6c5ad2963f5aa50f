"""`report` over a real migration: the page says what the ledgers say, holds no row of a user, and is checked without a
server.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.lab import Lab

pytestmark = [pytest.mark.server, pytest.mark.spark]
SECRET = "only-in-a-row-4711"


def test_a_report_of_a_migration_is_whole_and_holds_no_row(arena: Arena, tmp_path: Path) -> None:
    arena.prepare(tmp_path, source_databases=("lab",), target_databases=("lab_0", "lab_1"))
    lab = Lab(arena, tmp_path)
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3}, lines=2)
    lab.write(f"UPDATE parent SET name = '{SECRET}' WHERE id = 3")
    lab.job.run_until_caught_up()
    lab.write("DELETE FROM child WHERE id = 1")
    lab.job.run_until_caught_up()

    out = tmp_path / "report"
    said = lab.job.call("report", "--env", ENVIRONMENT, "--out", str(out), "--compare")
    head = said.partition("last digest ")[2].split()[0]
    assert lab.job.call("report", "check", str(out), "--head", head).startswith(f"{out}: ")

    summary = json.loads((out / "report.json").read_text(encoding="utf-8"))
    sections = {section["title"]: section["rows"] for section in summary["sections"]}
    assert (summary["verdict"], summary["head"]) == ("equal", head)
    copied = {row[0]: row[3:] for row in sections["Copy"]}
    assert copied == {"parent": [4, 4], "child": [8, 8]}
    compared = {row[0]: row for row in sections["Ranges compared for this report"]}
    assert compared["parent"][3:5] == [4, 4] and compared["child"][3:5] == [6, 6]
    assert all(row[5] == row[6] != "0" * 16 for row in compared.values())
    assert [row[2] for row in sections["Who did what"]].count("run: begun") == 2
    paths = [row[0] for row in sections["Files"]]
    assert {"specs/lab.yaml", "schema/lab.sql", "shardwright.lock"} <= set(paths) and any(
        "build/" in path for path in paths
    )
    texts = [path.read_text(encoding="utf-8") for path in out.rglob("*") if path.is_file()]
    assert not any(SECRET in text for text in texts)

    lab.job.call("report", "--env", ENVIRONMENT, "--out", str(out), expect=1)
    assert "SW8560" in lab.job.end_of_log()
    with arena.placement["lab_0"].connect("lab_0") as connection, connection.cursor() as cursor:
        cursor.execute("SELECT detail FROM _shardwright_audit WHERE what = 'report written'")
        assert cursor.fetchall() == ((f"last digest {head}",),)

    chain = out / "evidence.jsonl"
    chain.write_text(chain.read_text(encoding="utf-8").replace('"rows_read":4', '"rows_read":5', 1), encoding="utf-8")
    lab.job.call("report", "check", str(out), expect=1)
    assert "evidence.jsonl:" in lab.job.end_of_log() and "was changed" in lab.job.end_of_log()
