"""Tables with clauses that shards have no use for: what `import` writes `compile` reads, and what it accepts `run`
accepts. The copy and the stream carry their rows, on both servers.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT, Job

pytestmark = [pytest.mark.server, pytest.mark.spark]

BOTH = """\
CREATE TABLE parted (id int PRIMARY KEY, v int) PARTITION BY HASH (id) PARTITIONS 4;
CREATE TABLE priced (id int PRIMARY KEY, p float unsigned NOT NULL DEFAULT 0, w float(7,3) unsigned);
CREATE TABLE counted (id int PRIMARY KEY, v int) CHECKSUM=1 DELAY_KEY_WRITE=1;
"""
OWN = {
    "mariadb": """\
CREATE SEQUENCE numbers START WITH 100;
CREATE TABLE numbered (id bigint NOT NULL DEFAULT nextval(numbers) PRIMARY KEY, v int);
CREATE TABLE dated (id int PRIMARY KEY, d date NOT NULL DEFAULT curdate(), e datetime DEFAULT (now() + interval 1 day));
CREATE TABLE packed (id int PRIMARY KEY, z int, KEY kz (z) IGNORED);
""",
    "mysql": """\
CREATE TABLE numbered (v int, id bigint NOT NULL PRIMARY KEY);
CREATE TABLE dated (id int PRIMARY KEY, d date NOT NULL DEFAULT (curdate()), e datetime DEFAULT (now() + interval 1 day));
CREATE TABLE packed (id int PRIMARY KEY, z int, h int INVISIBLE, KEY kz (z) INVISIBLE);
""",
}
TABLES = ("parted", "priced", "counted", "numbered", "dated", "packed")
SPEC = """\
version: 1
migration: clauses
source: {{dialect: {kind}, databases: [clauses], schema: schema/clauses.sql}}
target: {{databases: ["clauses_{{0..1}}"]}}
sharding:
  by_id: {{shard_key: [id], database: crc32(id) % 2}}
tables:
"""


@pytest.mark.long
def test_import_compile_and_run_agree(arena: Arena, tmp_path: Path) -> None:
    kind = arena.source.sandbox.kind
    example = tmp_path / "example"
    for part in ("specs", "schema", "ddl"):
        (example / part).mkdir(parents=True)
    entries = "".join(f"  - {{table: {name}, sharding: by_id}}\n" for name in TABLES)
    (example / "specs" / "clauses.yaml").write_text(SPEC.format(kind=kind) + entries, encoding="utf-8")
    job = Job(arena, example, tmp_path)
    arena.source.run_script(BOTH + OWN[kind], database="clauses")
    _insert(arena, 1)
    for verb in ("import", "compile"):
        job.call(verb, *(("--env", ENVIRONMENT) if verb == "import" else ()))
    job.run_until_caught_up()
    _insert(arena, 4)
    arena.source.query("DELETE FROM priced WHERE id = 2", database="clauses")
    job.run_until_caught_up()
    for table in TABLES:
        order = f"SELECT * FROM {table} ORDER BY id"
        wanted = arena.source.query(order, database="clauses")
        found = [row for shard in (0, 1) for row in _rows(arena, f"clauses_{shard}", order)]
        assert len(wanted) == (5 if table == "priced" else 6)
        assert sorted(found, key=repr) == sorted(wanted, key=repr), table


def _insert(arena: Arena, first: int) -> None:
    for number in range(first, first + 3):
        for table, column in zip(TABLES, ("v", "p", "v", "v", "e", "z"), strict=True):
            value = "'2024-01-02 03:04:05'" if column == "e" else str(number)
            arena.source.query(f"INSERT INTO {table} (id, {column}) VALUES ({number}, {value})", database="clauses")


def _rows(arena: Arena, database: str, statement: str) -> list[tuple[object, ...]]:
    with arena.shard(database) as connection, connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())
