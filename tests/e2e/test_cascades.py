"""A foreign key whose rows the source's server changes by itself is named where the child table differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import Case

pytestmark = [pytest.mark.server, pytest.mark.spark]

_TABLES = "tables:\n  - {table: parent, sharding: by_id}\n  - {table: child, sharding: by_id}"


def test_e22_rows_that_a_cascade_deletes_are_extra_and_the_key_is_named(arena: Arena, tmp_path: Path) -> None:
    if arena.source.sandbox.kind != "mariadb":
        pytest.skip("MySQL logs what a foreign key changes since 9.6")
    case = Case(
        arena,
        tmp_path,
        _TABLES,
        setup=[
            "CREATE TABLE parent (id INT PRIMARY KEY)",
            "CREATE TABLE child (id INT PRIMARY KEY, parent_id INT, "
            "CONSTRAINT of_parent FOREIGN KEY (parent_id) REFERENCES parent (id) ON DELETE CASCADE)",
            "INSERT INTO parent VALUES (1), (2)",
            "INSERT INTO child VALUES (1, 1), (2, 1), (3, 2)",
        ],
    )
    case.plan()
    case.run()
    case.write("DELETE FROM parent WHERE id = 1")
    case.run()
    reports = [f"{form}={tmp_path / form}" for form in ("json", "html")]
    said = case.verify(*(word for report in reports for word in ("--report", report)), code=1).out
    words = "'of_parent' of child to parent (ON DELETE CASCADE)"
    assert f"child: a possible cause: the source's log lacks what a foreign key changes: {words} (SW4306)" in said
    tables = {table["table"]: table for table in json.loads((tmp_path / "json").read_text("utf-8"))["tables"]}
    assert tables["child"]["cascades"] == [words] and tables["parent"]["cascades"] == []
    assert {one["kind"] for one in tables["child"]["mismatches"]} == {"extra"}
    assert "of child to parent (ON DELETE CASCADE)" in (tmp_path / "html").read_text("utf-8")
