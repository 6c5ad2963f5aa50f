"""The lock: read back as written, and what is not current about it told at its lines."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from operator import attrgetter
from pathlib import Path

import pytest

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.digests import ASPECT_OF_FIELD
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.project.lock_file import Lock, LockUnreadable, lock_of, lock_text, parse_lock, stale
from shardwright.specs.spec.read import read_spec

DIFFERENCES = Path(__file__).parent / "differences"


def test_read_back_as_written() -> None:
    lock = lock_of([_plan("ddl-added", "after"), replace(_plan("settings", "after"), migration="other")])
    assert parse_lock(lock_text(lock)) == lock
    assert lock_text(parse_lock(lock_text(lock))) == lock_text(lock)


def test_one_table_a_line() -> None:
    """Two branches that change different tables merge without a conflict."""
    before, after = (lock_text(lock_of([_plan("deletes-loosened", side)])).splitlines() for side in ("before", "after"))
    changed = [line for line in after if line not in before]
    assert [line.split(":")[0].strip() for line in changed] == ['"plan"', '"region"']


@pytest.mark.parametrize(
    ("case", "reported"),
    [
        ("nothing", []),
        ("comment-only", []),
        ("deletes-loosened", [(12, "table 'region' of shop is not as locked: settings, sql changed")]),
        ("more-shards", [(11, "table 'orders' of shop is not as locked: sql changed"),
                         (12, "table 'region' of shop is not as locked: sql changed")]),
        ("table-added", [(10, "table 'region' of shop is new")]),
        ("table-removed", [(12, "table 'region' of shop is gone")]),
        ("ddl-added", [(8, "DDL file '0002_status.sql' of shop is new")]),
        ("ddl-edited", [(9, "DDL file '0001_channel.sql' of shop is another than the one locked")]),
    ],
)  # fmt: skip
def test_what_is_stale(case: str, reported: list[tuple[int, str]]) -> None:
    locked, current = lock_of([_plan(case, "before")]), lock_of([_plan(case, "after")])
    assert _find_stale(locked, current) == reported


def test_versions_and_migrations() -> None:
    locked = lock_of([_plan("nothing", "before")])
    current = replace(locked, sqlglot_version="99.0", migrations={"new": locked.migrations["shop"]})
    assert _find_stale(locked, current) == [
        (3, f"compiled with sqlglot {locked.sqlglot_version}, here is 99.0"),
        (5, "migration 'new' is not in the lock"),
        (6, "migration 'shop' is in the lock, but no spec makes it"),
    ]


def test_a_part_of_the_project_keeps_the_rest() -> None:
    whole = lock_of([_plan("nothing", "before"), replace(_plan("settings", "after"), migration="other")])
    again = lock_of([_plan("nothing", "before")], kept=whole.migrations)
    assert again == whole


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "not JSON"),
        ("{\n<<<<<<< HEAD\n}", 2, "a merge left its marks"),
        ("[]", 1, "lacks"),
        ('{"format": 99}', 1, "format 99"),
        ('{"format": 1, "tool_version": "1", "sqlglot_version": "1", "migrations": {"a": {}}}', 1, "lacks"),
    ],
)
def test_unreadable(text: str, line: int, words: str) -> None:
    with pytest.raises(LockUnreadable, match=words) as error:
        parse_lock(text)
    assert error.value.line == line


def test_aspects_name_fields_that_exist() -> None:
    for path in ASPECT_OF_FIELD:
        attrgetter(path)(_plan("nothing", "before").tables[0])


def _find_stale(locked: Lock, current: Lock) -> list[tuple[int, str]]:
    found = stale(lock_text(locked), locked=locked, current=current, file="shardwright.lock")
    assert {item.code for item in found} <= {"SW8802"}
    return [(item.span.line, item.message) for item in found]


@cache
def _plan(case: str, side: str) -> Plan:
    folder = DIFFERENCES / case / side
    spec = read_spec(str(folder / "spec.yaml"))
    changes = {path.name: path.read_text("utf-8") for path in sorted((folder / "ddl").glob("*.sql"))}
    return build_plan(spec, schema=(folder / "schema.sql").read_text("utf-8"), ddl=changes).plan
