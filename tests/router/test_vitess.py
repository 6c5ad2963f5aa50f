"""Vitess' own code places every key as the plan does, by the VSchema that `router` makes."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from shardwright.runtime.cli.main import main
from tests.router.languages import RUNNERS

pytestmark = pytest.mark.long

VITESS = "vitess.io/vitess@v0.24.4"

SPEC = """\
version: 1
migration: shop
source: {dialect: mysql, databases: [shop], schema: schema/shop.sql}
target: {databases: "db_{0..3}"}
sharding:
  RULE
tables:
  - {table: orders, sharding: by_user, weight: 10}
  - {table: user_data, sharding: by_user}
  - {table: currency, sharding: broadcast}
  - {table: setting, sharding: {single: db_2}}
"""
RANGES = "by_user: {shard_key: [user_id], algorithm: range, options: {boundaries: [1000, 65536, 4000000000]}}"
LIST = "by_user: {shard_key: [user_id], algorithm: lookup, options: {default: db_1, map: {7: db_0, 77: db_2, 777: db_3, 8: db_1}}}"
SCHEMA = """\
CREATE TABLE orders (user_id INT UNSIGNED NOT NULL, order_id BIGINT NOT NULL, PRIMARY KEY (user_id, order_id)) CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE user_data (user_id INT UNSIGNED NOT NULL PRIMARY KEY, name VARCHAR(20)) CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE currency (code CHAR(3) NOT NULL PRIMARY KEY) CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE setting (name VARCHAR(20) NOT NULL PRIMARY KEY) CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runner with Vitess' packages, from the module proxy."""
    if shutil.which("go") is None:
        pytest.skip("there is no go here")
    folder = tmp_path_factory.mktemp("vitess")
    shutil.copy(RUNNERS / "vitess" / "main.go", folder)
    (folder / "go.mod").write_text("module example\n\ngo 1.26\n")
    for command in (["go", "get", VITESS], ["go", "mod", "tidy"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode != 0:
            pytest.skip(f"{' '.join(command)}: {done.stderr[-300:]}")
    subprocess.run(["go", "build", "-o", "run", "."], cwd=folder, check=True, timeout=600)
    return folder / "run"


@pytest.mark.parametrize("rule", [RANGES, LIST], ids=["range", "lookup"])
def test_d15_vitess_places_every_key_as_the_plan_does(rule: str, tmp_path: Path, program: Path) -> None:
    for name in ("specs", "schema"):
        (tmp_path / name).mkdir()
    (tmp_path / "specs" / "shop.yaml").write_text(SPEC.replace("RULE", rule))
    (tmp_path / "schema" / "shop.sql").write_text(SCHEMA)
    made = tmp_path / "made"
    assert main(["--project", str(tmp_path), "router", "--format", "vitess", "--out", f"{made}/"]) == 0
    vectors = json.loads((made / "vectors.json").read_text())["vectors"]
    done = subprocess.run([program, made], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    *placed, first, second = done.stdout.splitlines()
    assert placed == [vector["database"] for vector in vectors]
    assert len(set(placed)) == 4 and len(placed) > 80
    assert {first, second} == {"currency everywhere", "setting db_2"}
