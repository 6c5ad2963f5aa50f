"""Rows that stand in the target tables when a migration begins: refused, kept or replaced, each run dying on the
way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.lab import Lab
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

REMOVING_AND_DIED = ("before-rows-removed", "after-rows-removed")
DIED_AT = frozenset(REMOVING_AND_DIED)
_OLD = 900
"""Before the migration begins, a parent of this number stands on every place, and a child whose number is greater by
the place's."""


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> Lab:
    made = Lab(arena, tmp_path)
    made.create_source()
    made.fill({1: 0, 2: 1, 3: 2, 4: 3})
    return made


def test_rows_of_targets_are_refused_kept_and_replaced(lab: Lab) -> None:
    _put_rows(lab)
    before = _contents(lab)
    _run(lab, code=6, saying="SW8130: lab_0.child_0 holds rows already")
    _policies(lab, parent="replace")
    _run(lab, code=6, saying="SW8130: lab_0.child_0 holds rows already")
    assert _contents(lab) == before, "nothing is removed while another table's rows are in the way"

    _policies(lab, parent="replace", child="keep")
    _set_protected(lab, True)
    _run(lab, code=6, saying="SW8147: lab_0.parent_0 holds rows that would be removed")
    assert _contents(lab) == before
    reported = lab.job.call("preflight", "--env", ENVIRONMENT, expect=6)
    assert "SW8147" in reported and "lab_1.parent_1" in reported

    _dies(lab, "before-rows-removed", "--allow", "SW8147")
    assert _contents(lab) == before
    _set_protected(lab, False)
    reported = lab.job.call("preflight", "--env", ENVIRONMENT)
    assert "rows of lab_0.parent_0, parent_1 will be removed" in reported and "child_0, child_1 are kept" in reported
    _dies(lab, "after-rows-removed")
    assert [lab.places(_OLD), lab.places(1)] == [[1, 2, 3], []], "one physical table is empty, the others wait"
    lab.at(0, f"INSERT INTO parent_0 VALUES ({_OLD + 1}, 0, 'came later', '')")
    assert lab.ledger_state().position is None, "the migration has not begun"

    _run(lab, code=0, saying="parent in lab_0: 2 rows of parent_0, parent_1 removed")
    assert "2 rows of parent_0, parent_1 are being removed, which cannot be undone" in lab.job.log.read_text("utf-8")
    assert [lab.places(_OLD), lab.places(_OLD + 1), lab.places(1)] == [[], [], [0]]
    assert [lab.lines(_OLD + place, place) for place in range(4)] == [1, 1, 1, 1], "children are kept"
    assert lab.at(0, "SELECT note FROM child_0 WHERE id = 1 AND line = 1") == [("stood here",)], (
        "so is one of a source row"
    )
    _stream_and_verify(lab)
    lines = lab.at(0, "SELECT detail FROM _shardwright_audit WHERE what = 'existing rows replaced' ORDER BY id")
    assert [line for (line,) in lines] == [
        "parent in lab_0: 2 rows of parent_0, parent_1 removed",  # three runs began to, two of them died
        "parent in lab_0: 2 rows of parent_0, parent_1 removed",
        "parent in lab_0: 2 rows of parent_0, parent_1 removed",
        "parent in lab_1: 2 rows of parent_0, parent_1 removed",
    ]


def _stream_and_verify(lab: Lab) -> None:
    """Later changes reach a kept row as any other; what only the target has is named."""
    reported = lab.job.call("verify", "--env", ENVIRONMENT, expect=1)
    assert "different  1, 1 (lab_0.child_0)" in reported, reported
    for place in range(4):
        assert f"{_OLD + place}, 1 (lab_{place % 2}.child_{place // 2})" in reported, reported
    assert "child: 5 mismatches" in reported, reported
    lab.write("UPDATE child SET note = 'from the stream' WHERE id = 1")
    for place in range(4):
        lab.at(place, f"DELETE FROM child_{place // 2} WHERE id >= {_OLD}")
    _run(lab, code=0)
    lab.require_equal()


def _put_rows(lab: Lab) -> None:
    """The tables that a run makes, with somebody's rows in them. One of them has the key of a row at the source."""
    plan = lab.job.project / "build" / "lab"
    for place in range(4):
        for table in ("parent", "child"):
            create = (plan / table / "01-create-table.mysql.sql").read_text("utf-8")
            lab.at(place, create.partition("\n\n")[2].replace("${suffix}", f"_{place // 2}"))
        lab.at(place, f"INSERT INTO parent_{place // 2} VALUES ({_OLD}, {place}, 'old', '')")
        lab.at(place, f"INSERT INTO child_{place // 2} VALUES ({_OLD + place}, 1, {place}, '')")
    lab.at(0, "INSERT INTO child_0 VALUES (1, 1, 0, 'stood here')")


def _policies(lab: Lab, **policies: str) -> None:
    _change(
        lab.job.project / "specs" / "lab.yaml",
        lambda spec: [table.update(existing_rows=policies.get(table["table"], "refuse")) for table in spec["tables"]],
    )
    lab.job.call("compile")


def _set_protected(lab: Lab, protected: bool) -> None:
    _change(lab.job.project / "environments" / f"{ENVIRONMENT}.yaml", lambda found: found.update(protected=protected))


def _change(file: Path, change: Any) -> None:
    content = yaml.safe_load(file.read_text(encoding="utf-8"))
    change(content)
    file.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")


def _run(lab: Lab, *, code: int, saying: str = "") -> None:
    lab.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", "--yes", expect=code)
    assert saying in lab.job.end_of_log(), lab.job.end_of_log()


def _dies(lab: Lab, name: str, *arguments: str) -> None:
    process = lab.start(gated=False, failpoints=f"{name}=kill", arguments=(*arguments, "--yes"))
    code = process.wait(timeout=PATIENCE)
    kill_tree(process)
    assert code == -9, f"{name}: {code}\n{lab.job.end_of_log()}"


def _contents(lab: Lab) -> list[list[tuple[Any, ...]]]:
    return [
        lab.at(place, f"SELECT * FROM {table}_{place // 2} ORDER BY id")
        for place in range(4)
        for table in ("parent", "child")
    ]
