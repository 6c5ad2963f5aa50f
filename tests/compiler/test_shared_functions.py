"""Tables of one rule whose key columns are alike share one sharding function and its SQL; each still has its own
names, types and findings.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.plan.plan import StepName
from tests.compiler.projects import compile_folder, write_texts

SPEC = """\
version: 1
migration: m
owner: t
source: {{dialect: mariadb, databases: [shop], schema: schema.sql, stream: {{format: binlog}}}}
target: {{databases: "s_{{0..3}}"}}
sharding:
  by_user: {{shard_key: [user_id], database: {rule}}}
tables:
  - {{table: a, sharding: by_user}}
  - {{table: b, sharding: by_user}}
  - {{table: renamed, sharding: by_user, columns: {{rename: {{user_id: owner_id}}}}}}
  - {{table: text, sharding: by_user}}
  - {{table: buyer, sharding: {{rule: by_user, shard_key: [buyer_id]}}}}
"""
KINDS = {
    "a": "`user_id` bigint",
    "b": "`user_id` bigint",
    "renamed": "`user_id` bigint",
    "text": "`user_id` varchar(9) COLLATE utf8mb4_bin",
    "buyer": "`buyer_id` bigint",
}
SCHEMA = "".join(
    f"CREATE TABLE {name} (`id` bigint NOT NULL, {key} NOT NULL, PRIMARY KEY (`id`)) CHARSET=utf8mb4 COLLATE=utf8mb4_bin;\n"
    for name, key in KINDS.items()
)


def _compile(folder: Path, monkeypatch: pytest.MonkeyPatch, rule: str) -> CompiledPlan:
    monkeypatch.chdir(folder)
    return compile_folder(write_texts(folder, SPEC.format(rule=rule), SCHEMA))


def test_equal_columns_share_a_function_and_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = _compile(tmp_path, monkeypatch, "crc32(user_id) % 4")
    groups: dict[int, set[str]] = {}
    for name, function in made.functions.items():
        groups.setdefault(id(function), set()).add(name)
    assert sorted(map(sorted, groups.values())) == [["a", "b", "renamed"], ["buyer"], ["text"]]


@pytest.mark.parametrize(
    ("table", "there", "not_there"),
    [("b", "`user_id`", "owner_id"), ("renamed", "`owner_id`", "user_id"), ("buyer", "`buyer_id`", "user_id")],
)
def test_misplaced_rows_are_found_by_the_tables_own_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str, there: str, not_there: str
) -> None:
    made = _compile(tmp_path, monkeypatch, "crc32(user_id) % 4")
    step = next(step for step in made.plan.steps if (step.table, step.name) == (table, StepName.VERIFY_TARGET))
    sql = step.statement("sum")
    assert there in sql.split("@sw_shard")[0] and not_there not in sql


def test_each_table_is_warned_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = _compile(tmp_path, monkeypatch, "crc32(user_id) % 2")
    assert [item.code for item in made.warnings].count("SW5004") == len(KINDS)
