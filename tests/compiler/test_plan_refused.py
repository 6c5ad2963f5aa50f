"""What runs is what was reviewed: a plan with a file missing, edited or damaged is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from shardwright.compiler.plan.files import read_plan, write_plan
from shardwright.compiler.plan.refusals import PlanRefused
from tests.compiler.projects import GOLDEN, compile_folder, golden_files


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The golden plan of the project `whole`."""
    return _write(GOLDEN / "whole", tmp_path_factory.mktemp("whole"))


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """The same, to be spoiled."""
    return Path(shutil.copytree(whole, tmp_path / "plan"))


def test_no_plan_at_all(tmp_path: Path) -> None:
    _expect_refusal(tmp_path / "plan", "SW8001", "there is no plan in")


@pytest.mark.parametrize(
    "path", [path for path in sorted(golden_files(GOLDEN / "whole")) if not path.endswith("manifest.json")]
)
def test_every_file_counts(folder: Path, path: str) -> None:
    """Of both directions, each with a manifest of its own."""
    if path.startswith("backward/"):
        folder, path = folder / "backward", path.removeprefix("backward/")
    text = (folder / path).read_text("utf-8")
    (folder / path).write_text(
        text.replace("SELECT", "select").replace("TABLE", "table").replace("row key", "row  key"), "utf-8"
    )
    _expect_refusal(folder, "SW8002", f"{path} was edited")
    (folder / path).write_text(text + "\n", "utf-8")
    _expect_refusal(folder, "SW8002", f"{path} was edited")
    (folder / path).unlink()
    _expect_refusal(folder, "SW8001", f"{path} is missing")
    (folder / path).write_text(text, "utf-8", newline="\n")
    read_plan(folder)


def test_a_space_in_the_middle(folder: Path) -> None:
    file = folder / "job" / "22-route.spark.sql"
    file.write_text(file.read_text("utf-8").replace("  CASE", "   CASE"), "utf-8")
    _expect_refusal(folder, "SW8002", "job/22-route.spark.sql was edited")


def test_line_ends_of_another_system(folder: Path) -> None:
    file = folder / "job" / "22-route.spark.sql"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    _expect_refusal(folder, "SW8002", "job/22-route.spark.sql was edited")


def test_damaged_manifest(folder: Path) -> None:
    manifest = folder / "manifest.json"
    text = manifest.read_text("utf-8")
    manifest.write_text(text[: len(text) // 2], "utf-8")
    _expect_refusal(folder, "SW8003", "manifest.json is damaged")


def test_manifest_of_another_version(folder: Path) -> None:
    manifest = folder / "manifest.json"
    data = json.loads(manifest.read_text("utf-8"))
    manifest.write_text(json.dumps({**data, "format": 99}), "utf-8")
    _expect_refusal(folder, "SW8003", "was written by another version of the tool")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"weight": 0', '"weight": 1'),
        ('"right"\n', '"rigth"\n'),
        ('"position": 0', '"position": 1'),
        ("ADD COLUMN `note`", "DROP COLUMN `name`, ADD COLUMN `note`"),
    ],
)
def test_edited_manifest(folder: Path, right: str, wrong: str) -> None:
    manifest = folder / "manifest.json"
    text = manifest.read_text("utf-8")
    assert right in text
    manifest.write_text(text.replace(right, wrong), "utf-8")
    _expect_refusal(folder, "SW8002", "manifest.json was edited")


def test_edited_numbers_of_new_rows(tmp_path: Path) -> None:
    """No row depends on them, so the fingerprint does not cover them."""
    folder = _write(GOLDEN / "ids", tmp_path)
    manifest = folder / "manifest.json"
    text = manifest.read_text("utf-8")
    assert text.count('"margin": 5000') == 1
    manifest.write_text(text.replace('"margin": 5000', '"margin": 5'), "utf-8")
    _expect_refusal(folder, "SW8002", "manifest.json was edited")


def _write(project: Path, parent: Path) -> Path:
    write_plan(compile_folder(project).plan, parent / "plan")
    return parent / "plan"


def _expect_refusal(folder: Path, code: str, words: str) -> None:
    with pytest.raises(PlanRefused) as refused:
        read_plan(folder)
    assert refused.value.code == code
    assert words in refused.value.message
