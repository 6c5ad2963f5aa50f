"""Indexes that are built after the copy: the run dies before and after a table's build, the stream goes on beside it,
and in the end the tables are those of a spec without the option.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from shardwright.compiler.plan.files import read_plan
from shardwright.compiler.plan.plan import Plan, StepName, with_suffix
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.lab import PROJECT, SHARDS, SUFFIXES, Lab, move, new_family, remove
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

BUILDING_AND_DIED = ("before-indexes-built", "after-indexes-built")
DIED_AT = frozenset(BUILDING_AND_DIED)

_LATER = {"parent": ("by_place", "by_note"), "child": ("by_note",)}
_ALL = len(SHARDS) * len(SUFFIXES) * len(_LATER)
_CHANGE = "ALTER TABLE child DROP INDEX by_note;\n"


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> Lab:
    made = Lab(arena, tmp_path, example=_example(tmp_path / "example"))
    made.create_source()
    made.fill({1: 0, 2: 1, 3: 2, 4: 3})
    return made


def _example(folder: Path) -> Path:
    """The lab's project with secondary indexes, which are deferred."""
    shutil.copytree(PROJECT, folder)
    schema, spec = folder / "schema" / "lab.sql", folder / "specs" / "lab.yaml"
    text = schema.read_text("utf-8")
    for after, added in (
        ("  UNIQUE KEY `name` (`name`)", ",\n  KEY `by_place` (`place`,`note`(10)),\n  KEY `by_note` (`note`)"),
        ("  PRIMARY KEY (`id`,`line`)", ",\n  KEY `by_note` (`note`,`place`)"),
    ):
        assert text.count(after) == 1
        text = text.replace(after, after + added)
    schema.write_text(text, "utf-8")
    text = spec.read_text("utf-8")
    assert text.count("\ntables:\n") == 1
    spec.write_text(text.replace("\ntables:\n", "\ndefaults: {defer_indexes: true}\n\ntables:\n"), "utf-8")
    return folder


@pytest.mark.long
def test_indexes_are_built_after_the_copy_beside_the_stream(lab: Lab) -> None:
    plan = read_plan(lab.job.project / "build" / "lab")
    assert plan.deferred_indexes == _LATER
    whole = _whole_tables(lab, plan)

    lab.job.call("run", "--env", ENVIRONMENT, "--until", "snapshot")
    assert f"{_ALL} tables lack their indexes" in lab.job.end_of_log(), lab.job.end_of_log()
    assert _count_built(lab) == 0
    assert "child: 4 of 4 tables lack by_note" in lab.job.call("status", "--env", ENVIRONMENT)
    _refuses_to_drop_what_is_not_there(lab)

    lab.write(*new_family(11, 1), *move(2, 2))
    _dies(lab, "before-indexes-built")
    assert _count_built(lab) == 0
    lab.write(*remove(3))
    _dies(lab, "after-indexes-built")
    # One table on each of the servers at a time; the table that is built is not in the record yet.
    assert 1 <= _count_built(lab) <= len(lab.arena.targets)
    assert "child: 4 of 4 tables lack by_note" in lab.job.call("status", "--env", ENVIRONMENT)

    _streams_while_indexes_wait(lab)
    lab.require_equal()
    assert _tables(lab) == whole
    assert "lack" not in lab.job.call("status", "--env", ENVIRONMENT)

    _drops_what_is_there(lab)
    lab.write(*new_family(31, 3))
    lab.finish()
    assert _count_built(lab) == _ALL // 2, "what was dropped since is not built again"
    lab.require_equal()


def _streams_while_indexes_wait(lab: Lab) -> None:
    """A run that stands before the next table's build applies what is written meanwhile, and is not caught up."""
    lab.gates.hold("before-indexes-built")
    before = lab.job.log.stat().st_size
    with lab.run(until="caught-up") as process:
        lab.reach(process, "before-indexes-built")
        lab.write_all([new_family(21, 1), move(1, 3), remove(4), new_family(22, 2)])
        lab.drain(process)
        assert [lab.places(21), lab.places(1), lab.places(4), lab.places(22)] == [[1], [3], [], [2]]
        reported = lab.job.log.read_bytes()[before:].decode()
        assert process.poll() is None and "caught up with the source" not in reported, reported
        lab.gates.open("before-indexes-built")
        lab.wait_for_end(process, code=0, saying="caught up with the source")
    reported = lab.job.log.read_bytes()[before:].decode()
    assert "indexes of child: 4 of 4 tables" in reported and "indexes of parent: 4 of 4 tables" in reported, reported


def _refuses_to_drop_what_is_not_there(lab: Lab) -> None:
    _with_change(lab)
    lab.job.call("ddl", "apply", "--env", ENVIRONMENT, "--allow", "SW8420", expect=6)
    assert "SW8413: lab_0.child_0 still lacks by_note" in lab.job.end_of_log(), lab.job.end_of_log()
    _change_file(lab).unlink()
    lab.job.call("compile")


def _drops_what_is_there(lab: Lab) -> None:
    _with_change(lab)
    lab.job.call("ddl", "apply", "--env", ENVIRONMENT, "--allow", "SW8420")


def _with_change(lab: Lab) -> None:
    _change_file(lab).write_text(_CHANGE, "utf-8")
    lab.job.call("compile")


def _change_file(lab: Lab) -> Path:
    return lab.job.project / "ddl" / "0001_drop_by_note.sql"


def _dies(lab: Lab, name: str) -> None:
    process = lab.start(until="caught-up", gated=False, failpoints=f"{name}=kill")
    code = process.wait(timeout=PATIENCE)
    kill_tree(process)
    assert code == -9, f"{name}: {code}\n{lab.job.end_of_log()}"


def _physical() -> Iterator[tuple[int, str, str]]:
    """Place, logical table and suffix of every physical table."""
    for place in range(len(SHARDS) * len(SUFFIXES)):
        for logical in _LATER:
            yield place, logical, SUFFIXES[place // len(SHARDS)]


def _count_built(lab: Lab) -> int:
    """How many physical tables have all of their indexes; none has only some."""
    found = []
    for place, logical, suffix in _physical():
        names = {row[2] for row in lab.at(place, f"SHOW INDEX FROM {logical}{suffix}")}
        found.append(sum(name in names for name in _LATER[logical]) / len(_LATER[logical]))
    assert set(found) <= {0.0, 1.0}, found
    return found.count(1.0)


def _tables(lab: Lab) -> list[str]:
    """SHOW CREATE TABLE of every physical table."""
    return [str(lab.at(place, f"SHOW CREATE TABLE {logical}{suffix}")[0][1]) for place, logical, suffix in _physical()]


def _whole_tables(lab: Lab, plan: Plan) -> list[str]:
    """The same of the tables that a spec without the option makes; they are gone again afterwards."""
    for place, logical, suffix in _physical():
        create = plan.step(logical, StepName.CREATE_TABLE).statement("create")
        lab.at(place, with_suffix(create, suffix))
    found = _tables(lab)
    for place, logical, suffix in _physical():
        lab.at(place, f"DROP TABLE {logical}{suffix}")
    return found
