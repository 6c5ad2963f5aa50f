"""Ledgers in databases of their own: the application's databases on the shards have no table of ours, from the first
statement of a run to the end of a finished cutover.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.rehearsal.sandbox.accounts import allow_cutover, allow_way_back
from tests.servers.testbed import Arena
from tests.support.case import OWN_LEDGER, SHARDS, SOURCE, Case, let_in
from tests.support.commands import own_process
from tests.support.job import ENVIRONMENT, SMALL_SPARK
from tests.support.waiting import repeat_until_it_passes

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.long]

SETUP = (
    "CREATE TABLE person (id INT PRIMARY KEY, mail VARCHAR(40) NOT NULL UNIQUE, name VARCHAR(40)) "
    "DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
    "CREATE TABLE note (no INT PRIMARY KEY, id INT NOT NULL, text VARCHAR(40), KEY (id)) DEFAULT CHARSET=utf8mb4",
    "CREATE TABLE item (id INT PRIMARY KEY, text VARCHAR(40), KEY by_text (text)) DEFAULT CHARSET=utf8mb4",
    "INSERT INTO person SELECT seq, CONCAT('m', seq), 'x' FROM (WITH RECURSIVE r AS (SELECT 1 AS seq UNION ALL "
    "SELECT seq + 1 FROM r WHERE seq < 200) SELECT seq FROM r) AS q",
    "INSERT INTO note SELECT id * 10, id, 'old' FROM person",
    "INSERT INTO item SELECT id, 'old' FROM person",
)
TABLES = f"""{OWN_LEDGER}
tables:
  - {{table: person, sharding: by_id, weight: 10}}
  - table: note
    sharding: {{rule: by_id, shard_key: {{parent: person, via: [id]}}}}
    weight: 5
  - {{table: item, sharding: by_id, weight: 1, existing_rows: replace, defer_indexes: true}}
ddl: ddl/"""
CUTOVER = {
    **SMALL_SPARK,
    "cutover": {"fence": {"source": "triggers", "shards": "triggers"}, "max_lag": "60s", "max_pause": "60s"},
}


def _case(arena: Arena, folder: Path, *, settings: Mapping[str, Any] = SMALL_SPARK) -> Case:
    case = Case(arena, folder, TABLES, setup=SETUP, stream="{format: binlog, ddl: apply}", settings=settings)
    (case.project / "ddl").mkdir()
    case.plan()
    return case


def _require_none_of_ours(arena: Arena) -> None:
    """In the application's databases, whose tables are those of the spec."""
    for database in SHARDS:
        with arena.shard(database) as connection, connection.cursor() as cursor:
            cursor.execute("SHOW TABLES")
            tables = {str(name) for (name,) in cursor.fetchall()}
        assert tables <= {f"{table}{part}" for table in ("person", "note", "item") for part in ("_0", "_1")}, tables


def _until_equal(case: Case, *tables: str) -> None:
    """The way back has brought everything."""
    for table in tables:
        repeat_until_it_passes(lambda table=table: case.require_equal(table, key=None))  # type: ignore[misc]


def _require_lookup_tables_are_repaired(case: Case, arena: Arena, result: Path) -> None:
    with arena.shard(SHARDS[0]) as connection, connection.cursor() as cursor:
        cursor.execute("DELETE FROM led_part_0._sw_place_person WHERE id = 60")
        cursor.execute("UPDATE led_part_0._sw_place_person SET sw_at_part = 1 - sw_at_part WHERE id = 61")
        connection.commit()
    case.verify("--report", f"json={result}", code=1, saying="DIFFERENT")
    repair = ("repair", str(result), "--env", ENVIRONMENT)
    case.call(*repair, "--dry-run", saying="UPDATE `led_part_0`.`_sw_place_person`")
    case.call(*repair, "--run")
    case.verify(saying="equal")


def test_a1_e18_a_run_is_killed_and_resumed_and_ddl_is_routed(arena: Arena, tmp_path: Path) -> None:
    case = _case(arena, tmp_path)
    case.run(code=6, saying="GRANT")
    let_in(arena, but="CREATE")
    case.call("preflight", "--env", ENVIRONMENT, code=6, saying="lacks CREATE in led_part_0")
    (case.project / "ddl" / "0001_more.sql").write_text("ALTER TABLE person ADD COLUMN more INT NULL;\n")
    case.call("compile")
    case.call("ddl", "apply", "--env", ENVIRONMENT, code=6, saying="SW8223")
    (case.project / "ddl" / "0001_more.sql").unlink()
    case.call("compile")
    let_in(arena)
    case.call("status", "--env", ENVIRONMENT, saying="not started")
    case.verify(code=6)
    for failpoints in ("after-begin=kill", "before-chunk-done=kill", "before-indexes-built=kill"):
        run = ("run", "--env", ENVIRONMENT, "--until", "caught-up")
        own_process(case.project, *run, environ={VARIABLE: failpoints}).require(-9)
        _require_none_of_ours(arena)
    case.run()
    case.require_equal("person")
    case.write(
        "UPDATE person SET mail = IF(id = 1, 'm2', 'm1') WHERE id = 0",
        "UPDATE person SET name = 'new' WHERE id < 50",
        "UPDATE person SET mail = CONCAT('n', id) WHERE id BETWEEN 20 AND 30",
        "DELETE FROM note WHERE id = 7",
        "INSERT INTO note VALUES (1, 8, 'new')",
        "UPDATE note SET id = 9 WHERE no = 100",
        "UPDATE person SET id = 1000 WHERE id = 199",
        "ALTER TABLE item ADD COLUMN more INT NULL",
        "UPDATE item SET more = id",
    )
    own_process(case.project, *run, environ={VARIABLE: "after-mark-staged=kill"}).require(-9)
    case.run(code=5, saying="SW8548")
    case.plan()
    case.run()
    case.write("TRUNCATE TABLE item", "INSERT INTO item VALUES (1, 'one', 1), (2, 'two', 2)")
    case.run()
    (case.project / "ddl" / "0001_more.sql").write_text("ALTER TABLE person ADD COLUMN more INT NULL;\n")
    case.call("compile")
    case.call("ddl", "apply", "--env", ENVIRONMENT)
    case.call("ddl", "apply", "--env", ENVIRONMENT, saying="0 physical tables changed")
    case.call("ddl", "status", "--env", ENVIRONMENT, saying="0001_more.sql")
    case.call("ddl", "plan", "--drift", "--env", ENVIRONMENT)
    case.verify(saying="equal")
    _require_lookup_tables_are_repaired(case, arena, tmp_path / "verified.json")
    for database in SHARDS:
        with arena.shard(database) as connection, connection.cursor() as cursor:
            cursor.execute("DELETE FROM item_0")
            cursor.execute("DELETE FROM item_1")
    case.verify(code=1, saying="DIFFERENT")
    case.run("--recopy", "item")
    case.verify(saying="equal")
    for table, columns in (("person", "id, mail, name"), ("item", "*")):
        case.require_equal(table, columns)
    case.require_equal("note", key=None)  # one note is an orphan
    _require_none_of_ours(arena)


def test_the_ledger_of_a_begun_migration_stays_where_it_is(arena: Arena, tmp_path: Path) -> None:
    case = _case(arena, tmp_path)
    let_in(arena)
    case.run()
    spec = case.spec_file.read_text(encoding="utf-8")
    for line in ("", OWN_LEDGER.replace("led_", "other_")):
        case.spec_file.write_text(spec.replace(OWN_LEDGER, line), encoding="utf-8")
        case.call("compile")
        case.run(code=6, saying="has begun with its first ledger in database led_part_0")


def test_h8_h9_a_cutover_to_its_end(arena: Arena, tmp_path: Path) -> None:
    case = _case(arena, tmp_path, settings=CUTOVER)
    let_in(arena)
    shards = {id(server): server.sandbox for server in arena.placement.values()}.values()
    allow_way_back(arena.source.sandbox, [SOURCE], list(shards))
    allow_cutover(arena.source.sandbox, [SOURCE], kind="triggers")
    for sandbox in shards:
        allow_cutover(sandbox, list(SHARDS), kind="triggers")
    with case.call_in_background("run", "--env", ENVIRONMENT, "--until", "forever"):
        case.wait_until_caught_up()
        case.verify(saying="equal")
        case.call("cutover", "--env", ENVIRONMENT)
        for database in SHARDS:
            rows = arena.placement[database].query(f"SELECT writes_to FROM led_{database}._shardwright_switch")
            assert rows == [("shards",)]
            with arena.shard(database) as connection, connection.cursor() as cursor:
                cursor.execute("UPDATE person_0 SET name = 'of the shards'")
                cursor.execute("DELETE FROM item_1 WHERE id < 100")
        _until_equal(case, "person", "item", "note")
        case.call("cutover", "rollback", "--env", ENVIRONMENT)
        case.write("UPDATE person SET name = 'of the source' WHERE id < 9", "INSERT INTO item VALUES (7000, 'seven')")
        case.wait_until_caught_up()
        for table in ("person", "item"):
            case.require_equal(table)
        _require_none_of_ours(arena)
        case.call("cutover", "--env", ENVIRONMENT)
    case.call("cutover", "finish", "--env", ENVIRONMENT)
    _require_none_of_ours(arena)
    for database in SHARDS:
        left = {name for (name,) in arena.placement[database].query(f"SHOW TABLES FROM led_{database}")}
        assert "_shardwright_switch" in left
        assert not [name for name in left if name.startswith("_sw_")], left
