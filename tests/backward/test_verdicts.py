"""What of the source comes back, for the golden project `backward` with one thing changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from shardwright.compiler.build import CompiledPlan, build_plan
from shardwright.specs.spec.read import read_spec
from tests.compiler.projects import GOLDEN

PROJECT = GOLDEN / "backward"
Change = Callable[[str], str]


def _compile(folder: Path, *, spec: Change = str, schema: Change = str, ddl: str | None = None) -> CompiledPlan:
    text = spec((PROJECT / "spec.yaml").read_text("utf-8"))
    (folder / "spec.yaml").write_text(text, "utf-8")
    files = {path.name: path.read_text("utf-8") for path in (PROJECT / "ddl").iterdir()}
    if ddl is not None:
        files["0002_more.sql"] = ddl
    return build_plan(
        read_spec(str(folder / "spec.yaml")), schema=schema((PROJECT / "schema.sql").read_text("utf-8")), ddl=files
    )


def _verdicts_that_close(made: CompiledPlan) -> list[tuple[str, str, str]]:
    """Table, column and verdict of all that closes the way back; a plan says so, and has no backward plan."""
    found = [
        (table.logical, way.column, way.verdict) for table in made.plan.tables for way in table.way_back if way.closes
    ]
    assert (made.backward is None) == bool(found) == (made.plan.backward is None)
    return found


def _reads(made: CompiledPlan, table: str) -> dict[str, int]:
    assert made.backward is not None
    return {column.name: column.position for column in made.backward.plan.table(table).source.reads}


def test_as_it_is_everything_comes_back(tmp_path: Path) -> None:
    made = _compile(tmp_path)
    assert _verdicts_that_close(made) == []
    assert _reads(made, "entry") == {"no": 0, "account_id": 2, "text": 3}, "the shards have one column more"


@pytest.mark.parametrize(
    ("old", "new", "closing"),
    [
        ("triggers: drop", "triggers: refuse", ("account", "", "lost")),
        ("one_way: {columns: [phone], because: the shards have only the last two digits}", "x-note: none",
         ("account", "phone", "lost")),
        ('values: {internal_note: "\'born on the shards\'"}', "x-note: none", ("account", "internal_note", "needs a value")),
        ("backward: {sharding: by_no}", "x-note: none", ("entry", "", "lost")),
    ],
)  # fmt: skip
def test_what_the_spec_does_not_say_closes_the_way_back(
    tmp_path: Path, old: str, new: str, closing: tuple[str, str, str]
) -> None:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    assert _verdicts_that_close(_compile(tmp_path, spec=change)) == [closing]


def test_ddl_of_the_shards_adds_columns_and_takes_them_away_again(tmp_path: Path) -> None:
    made = _compile(tmp_path, ddl="ALTER TABLE `message` ADD COLUMN `seen` int NULL FIRST, ADD COLUMN `x` int NULL;\n")
    assert _verdicts_that_close(made) == []
    assert _reads(made, "message") == {"account_id": 1, "no": 2, "body": 3}
    made = _compile(tmp_path, ddl="ALTER TABLE `entry` DROP COLUMN `language`;\n")
    assert _reads(made, "entry") == {"no": 0, "account_id": 1, "text": 2}


def test_an_index_of_the_shards_changes_nothing(tmp_path: Path) -> None:
    made = _compile(tmp_path, ddl="CREATE INDEX `by_text` ON `entry` (`text`);\n")
    assert _verdicts_that_close(made) == []
    assert _reads(made, "entry") == {"no": 0, "account_id": 2, "text": 3}
