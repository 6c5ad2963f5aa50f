"""Tables whose names break out of careless SQL, from import to repair: copied, followed, copied again, held back and
verified (hazard I1)."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import shardwright.runtime
from tests.servers.testbed import Arena
from tests.source_trees import tree_of
from tests.support.case import SHARDS, SUFFIXES, Case

SOURCE = "od`d 'ta,b %s le\""
TARGET = "re`gi'on,s;--x"
TABLES = f"""
tables:
  - {{table: {json.dumps(SOURCE)}, to: {json.dumps(TARGET)}, sharding: by_id, errors: {{policy: quarantine, at_most: 5}}}}
"""
NO_SQL = {"sources/binlog/fields.py", "events/run.py", "ddl/online/tools.py"}
"""A docstring, a sentence, a file of gh-ost's."""
_FORMATTED = re.compile(r"`\{\w+\}`")
ROOT = Path(str(shardwright.runtime.__file__)).parent


def quote(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


@pytest.mark.in_turn
@pytest.mark.server
@pytest.mark.spark
@pytest.mark.slow
def test_i1_a_table_of_any_name_is_copied_followed_held_and_copied_again(arena: Arena, tmp_path: Path) -> None:
    name = quote(SOURCE)
    case = Case(
        arena,
        tmp_path,
        TABLES,
        setup=(
            f"CREATE TABLE {name} (id INT PRIMARY KEY, word VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin)",
            f"INSERT INTO {name} VALUES (1, 'one'), (2, '__SQLGLOT__LB__'), (3, 'three')",
        ),
    )
    case.plan()
    case.run()
    _require_equal(case)
    case.write(f"UPDATE {name} SET word = 'four' WHERE id = 1", f"DELETE FROM {name} WHERE id = 3")
    case.run()
    _require_equal(case)
    for database in SHARDS:
        with arena.shard(database) as shard, shard.cursor() as cursor:
            for suffix in SUFFIXES:
                cursor.execute(
                    f"ALTER TABLE {quote(TARGET + suffix)} ADD CONSTRAINT {quote('no' + suffix)} CHECK (word <> 'bad')"
                )
    case.write(f"INSERT INTO {name} VALUES (5, 'bad'), (6, 'fine')")
    case.run(code=7)
    listed = case.call("dead-letters", "list", "--env", "test").out
    assert [TARGET, "5", "held"] in [line.split()[:3] for line in listed.splitlines()], listed
    case.write(f"UPDATE {name} SET word = 'good' WHERE id = 5")
    case.call("dead-letters", "retry", "--env", "test", "--table", TARGET, "--key", "5")
    case.run()
    _require_equal(case)
    case.run("--recopy", f'"{TARGET}"')
    _require_equal(case)
    case.verify(saying="equal")


def _require_equal(case: Case) -> None:
    found = []
    for database in SHARDS:
        with case.arena.shard(database) as shard, shard.cursor() as cursor:
            for suffix in SUFFIXES:
                cursor.execute(f"SELECT * FROM {quote(TARGET + suffix)}")
                found += cursor.fetchall()
    assert sorted(found) == sorted(case.source.query(f"SELECT * FROM {quote(SOURCE)}", database="shop"))


def test_i1_no_statement_puts_a_name_between_quotes_by_itself() -> None:
    """`identifier`, `quote` and their like double what would end the quotes."""
    found = [found for path in sorted(ROOT.rglob("*.py")) for found in _bare(path)]
    assert [one for one in found if one.partition(":")[0] not in NO_SQL] == []


def _bare(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _FORMATTED.search(node.value):
            yield f"{path.relative_to(ROOT)}:{node.lineno}: {node.value}"
        if isinstance(node, ast.JoinedStr):
            for before, value, after in zip(node.values, node.values[1:], node.values[2:], strict=False):
                if isinstance(value, ast.FormattedValue) and _ends(before, "`") and _ends(after, "`", first=True):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"


def _ends(node: ast.expr, mark: str, *, first: bool = False) -> bool:
    if not isinstance(node, ast.Constant):
        return False
    return str(node.value).startswith(mark) if first else str(node.value).endswith(mark)
