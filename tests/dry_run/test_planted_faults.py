"""One fault at a time is planted into a compiled plan; the dry run must find it and name the statement (hazard J5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.runtime.rehearsal.dry_run.dry_run import dry_run
from shardwright.runtime.rehearsal.dry_run.rehearse import RehearsalOptions
from shardwright.specs.spec.model import Spec
from tests.dry_run.faults import Fault
from tests.support.variants import usual

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
SNAPSHOT, DECODE, MERGE = StepName.SNAPSHOT_ROUTE, StepName.DECODE, StepName.MERGE
ROUTE, FILTER = StepName.ROUTE, StepName.FILTER


def _fault_of_packed(table: str, right: str, wrong: str, code: str = "SW8704") -> Fault:
    return Fault(table, ROUTE, right, wrong, code, statement="packed")


FAULTS = {
    "decode: a column's neighbour": Fault("account", DECODE, "`after`[3]", "`after`[4]"),
    "decode: a column of the wrong image": Fault("account", DECODE, "`before`[3]", "`after`[3]"),
    "decode: a column the table has not": Fault("account", DECODE, "`before`[3]", "`before`[6]", "SW8703"),
    "decode: an unknown column": Fault("account", DECODE, "`after`.`number`", "`after`.`nmber`", "SW8701"),
    "decode: another modulus": Fault("account", DECODE, "% 3", "% 2"),
    "decode: another hash": Fault("account", DECODE, "CRC32(", "HASH("),
    "decode: unsigned read as signed": Fault("account", DECODE, "AS DECIMAL(20, 0)", "AS BIGINT", "SW8703"),
    "decode: padded keys differ": Fault("account", DECODE, "TRIM(TRAILING ' ' FROM", "CONCAT("),
    "decode: key changes stay updates": Fault("account", DECODE, "`before_key` <> `after_key`", "FALSE"),
    "decode: key changes lose the old row": Fault("line", DECODE, "'D' AS `op`", "'U' AS `op`"),
    "decode: half of the key": Fault("line", DECODE, ", `after`.`position`)", ")"),
    "decode: a source table is forgotten": Fault("line", DECODE, "'shop.line_0', ", ""),
    "decode: the single table elsewhere": Fault("job", DECODE, "1 AS `shard`", "0 AS `shard`"),
    "merge: the first image wins": Fault("account", MERGE, "MAX_BY(`after`,", "MIN_BY(`after`,"),
    "merge: the last before-image": Fault("account", MERGE, "MIN_BY(`before`", "MAX_BY(`before`"),
    "merge: the first operation wins": Fault("account", MERGE, "MAX_BY(`op`", "MIN_BY(`op`"),
    "merge: clocks decide": Fault("account", MERGE, "(`after`, `position`)", "(`after`, `committed_at`)"),
    "merge: offsets without files decide": Fault("account", MERGE, "`after`, `position`", "`after`, `position`.`offset`"),
    "merge: positions in text order": Fault("account", MERGE, "`after`, `position`", "`after`, `position`.`file` || ''"),
    "merge: rows of one event in any order": Fault(
        "account", MERGE, "`after`, `position`", "`after`, STRUCT(`position`.`file`, `position`.`offset`)"
    ),
    "merge: insert and update are an update": Fault("account", MERGE, "THEN 'I'", "THEN 'U'"),
    "merge: update is an insert": Fault("account", MERGE, "ELSE 'U'", "ELSE 'I'"),
    "merge: sources are mixed": Fault(
        "line", MERGE, "FROM `decoded`", "FROM (SELECT * EXCEPT (source_table), 'shop.line_0' AS source_table FROM decoded)"
    ),
    "merge: the oldest position": Fault("account", MERGE, "MAX(`position`)", "MIN(`position`)"),
    "merge: places that were left are forgotten": Fault(
        "account", MERGE, "ARRAY(`before_place`, `after_place`)", "ARRAY(`after_place`)"
    ),
    "merge: only the last place": Fault(
        "account", MERGE, "FLATTEN(COLLECT_LIST(ARRAY(`before_place`, `after_place`)))", "ARRAY(MAX_BY(`after_place`, `position`))"
    ),
    "route: nothing is vacated": Fault("account", ROUTE, "EXPLODE(`places`)", "EXPLODE(FILTER(`places`, p -> `op` = 'D' OR p = `after_place`))"),
    "route: what was left is written again": Fault("account", ROUTE, "'move_out'", "'upsert'"),
    "route: only one place is cleared": Fault("account", ROUTE, "EXPLODE(`places`)", "EXPLODE(IF(`op` = 'D', SLICE(`places`, 1, 1), `places`))"),
    "route: columns change places": Fault("account", ROUTE, "`after`.`owner`,", "`after`.`title`,"),
    "route: the version that was": Fault("account", ROUTE, "`first_before`.`edits`", "`after`.`edits`"),
    "route: a column is missing": Fault("account", ROUTE, "`key`,", "", "SW8702"),
    "route: one shard is left out": Fault("country", ROUTE, "SEQUENCE(0, 2)", "SEQUENCE(0, 1)"),
    "filter: tombstones are forgotten": Fault("account", FILTER, "THEN 'defer'", "THEN 'delete'"),
    "filter: a delete is skipped while copying": Fault("job", FILTER, "`snapshot_open`\n    THEN 'delete'", "`snapshot_open`\n    THEN 'skip'"),
    "filter: insert for update": Fault("account", FILTER, "THEN 'update'", "THEN 'insert'"),
    "filter: stale rows overwrite": Fault("account", FILTER, "`found_version` AS DECIMAL(38, 0)) >", "`found_version` AS DECIMAL(38, 0)) <"),
    "filter: versions compared as text": Fault("account", FILTER, "CAST(`found_version` AS DECIMAL(38, 0)) > CAST(`version` AS DECIMAL(38, 0))", "`found_version` > `version`"),
    "filter: our own start is foreign": Fault("line", FILTER, "NOT `found_version` IS NOT DISTINCT FROM `version_before`", "TRUE"),
    "filter: another table's deletes": Fault("account", FILTER, "IN ('account'", "IN ('no account'"),
    "packed: an unknown column": _fault_of_packed("job", "`before`[0]", "`befor`[0]", "SW8701"),
    "packed: half of the key is another column": _fault_of_packed("job", "ARRAY(`after`[0])", "ARRAY(`after`[1])"),
    "packed: the single table elsewhere": _fault_of_packed("job", "1 AS `shard`", "2 AS `shard`"),
    "packed: the image that was": _fault_of_packed("job", "`after` AS `row`", "`before` AS `row`"),
    "packed: one shard is left out": _fault_of_packed("country", "SEQUENCE(0, 2)", "SEQUENCE(0, 1)"),
    "snapshot: another value": Fault("account", SNAPSHOT, "`seen`[0]", "REVERSE(`seen`[0])", "SW8704"),
    "snapshot: another modulus": Fault("line", SNAPSHOT, "% 3", "% 2"),
    "snapshot: one shard is left out": Fault("country", SNAPSHOT, "SEQUENCE(0, 2)", "SEQUENCE(0, 1)"),
    "snapshot: the single table elsewhere": Fault("job", SNAPSHOT, "1 AS `shard`", "2 AS `shard`"),
}  # fmt: skip
USUAL = (
    "decode: a column the table has not",
    "decode: an unknown column",
    "decode: key changes lose the old row",
    "merge: the first image wins",
    "merge: clocks decide",
    "route: nothing is vacated",
    "route: a column is missing",
    "filter: tombstones are forgotten",
    "filter: stale rows overwrite",
    "packed: an unknown column",
    "packed: one shard is left out",
    "snapshot: another value",
    "snapshot: one shard is left out",
)
"""Some of each statement and of each code."""


@pytest.mark.in_turn
@pytest.mark.parametrize("name", usual(FAULTS, only=USUAL))
def test_j5_found_and_named(
    spark: SparkSession,
    spec: Spec,
    plan: Plan,
    functions: Mapping[str, ShardFunction],
    name: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    fault = FAULTS[name]
    result = dry_run(
        spark, spec, fault.plant(plan), functions=functions, rehearsing=RehearsalOptions(count=0, rounds=0)
    )
    findings = result.findings
    assert len(findings) == 1, findings
    (first,) = findings
    assert first.code == fault.code, first
    assert fault.is_named_in(first.message)
    entry = next(entry for entry in spec.tables if (entry.to or entry.table) == fault.table)
    assert first.span == spec.span_of((*entry.path, "table"))
    if fault.code == "SW8704":
        *history, expected, got = (note.text for note in first.notes)
        assert history
        assert expected.startswith("expected ") and got.startswith("got ")
    assert capfd.readouterr().err == "", "Spark's own words stay away from the findings"
