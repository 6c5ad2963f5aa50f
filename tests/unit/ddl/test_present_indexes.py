"""A change of the stream without what stands on a physical table already: only indexes, and only those named once
(hazard E18)."""

from __future__ import annotations

import pytest

from shardwright.runtime.ddl.routing.took_effect import without_present_indexes
from shardwright.runtime.ddl.tables.definition import LiveIndex, LiveTable

LIVE = LiveTable(
    "InnoDB",
    "utf8mb4_bin",
    {"id": "int", "a": "int"},
    {"here": LiveIndex(False, "BTREE", (("a", None, "A"),))},
    frozenset(),
)


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ("ALTER TABLE t DROP INDEX gone", None),
        ("ALTER TABLE t DROP INDEX here", "ALTER TABLE t DROP INDEX here"),
        ("ALTER TABLE t ADD INDEX here (a)", None),
        ("ALTER TABLE t ADD INDEX here (id)", "ALTER TABLE t ADD INDEX here (id)"),
        ("ALTER TABLE t ADD INDEX new (a)", "ALTER TABLE t ADD INDEX new (a)"),
        ("ALTER TABLE t DROP INDEX gone, ADD COLUMN b INT", "ALTER TABLE `t`\nADD COLUMN `b` INT"),
        ("ALTER TABLE t DROP INDEX gone, ADD INDEX gone (a)", "ALTER TABLE t DROP INDEX gone, ADD INDEX gone (a)"),
        ("ALTER TABLE t DROP COLUMN b", "ALTER TABLE t DROP COLUMN b"),
        ("ALTER TABLE t ADD COLUMN a INT", "ALTER TABLE t ADD COLUMN a INT"),
        ("ALTER TABLE t ADD INDEX IF NOT EXISTS here (id)", None),
        ("ALTER TABLE t ADD INDEX IF NOT EXISTS new (id)", "ALTER TABLE `t`\nADD INDEX `new` (`id`)"),
        ("ALTER TABLE t RENAME INDEX gone TO new", None),
        ("DROP TABLE t", "DROP TABLE t"),
    ],
)
def test_e18_only_indexes_that_exist_are_left_out(change: str, left: str | None) -> None:
    assert without_present_indexes(change, LIVE) == left
