"""A plan takes the place of another whole: what stands already is not written again, what is not the plan's goes."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shardwright.compiler.plan import files
from shardwright.compiler.plan.files import current_files, plan_files, read_plan, write_plan
from shardwright.compiler.plan.plan import Plan, Step
from shardwright.compiler.plan.refusals import PlanRefused
from tests.compiler.projects import GOLDEN, compile_folder


@pytest.fixture
def plan() -> Plan:
    return compile_folder(GOLDEN / "whole").plan


@pytest.fixture
def folder(tmp_path: Path, plan: Plan) -> Path:
    assert write_plan(plan, tmp_path / "build" / "plan")
    return tmp_path / "build" / "plan"


def test_a_table_that_changed_is_written_and_no_other(folder: Path, plan: Plan) -> None:
    changed = replace(plan, steps=tuple(_another(step) if step.table == "job" else step for step in plan.steps))
    before = _inodes(folder)
    assert write_plan(changed, folder)
    after = _inodes(folder)

    assert current_files(folder) == plan_files(changed)
    assert {path for path in after if after[path] == before[path]} == {
        path for path in after if path.startswith(("region/", "ddl/", "backward/"))
    }


def test_what_becomes_of_existing_rows_is_read_back_and_no_part_of_the_fingerprint(folder: Path, plan: Plan) -> None:
    assert "existing_rows" not in (folder / "manifest.json").read_text(encoding="utf-8")
    replacing = replace(plan, existing_rows={"job": "replace"})
    assert write_plan(replacing, folder)
    found = read_plan(folder)
    assert (found.existing_rows, found.fingerprint) == ({"job": "replace"}, plan.fingerprint)
    summary = (folder / "summary.md").read_text(encoding="utf-8")
    assert "**rows that the target has when the migration begins are removed**" in summary


def _another(step: Step) -> Step:
    first, *rest = step.statements
    return replace(step, statements=(replace(first, comment="Another."), *rest))


def _inodes(folder: Path) -> dict[str, int]:
    return {path: (folder / path).stat().st_ino for path in current_files(folder)}


@pytest.mark.parametrize(
    "path",
    ["job/22-route.spark.sql", "ddl/0001_note-1.mysql.sql", "summary.md", "manifest.json", "job/new.sql", "new/a", "a"],
)
def test_what_was_edited_or_added_goes(folder: Path, plan: Plan, path: str) -> None:
    (folder / path).parent.mkdir(exist_ok=True)
    with open(folder / path, "a", encoding="utf-8") as file:
        file.write(" ")
    assert write_plan(plan, folder)
    assert current_files(folder) == plan_files(plan)
    assert not write_plan(plan, folder)


@pytest.mark.parametrize("path", ["job/22-route.spark.sql", "summary.md"])
def test_what_is_missing_is_written(folder: Path, plan: Plan, path: str) -> None:
    (folder / path).unlink()
    assert write_plan(plan, folder)
    assert current_files(folder) == plan_files(plan)


def test_tables_that_are_gone_go(folder: Path, plan: Plan) -> None:
    tables = tuple(table for table in plan.tables if table.logical != "job")
    steps = tuple(step for step in plan.steps if step.table != "job")
    fewer = replace(plan, tables=tables, steps=steps, ddl=())
    assert write_plan(fewer, folder)
    assert current_files(folder) == plan_files(fewer)


def test_links_are_replaced_and_what_they_name_is_left_alone(folder: Path, plan: Plan, tmp_path: Path) -> None:
    """Content that stands elsewhere may change without the plan."""
    (folder / "job").rename(tmp_path / "job")
    (folder / "job").symlink_to(tmp_path / "job")
    file = folder / "region" / "31-upsert.mysql.sql"
    file.rename(tmp_path / "upsert.sql")
    file.symlink_to(tmp_path / "upsert.sql")
    assert write_plan(plan, folder)
    assert current_files(folder) == plan_files(plan)
    assert not any(path.is_symlink() for path in folder.rglob("*"))
    assert (tmp_path / "upsert.sql").exists() and len(list((tmp_path / "job").iterdir())) > 1


def test_what_an_interrupted_compilation_left_is_no_matter(
    folder: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_short(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(files, "manifest_pieces", cut_short)  # what comes right after the tables' files
        write_plan(replace(plan, steps=()), folder)
    assert sorted(os.listdir(folder.parent)) == ["plan", "plan.new"]
    assert write_plan(replace(plan, existing_rows={"job": "replace"}), folder)
    assert os.listdir(folder.parent) == ["plan"]


def test_the_folder_of_plans_may_be_a_link(folder: Path, plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "name").symlink_to(folder.parent)
    (folder / "summary.md").write_text("")
    assert write_plan(plan, tmp_path / "name" / "plan")
    assert current_files(folder) == plan_files(plan)
    assert not write_plan(plan, tmp_path / "name" / "plan")


@pytest.mark.parametrize("name", ["plan", "plan.new"])
def test_a_link_in_the_place_of_a_plan_is_refused_and_what_it_names_is_left_alone(
    plan: Plan, tmp_path: Path, name: str
) -> None:
    keys = tmp_path / "keys"
    keys.mkdir()
    (keys / "manifest.json").write_text("mine")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / name).symlink_to(keys)
    with pytest.raises(PlanRefused, match=f"SW8013: .*/build/{name} is a link"):
        write_plan(plan, tmp_path / "build" / "plan")
    assert {path.name: path.read_text() for path in keys.iterdir()} == {"manifest.json": "mine"}


@pytest.mark.parametrize("name", ["plan", "plan.new"])
def test_what_holds_no_plan_is_refused_and_left_alone(plan: Plan, tmp_path: Path, name: str) -> None:
    mine = tmp_path / name / "mine"
    mine.parent.mkdir()
    mine.write_text("mine")
    with pytest.raises(PlanRefused, match=f"SW8013: .*/{name} holds no plan"):
        write_plan(plan, tmp_path / "plan")
    assert mine.read_text() == "mine"


def test_a_plan_whose_files_are_links_or_pipes_is_refused(folder: Path, plan: Plan, tmp_path: Path) -> None:
    manifest = folder / "manifest.json"
    manifest.rename(tmp_path / "manifest.json")
    manifest.symlink_to(tmp_path / "manifest.json")
    with pytest.raises(PlanRefused, match=r"SW8013: .*/manifest.json is a link"):
        read_plan(folder)
    manifest.unlink()
    os.mkfifo(manifest)
    with pytest.raises(PlanRefused, match=r"SW8013: .*/manifest.json is a pipe"):
        read_plan(folder)
    (tmp_path / "manifest.json").replace(manifest)
    file = folder / "job" / "22-route.spark.sql"
    file.rename(tmp_path / "merge.sql")
    file.symlink_to(tmp_path / "merge.sql")
    with pytest.raises(PlanRefused, match=r"SW8013: .*22-route.spark.sql is a link"):
        read_plan(folder)
    assert "job/22-route.spark.sql" not in current_files(folder)


def test_an_unchanged_plan_is_not_touched(folder: Path, plan: Plan) -> None:
    before = _inodes(folder), folder.stat().st_mtime_ns
    assert not write_plan(plan, folder)
    assert (_inodes(folder), folder.stat().st_mtime_ns) == before
    assert os.listdir(folder.parent) == ["plan"]


def test_the_way_back_comes_and_goes_with_its_plan(folder: Path, plan: Plan) -> None:
    assert plan.backward is not None
    assert read_plan(folder / "backward") == plan.backward
    assert (plan.backward.direction, plan.backward.turns_round) == ("backward", plan.fingerprint)
    (folder / "backward" / "job" / "22-route.spark.sql").write_text("edited")
    assert write_plan(plan, folder)
    assert current_files(folder) == plan_files(plan)
    assert not write_plan(plan, folder)
    assert write_plan(replace(plan, backward=None), folder)
    assert not (folder / "backward").exists()
    assert write_plan(plan, folder)
    assert current_files(folder) == plan_files(plan)
    assert os.listdir(folder.parent) == ["plan"]


def test_a_table_called_as_the_folder_of_changes(plan: Plan, tmp_path: Path) -> None:
    def name_of(text: str) -> str:
        return "ddl" if text == "job" else text

    tables = tuple(replace(table, logical=name_of(table.logical)) for table in plan.tables)
    steps = tuple(replace(step, table=name_of(step.table)) for step in plan.steps)
    aspects = {name_of(name): found for name, found in plan.aspects.items()}
    other = replace(plan, tables=tables, steps=steps, aspects=aspects)
    assert write_plan(other, tmp_path / "plan")
    assert current_files(tmp_path / "plan") == plan_files(other)
    assert {"0001_note-1.mysql.sql", "31-upsert.mysql.sql"} <= set(os.listdir(tmp_path / "plan" / "ddl"))
