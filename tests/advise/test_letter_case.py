"""Two tables whose names differ by case only, on a server that tells them apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.commands import shardwright

pytestmark = [pytest.mark.server]


def test_each_has_its_own_rows_and_writes_in_the_log(arena: Arena, tmp_path: Path) -> None:
    if arena.source.query("SELECT @@lower_case_table_names")[0][0] != 0:
        pytest.skip("this server tells names of tables apart by more than case")
    arena.prepare(tmp_path, source_databases=("cases",), target_databases=("cases_0", "cases_1"))
    for statement in (
        "CREATE TABLE users (id INT NOT NULL PRIMARY KEY)",
        "CREATE TABLE Users (id INT NOT NULL PRIMARY KEY, user_id INT NOT NULL, "
        "CONSTRAINT of_user FOREIGN KEY (user_id) REFERENCES users (id))",
        "INSERT INTO users VALUES (1), (2)",
        "INSERT INTO Users VALUES (1, 1), (2, 2), (3, 2)",
    ):
        arena.source.query(statement, database="cases")
    words = ("advise", "--env", "test", "--database", "cases", "--log", "50", "--write-spec", "specs/cases.yaml")
    answer = shardwright(tmp_path, *words, "--format", "json").require(0)
    advised = json.loads(answer.out)
    assert advised["binary_log"]["inserted"] == {"users": 2, "Users": 3}
    [design] = [one for one in advised["designs"] if one["key"] == "users.id"]
    rows = {one["table"]: one["rows"] for one in design["placements"]}
    assert rows == {"users": 2, "Users": 3}
    assert shardwright(tmp_path, "compile").code == 0
