"""Files that are no result of `verify`, or one of something else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.verify.cause import Cause
from shardwright.runtime.verify.given_keys import WrongKey
from shardwright.runtime.verify.repair.advice import ADVICE, advise
from shardwright.runtime.verify.repair.plan_repairs import Repair, plan_repair, wrong_keys
from tests.compiler.projects import GOLDEN, compile_folder
from tests.verify.test_honesty import PLAN


def _write(folder: Path, reported: Any) -> Path:
    path = folder / "result.json"
    path.write_text(reported if isinstance(reported, str) else json.dumps(reported), encoding="utf-8")
    return path


def _result(*keys: list[str], table: str = "users", **more: Any) -> dict[str, Any]:
    mismatches = [{"key": key, "kind": "missing"} for key in keys]
    return {
        "migration": PLAN.migration,
        "fingerprint": PLAN.fingerprint,
        "tables": [{"table": table, "mismatches": mismatches}],
        **more,
    }


def test_a_key_is_taken_once(tmp_path: Path) -> None:
    assert wrong_keys(_write(tmp_path, _result(["7"], ["8"], ["7"])), PLAN) == {"users": (("7",), ("8",))}
    assert wrong_keys(_write(tmp_path, _result()), PLAN) == {}


@pytest.mark.parametrize(
    ("reported", "code"),
    [
        ("", "SW8520"),
        ("{", "SW8520"),
        ([], "SW8520"),
        ({"migration": "x"}, "SW8520"),
        (_result(["7"], table="nobody"), "SW8520"),
        (_result(["7", "8"]), "SW8520"),
        (_result(fingerprint="other"), "SW8521"),
        (_result(migration="other"), "SW8521"),
    ],
)
def test_what_is_no_result_of_this_plan_is_refused(tmp_path: Path, reported: Any, code: str) -> None:
    with pytest.raises(InputAtFault) as refused:
        wrong_keys(_write(tmp_path, reported), PLAN)
    assert refused.value.code == code


def test_a_row_is_looked_for_in_every_source_table_that_it_may_go_to() -> None:
    plan = compile_folder(GOLDEN / "merged-family").plan
    assert len(plan.tables_to_verify) == 10, "six tables, and the lookup tables of the parents"
    for table in plan.tables_to_verify:
        found = plan_repair(plan, table, WrongKey(tuple("1" for _ in table.key), ()), delete_extra=True)
        assert isinstance(found, Repair)
        rows = plan.table(found.held[0].logical)
        wanted = rows.sources if rows.ours.owner else rows.sources[:1]
        assert [held.source_table for held in found.held] == [str(source) for source in wanted]
        assert {len(held.key) for held in found.held} == {len(rows.key)}


def test_the_advice_is_by_cause_the_most_frequent_first(tmp_path: Path) -> None:
    causes = ["time_zone", "rounding", "time_zone", None]
    mismatches = [{"key": [str(number)], "cause": cause} for number, cause in enumerate(causes)]
    (tmp_path / "r.json").write_text(json.dumps({"tables": [{"mismatches": [*mismatches, {"key": ["9"]}]}]}), "utf-8")
    zone, rounding = advise(tmp_path / "r.json")
    assert zone.startswith("2 rows, time zone: ") and rounding.startswith("1 row, rounding: ")
    assert set(ADVICE) == set(Cause)
