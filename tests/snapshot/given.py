"""A project of one spec and one schema file, written for a test."""

from __future__ import annotations

from pathlib import Path

PEOPLE = (
    "CREATE TABLE people (id INT PRIMARY KEY, owner INT UNSIGNED NOT NULL, name VARCHAR(20) NOT NULL) "
    "CHARSET=utf8mb4 COLLATE=utf8mb4_bin;"
)
PEOPLE_SPEC = """
version: 1
migration: {migration}
source: {{dialect: {dialect}, databases: [shop], schema: schema/shop.sql}}
target: {{databases: "people_{{0..1}}", tables_suffix: "_{{0..1}}"}}
sharding: {{by_owner: {{shard_key: [owner], database: owner % 2, table: (owner div 2) % 2}}}}
tables: [{{table: people, sharding: by_owner}}]
ddl: ddl/
"""


def make_project(folder: Path, spec: str, schema: str) -> Path:
    """The project's folder, in the form that `Job` takes."""
    project = folder / "given"
    for name, text in (("specs/given.yaml", spec), ("schema/shop.sql", schema)):
        (project / name).parent.mkdir(parents=True)
        (project / name).write_text(text, encoding="utf-8")
    (project / "ddl").mkdir()
    return project
