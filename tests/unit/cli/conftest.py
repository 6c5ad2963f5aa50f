"""A small project in a folder of its own, and the command line within it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from shardwright.runtime.cli.main import main

SPEC = """\
version: 1
migration: {name}
source: {{dialect: mariadb, databases: [shop], schema: schema/shop.sql}}
target: {{databases: "{name}_db_{{0..3}}", tables_suffix: "_{{0..3}}"}}
sharding:
  by_user:
    shard_key: [user_id]
    database: {database}
    table: (user_id div 4) % 4
tables:
  - table: orders
    sharding: by_user
ddl: ddl
"""
SCHEMA = """\
CREATE TABLE orders (
  order_id BIGINT NOT NULL,
  user_id INT UNSIGNED NOT NULL,
  PRIMARY KEY (user_id, order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""


@dataclass(frozen=True, slots=True)
class Ended:
    code: int
    out: str
    err: str


Call = Callable[..., Ended]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: two specs over one schema file, no findings."""
    for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE", "CI_PROJECT_DIR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "project"
    for folder in ("specs", "schema", "ddl"):
        (root / folder).mkdir(parents=True)
    (root / "schema" / "shop.sql").write_text(SCHEMA)
    write_spec(root, "one")
    write_spec(root, "two")
    monkeypatch.chdir(root)
    return root


def write_spec(root: Path, name: str, *, database: str = "user_id % 4") -> None:
    (root / "specs" / f"{name}.yaml").write_text(SPEC.format(name=name, database=database))


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Runs a command here and gives its exit code and what it wrote."""

    def run(*arguments: str) -> Ended:
        try:
            code = main(arguments)
        except SystemExit as ended:
            code = int(ended.code or 0)
        written = capsys.readouterr()
        return Ended(code, written.out, written.err)

    return run


def files_below(root: Path) -> set[str]:
    return {os.path.relpath(path, root) for path in root.rglob("*") if path.is_file()}
