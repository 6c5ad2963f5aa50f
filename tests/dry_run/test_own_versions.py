"""Which version of a row is the stream's own, after a change of servers? What a killed attempt at a batch has staged was
never written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from shardwright.runtime.ledger.recent_keys import ChangedRow
from shardwright.runtime.rehearsal.dry_run.chain import rows_with_answers
from shardwright.runtime.stream.batch.changed_rows import with_own_versions
from tests.compiler.projects import GOLDEN, compile_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark]


def _make_row(batch: int, version: str) -> ChangedRow:
    return ChangedRow(batch, "job", "shop.job", ("1",), 0, 0, version)


@pytest.mark.parametrize(("last", "own"), [(4, "2026-01-02"), (3, "2026-01-01"), (2, "2020-01-01")])
def test_a1_e5_what_a_killed_attempt_has_staged_is_no_version_of_a_row(
    spark: SparkSession, last: int, own: str
) -> None:
    """`last` is the last batch that all shards have; the row itself started from the version of 2020."""
    position = {"epoch": 0, "file": 1, "offset": 4, "row": 0}
    change = {
        "table": "job",
        "source_table": "shop.job",
        "shard": 0,
        "part": 0,
        "action": "upsert",
        "op": "U",
        "key": ["1"],
        "position": position,
        "committed_at": 0,
        "row": ["1"],
        "version": "2026-01-03",
        "version_before": "2020-01-01",
        "found": True,
        "found_version": None,
        "snapshot_open": False,
    }
    routed = rows_with_answers(spark, [change]).drop("found", "found_version", "snapshot_open")
    rows = [_make_row(3, "2026-01-01"), _make_row(4, "2026-01-02")]
    plan = compile_folder(GOLDEN / "whole").plan
    (found,) = with_own_versions(routed, rows=rows, plan=plan, last=last).collect()
    assert found["version_before"] == own
