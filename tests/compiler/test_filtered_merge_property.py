"""Under a row filter, decode and merge change a table as replaying the filtered table's own events does: rows enter
and leave the filter, change keys and move meanwhile (C5).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.compiler.projects import compile_folder, write_texts
from tests.compiler.replay import Event, Row
from tests.compiler.test_merge_property import _SCHEMA, _SPEC, History, _check, _merge_by_spark, many

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["many"]

pytestmark = pytest.mark.spark
_FILTERED = _SPEC.replace("sharding: by_owner}", "sharding: by_owner, where: owner > 0}")


def test_j1_merge_equals_replay_of_the_filtered_table(
    spark: SparkSession, many: tuple[History, ...], tmp_path: Path
) -> None:
    plan = compile_folder(write_texts(tmp_path, _FILTERED, _SCHEMA)).plan
    assert plan.table("thing").source.where == "owner > 0"
    answers = _merge_by_spark(spark, plan, many)
    crossing = 0
    for number, history in enumerate(many):
        log = tuple(event for each in history.log if (event := _filter(each)) is not None)
        crossing += any(
            each.op == "U" and (seen := _filter(each)) is not None and seen.op != "U" for each in history.log
        )
        before = {key: row for key, row in history.before.items() if _matches(row)}
        _check(History(before, log, ()), answers.get(number, []))
    assert crossing > len(many) / 10, "rows enter and leave the filter"


def _matches(row: Row | None) -> bool:
    return row is not None and int(row[1]) > 0


def _filter(event: Event) -> Event | None:
    """The event as somebody sees it who knows the matching rows only."""
    before = event.before if _matches(event.before) else None
    after = event.after if _matches(event.after) else None
    if before is None and after is None:
        return None
    return Event("I" if before is None else "D" if after is None else event.op, before, after)
