"""Statements that differ by literals, blanks or lists are one group; others are not."""

from __future__ import annotations

import pytest

from shardwright.compiler.workload.digest import digest_of
from shardwright.compiler.workload.merge import group_statements
from shardwright.compiler.workload.placeholders import normalise_placeholders
from shardwright.compiler.workload.statement import WorkloadStatement

EQUAL = [
    ("SELECT a FROM t WHERE b = 1", "select `a`  from `t`\nwhere b = 'x'"),
    ("SELECT a FROM t WHERE b = -1", "SELECT a FROM t WHERE b = ?"),
    ("SELECT a FROM t WHERE b = %s", "SELECT a FROM t WHERE b = :name"),
    ("SELECT a FROM t WHERE b = $1", "SELECT a FROM t WHERE b = %(name)s"),
    ("SELECT a FROM t WHERE b IN (1, 2)", "SELECT a FROM t WHERE b IN (...)"),
    ("SELECT a FROM t WHERE b + 1 IN (1, 2)", "SELECT a FROM t WHERE b + 2 IN (...)"),
    ("SELECT a FROM t WHERE b IN (1, 2)", "SELECT a FROM t WHERE b IN (?, ?, ?)"),
    ("INSERT INTO t (a) VALUES (1), (2)", "INSERT INTO t (a) VALUES (7), (8), (9)"),
    ("SELECT a FROM t /* request 7 */", "SELECT a FROM t -- done"),
]
DIFFERENT = [
    ("SELECT a FROM t WHERE b IN (1)", "SELECT a FROM t WHERE b IN (1, 2)"),
    ("INSERT INTO t (a) VALUES (1)", "INSERT INTO t (a) VALUES (1), (2)"),
    ("INSERT INTO t (a) VALUES (1)", "REPLACE INTO t (a) VALUES (1)"),
    ("SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE c = 1"),
    ("SELECT a FROM t WHERE b IN (SELECT a FROM t)", "SELECT a FROM t WHERE b IN (SELECT a FROM u)"),
    ("CALL f(1)", "CALL g(1)"),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_equal_digests(one: str, other: str) -> None:
    assert digest_of(one) == digest_of(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_digests(one: str, other: str) -> None:
    assert digest_of(one)[0] != digest_of(other)[0]


def test_what_no_parser_reads_has_a_digest_without_literals() -> None:
    assert digest_of("FROB t 17 'x'") == digest_of("FROB  t 4 'y'")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("SELECT '%s', `:a`, \"(...)\" WHERE a = %s", "SELECT '%s', `:a`, \"(...)\" WHERE a = ?"),
        ("INSERT INTO t (a) VALUES (...) /* , ... */", "INSERT INTO t (a) VALUES (:row_of_values), (:row_of_values)"),
        ("SELECT a /*!50000 , b */ FROM t", "SELECT a   , b   FROM t"),
        ("SELECT 5--1", "SELECT 5- -1"),
        ("SELECT 5 -- 1", "SELECT 5"),
    ],
)
def test_placeholders(text: str, plain: str) -> None:
    assert normalise_placeholders(text) == plain


def test_a_group_has_the_calls_of_all_and_the_texts_that_say_something_new() -> None:
    statements = [
        WorkloadStatement("SELECT a FROM t WHERE b = 1 AND c = 2", 3, 0.5, "f", 1),
        WorkloadStatement("SELECT a FROM t WHERE b = 7 AND c = 9", 2, None, "f", 2),
        WorkloadStatement("SELECT a FROM t WHERE b = 4 AND c = 4", 1, 1.0, "g", 3),
        WorkloadStatement("COMMIT", 1, None, "g", 4),
    ]
    first, second = group_statements(statements)
    assert (first.calls, first.seconds, first.file, first.line) == (6, 1.5, "f", 1)
    assert first.texts == (statements[0].text, statements[2].text), "the second is like the first"
    assert (second.sql, second.seconds) == ("COMMIT", None)
