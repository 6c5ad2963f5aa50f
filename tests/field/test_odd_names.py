"""Columns whose names are SQL, from import to repair: each statement that is printed or run names them as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import Case

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

NAMES = (
    "a.b",
    "c d",
    "select",
    "x-y",
    "back`tick",
    "quo'te",
    'dou"ble',
    "com,ma",
    "__SQLGLOT__",
    "%s",
    "@sw_batch",
    "ä",
)
TABLES = 'tables:\n  - {table: "w-x", sharding: by_id}'


@pytest.mark.long
def test_statements_that_repair_prints_repair_the_row(arena: Arena, tmp_path: Path) -> None:
    quoted = ["`" + name.replace("`", "``") + "`" for name in NAMES]
    columns = ", ".join(f"{name} INT" for name in quoted)
    values = ", ".join(str(number) for number in range(len(NAMES)))
    case = Case(
        arena,
        tmp_path,
        TABLES,
        setup=(
            f"CREATE TABLE `w-x` (id INT PRIMARY KEY, {columns}) DEFAULT CHARSET=utf8mb4",
            f"INSERT INTO `w-x` VALUES (1, {values}), (2, {values}), (3, {values})",
        ),
    )
    case.plan()
    case.run()
    case.write(f"UPDATE `w-x` SET {quoted[0]} = 99 WHERE id = 3")
    case.run()
    case.require_equal("w-x")
    ((database, suffix, _),) = [found for found in case.shard_rows("w-x") if found[2][0] == 1]
    with arena.shard(database) as connection, connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE `w-x{suffix}` SET {', '.join(f'{name} = NULL' for name in quoted)} WHERE id = 1".replace(
                "%", "%%"
            ),
            (),
        )
        connection.commit()
    result = tmp_path / "v.json"
    case.verify("--report", f"json={result}", code=1)
    (mismatch,) = json.loads(result.read_text())["tables"][0]["mismatches"]
    assert [item["column"] for item in mismatch["columns"]] == list(NAMES)
    printed = case.call("repair", str(result), "--env", "test", "--dry-run").out
    statements = [line for line in printed.splitlines() if line.startswith(("UPDATE", "DELETE", "INSERT"))]
    assert len(statements) == 1, printed
    with arena.shard(database) as connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement.removesuffix(";"))
    case.require_equal("w-x")
    case.verify(saying="equal")
