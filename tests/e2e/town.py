"""The project of a town, whose source's server is lost: people by owner on two shards, and what else a test puts
beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.servers.testbed import Arena
from tests.support.job import SMALL_SPARK, Job

DATABASES = ("town_db_0", "town_db_1")
PEOPLE = """CREATE TABLE people (
  id INT NOT NULL PRIMARY KEY,
  owner INT NOT NULL,
  note VARCHAR(40) NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
_SPEC = """version: 1
migration: town-split
owner: town-team
source: {{dialect: {kind}, databases: [town], schema: schema/town.sql}}
target: {{databases: "town_db_{{0..1}}", tables_suffix: "_{{0..1}}"}}
sharding:
  by_owner: {{shard_key: [owner], database: crc32(owner) % 2, table: (crc32(owner) div 2) % 2}}
tables:
"""


def town_job(
    arena: Arena, folder: Path, tables: Sequence[str], *, schema: Sequence[str] = (PEOPLE,), **settings: Any
) -> Job:
    """The project and its source tables, which are empty. `tables` are the spec's, `settings` keys of the
    environment."""
    example = folder / "example"
    for part in ("specs", "schema", "ddl"):
        (example / part).mkdir(parents=True)
    spec = _SPEC.format(kind=arena.source.sandbox.kind) + "".join(f"  - {table}\n" for table in tables)
    (example / "specs" / "town.yaml").write_text(spec, encoding="utf-8")
    (example / "schema" / "town.sql").write_text("\n".join(schema), encoding="utf-8")
    job = Job(arena, example, folder, settings={**SMALL_SPARK, **settings})
    for statement in schema:
        arena.source.query(statement, database="town")
    job.call("compile")
    return job
