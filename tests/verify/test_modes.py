"""Some of a table's ranges, and a comparison that is broken off and goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shardwright.compiler.steps.verify import RANGE_ROWS
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.verify.report import as_json, as_text
from shardwright.runtime.verify.result import MismatchKind, Verdict
from shardwright.runtime.verify.sample import Sampling
from shardwright.runtime.verify.table_run import Manner, Progress
from tests.verify.layout import Layout, home
from tests.verify.plans import DATABASES, SUFFIXES
from tests.verify.test_honesty import PLAN, USERS_SQL

pytestmark = pytest.mark.server

RANGES = 4
ONE_BY_ONE = Manner(workers=1)


@pytest.fixture
def many(layout: Layout) -> Layout:
    """Four ranges; in the first and the third of them a row is wrong."""
    layout.create_sharded(USERS_SQL, "users")
    layout.fill("users", [(number, f"n{number}") for number in range((RANGES - 1) * RANGE_ROWS + 5)], shard_key=0)
    for number in (7, 2 * RANGE_ROWS + 7):
        database, part = home(number)
        layout.execute(DATABASES[database], f"UPDATE users{SUFFIXES[part]} SET name = 'other' WHERE id = %s", number)
    return layout


def test_a_sample_says_that_it_is_one(many: Layout) -> None:
    everything = many.verify(PLAN)
    assert (everything.tables[0].chunks, len(everything.tables[0].mismatches)) == (RANGES, 2)
    found = set()
    for seed in range(20):
        result = many.verify(PLAN, manner=Manner(sampling=Sampling(0.9, seed)))  # 2 of the 4
        table = result.tables[0]
        assert table.sample is not None and (table.chunks, table.sample.compared, table.sample.all) == (2, 2, RANGES)
        assert result.is_sampled and as_json(result)["sampled"]
        if result.verdict is Verdict.EQUAL:
            assert "A SAMPLE ONLY" in as_text(result).splitlines()[-1]
        found.add(len(table.mismatches))
    assert found == {0, 1, 2}, "these seeds choose every kind of pair"


def test_a_sample_as_large_as_the_table_is_none(many: Layout) -> None:
    result = many.verify(PLAN, manner=Manner(sampling=Sampling(0.01, 1)))
    assert result.tables[0].sample is None and len(result.tables[0].mismatches) == 2


class _Broken(Exception):
    pass


def test_h4_a_comparison_that_was_interrupted_continues_behind_its_last_range(many: Layout, tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    whole = many.verify(PLAN).tables[0]

    def after_two(progress: Progress) -> None:
        if progress.chunks == 2:
            raise _Broken

    with pytest.raises(_Broken):
        many.verify(PLAN, manner=ONE_BY_ONE, checkpoint=file, on_progress=after_two)
    assert json.loads(file.read_text())["tables"]["users"]["chunks"] == 2
    reported: list[int] = []
    result = many.verify(
        PLAN, manner=ONE_BY_ONE, checkpoint=file, on_progress=lambda progress: reported.append(progress.chunks)
    )
    table = result.tables[0]
    assert reported == [3, 4]
    assert [(one.kind, one.key) for one in table.mismatches] == [
        (MismatchKind.DIFFERENT, ("7",)),
        (MismatchKind.DIFFERENT, (str(2 * RANGE_ROWS + 7),)),
    ]
    assert (table.rows_source, table.rows_shards, table.mismatches) == (
        whole.rows_source,
        whole.rows_shards,
        whole.mismatches,
    )
    assert not file.exists(), "the next comparison must begin anew"


@pytest.mark.parametrize("text", ["", "[]", '{"tables": {}}', '{"fingerprint": "other", "tables": {}}'])
def test_a_file_that_is_no_state_of_this_plan_is_refused(layout: Layout, tmp_path: Path, text: str) -> None:
    file = tmp_path / "state.json"
    file.write_text(text)
    with pytest.raises(InputAtFault) as refused:
        layout.verify(PLAN, checkpoint=file)
    assert refused.value.code == "SW8510" and file.exists()
