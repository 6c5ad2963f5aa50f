"""`import` writes what the live source says, and what it writes is read back, triggers too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shardwright.runtime.cli.source_triggers import source_triggers
from shardwright.runtime.sandbox.accounts import RUNTIME_USER
from tests.e2e.driver import ENVIRONMENT, shardwright
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

SPEC = """\
version: 1
migration: shop
source: {dialect: mariadb, databases: [shop], schema: schema/shop.sql}
target: {databases: [left, right]}
tables:
  - table: item
    sharding: broadcast
  - table: 'odd `name'
    sharding: broadcast
ignore_tables: [elsewhere]
"""

SOURCE = """\
CREATE TABLE item (id bigint NOT NULL PRIMARY KEY, total int NOT NULL) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE `odd ``name` (id bigint NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE elsewhere (id bigint NOT NULL PRIMARY KEY);
DELIMITER ;;
CREATE TRIGGER item_total BEFORE UPDATE ON item FOR EACH ROW
BEGIN
  IF NEW.total < 0 THEN
    SET NEW.total = CASE WHEN OLD.total < 0 THEN 0 ELSE OLD.total END; -- it's a comment
  END IF;
END;;
CREATE TRIGGER `a ``trigger` AFTER INSERT ON `odd ``name` FOR EACH ROW INSERT INTO item VALUES (NEW.id, LENGTH('a;;b'));;
CREATE TRIGGER not_moved AFTER DELETE ON elsewhere FOR EACH ROW DELETE FROM item WHERE id = OLD.id;;
DELIMITER ;
"""


@pytest.fixture
def project(arena: Arena, tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "specs").mkdir(parents=True)
    (folder / "specs" / "shop.yaml").write_text(SPEC.replace("mariadb", arena.source.sandbox.kind), encoding="utf-8")
    file = arena.prepare(folder, source_databases=("shop",), target_databases=("left", "right"))
    assert file.is_relative_to(folder)
    arena.source.run_script(SOURCE, database="shop")
    return folder


def test_triggers_are_written_for_who_may_see_them(arena: Arena, project: Path) -> None:
    told = shardwright(project, "import", "--env", ENVIRONMENT).require(0)
    assert "3 tables, no triggers that this account may see" in told.err

    account = (RUNTIME_USER, arena.source.sandbox.account_host)
    arena.source.query("GRANT TRIGGER ON shop.* TO %s@%s", account)
    told = shardwright(project, "import", "--env", ENVIRONMENT).require(0)
    assert "3 tables, 2 triggers" in told.err
    written = (project / "schema" / "shop.sql").read_text("utf-8")
    assert "DEFINER" not in written and "not_moved" not in written

    outcome = shardwright(project, "compile", "--format", "json").require(0)
    findings = [each for each in json.loads(outcome.out)["findings"] if each["code"] == "SW4307"]
    assert [each["message"].split("(")[0].strip() for each in findings] == [
        "trigger 'item_total'",
        "trigger 'a `trigger'",
    ]


def test_a_body_that_cannot_be_read_is_left_out(arena: Arena, project: Path) -> None:
    with arena.source.connect("shop") as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'")
        cursor.execute("CREATE TRIGGER slash BEFORE INSERT ON item FOR EACH ROW SET NEW.total = LENGTH('\\')")
        found = source_triggers(connection, "shop")["item"]

    assert "-- The body" in found[0]
    assert "CREATE TRIGGER `slash` BEFORE INSERT ON `item` FOR EACH ROW BEGIN END;" in found[0]
