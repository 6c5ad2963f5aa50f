"""Statements in messages show no values (finding 13 of the security review)."""

from __future__ import annotations

import pytest

from shardwright.runtime.sources.binlog.table_changed import without_values


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        (
            "UPDATE pay SET salary = 98765.43, note='it''s \\' secret' WHERE id2 = 7",
            "UPDATE pay SET salary = ?, note=? WHERE id2 = ?",
        ),
        (
            "INSERT INTO `t 1` VALUES (x'FF00', 0xAB, _utf8mb4'a', -1e5, .5, \"b\")",
            "INSERT INTO `t 1` VALUES (?, ?, ?, -?, ?, ?)",
        ),
        ("DELETE FROM t /* 123-45-6789 */ WHERE a = b -- secret", "DELETE FROM t WHERE a = b"),
        ("INSERT INTO t SELECT 'not closed", "INSERT INTO t SELECT ?"),
        ("UPDATE naïve SET `it's 5` = N'x'", "UPDATE naïve SET `it's 5` = ?"),
    ],
)
def test_values_are_left_out(statement: str, shown: str) -> None:
    assert without_values(statement.encode(), length=200) == shown


def test_a_long_statement_is_cut_and_its_values_stay_hidden() -> None:
    statement = b"INSERT INTO t VALUES " + b"('secret')," * 100_000
    shown = without_values(statement, length=50)
    assert shown == "INSERT INTO t VALUES " + "(?)," * 7 + "(…" and len(shown) == 51
