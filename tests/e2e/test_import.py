"""`import` writes what the live source says, and what it writes is read back, triggers too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shardwright.runtime.cli.source_schema import source_triggers, with_collations, without_counter
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from tests.servers.testbed import Arena
from tests.support.commands import own_process, shardwright
from tests.support.job import ENVIRONMENT

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
    reported = shardwright(project, "import", "--env", ENVIRONMENT).require(0)
    assert "3 tables, no triggers that this account may see" in reported.err

    account = (RUNTIME_USER, arena.source.sandbox.account_host)
    arena.source.query("GRANT TRIGGER ON shop.* TO %s@%s", account)
    reported = shardwright(project, "import", "--env", ENVIRONMENT).require(0)
    assert "3 tables, 2 triggers" in reported.err
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


TEXTS = r"""
CREATE TABLE notes (
  id int NOT NULL AUTO_INCREMENT PRIMARY KEY,
  hint varchar(40) DEFAULT 'x AUTO_INCREMENT=5',
  v int COMMENT 'restart with AUTO_INCREMENT=1 after a load',
  `AUTO_INCREMENT=3` int,
  KEY `k AUTO_INCREMENT=4` (v)
) AUTO_INCREMENT=70 COMMENT='archive; AUTO_INCREMENT=77 was the last' DEFAULT CHARSET=utf8mb4;
"""


def test_only_the_counter_of_the_table_is_left_out(arena: Arena, project: Path) -> None:
    arena.source.run_script(TEXTS, database="shop")
    ((_, created),) = arena.source.query("SHOW CREATE TABLE notes", database="shop")
    assert created.count(" AUTO_INCREMENT=70 ") == 1
    assert without_counter(created) == created.replace(" AUTO_INCREMENT=70 ", " ")


def test_a_table_that_nothing_takes_is_written_and_named(arena: Arena, project: Path) -> None:
    """By `import` and by `preflight`; once it is ignored, import, compile and preflight agree."""
    arena.source.query("CREATE TABLE coupons (id int PRIMARY KEY) DEFAULT CHARSET=utf8mb4", database="shop")
    reported = shardwright(project, "import", "--env", ENVIRONMENT).require(6)
    assert "SW4320" in reported.err and "shop.coupons" in reported.err and "elsewhere" not in reported.err
    assert "CREATE TABLE `coupons`" in (project / "schema" / "shop.sql").read_text("utf-8")

    shardwright(project, "compile", "-q").require(0)
    asked = ("preflight", "--env", ENVIRONMENT)
    reported = shardwright(project, *asked).require(6)
    assert "SW4320" in reported.out and "coupons" in reported.out and "elsewhere" not in reported.out

    spec = project / "specs" / "shop.yaml"
    spec.write_text(spec.read_text("utf-8").replace("[elsewhere]", "[elsewhere, coupons]"), encoding="utf-8")
    shardwright(project, "import", "--env", ENVIRONMENT).require(0)
    shardwright(project, "compile", "-q").require(0)
    assert "SW4320" not in shardwright(project, *asked).out


def test_what_is_no_table_is_named_for_what_it_is(arena: Arena, project: Path) -> None:
    spec = project / "specs" / "shop.yaml"
    text = spec.read_text("utf-8")
    arena.source.query("CREATE VIEW seen AS SELECT id FROM item", database="shop")
    spec.write_text(text.replace("table: item", "table: seen"), encoding="utf-8")
    reported = shardwright(project, "import", "--env", ENVIRONMENT).require(6)
    assert "SW4321" in reported.err and "shop.seen is a view" in reported.err

    if arena.source.sandbox.kind != "mariadb":
        return
    arena.source.query("CREATE TABLE kept (id int PRIMARY KEY) WITH SYSTEM VERSIONING", database="shop")
    spec.write_text(text.replace("table: item", "table: kept").replace("[else", "[item, else"), encoding="utf-8")
    shardwright(project, "import", "--env", ENVIRONMENT).require(0)
    reported = shardwright(project, "compile").require(1)
    assert "SW4109" in reported.err + reported.out and "WITH SYSTEM VERSIONING" in reported.err + reported.out


def test_an_ignored_table_that_cannot_be_read_blocks_nothing(arena: Arena, project: Path) -> None:
    file = project / "schema" / "shop.sql"
    shardwright(project, "import", "--env", ENVIRONMENT).require(0)
    written = file.read_text("utf-8")
    file.write_text(written + "CREATE TABLE `elsewhere2` (`id` flower);\n", encoding="utf-8")
    reported = shardwright(project, "compile", "-q")
    assert reported.code == 1 and "SW4102" in reported.err + reported.out
    spec = project / "specs" / "shop.yaml"
    spec.write_text(spec.read_text("utf-8").replace("[elsewhere]", '["elsewhere*"]'), encoding="utf-8")
    shardwright(project, "compile", "-q").require(0)


LATIN1 = """
CREATE TABLE supermasters (
  ip varchar(64) NOT NULL,
  nameserver varchar(255) NOT NULL,
  account varchar(40) CHARACTER SET utf8mb3 NOT NULL,
  `SET it's` enum('a','b') CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'a' COMMENT 'CHARACTER SET x',
  PRIMARY KEY (ip, nameserver, account)
) DEFAULT CHARACTER SET latin1;
"""


def test_r_import_latin1_writes_the_collations_that_the_server_leaves_out(arena: Arena, project: Path) -> None:
    """Servers print no collation that is the default of its character set."""
    arena.source.run_script(LATIN1, database="shop")
    spec = project / "specs" / "shop.yaml"
    entry = "tables:\n  - table: supermasters\n    sharding: broadcast\n"
    spec.write_text(spec.read_text("utf-8").replace("tables:\n", entry), encoding="utf-8")
    shardwright(project, "import", "--env", ENVIRONMENT).require(0)
    written = (project / "schema" / "shop.sql").read_text("utf-8")
    assert "DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci" in written
    ((collation,),) = arena.source.query(
        "SELECT collation_name FROM information_schema.columns WHERE table_name = 'supermasters' "
        "AND column_name = 'account' AND table_schema = 'shop'"
    )
    assert f"`account` varchar(40) CHARACTER SET utf8mb3 COLLATE {collation} NOT NULL" in written
    shardwright(project, "compile", "-q").require(0)


def test_collations_are_added_where_they_are_missing_alone() -> None:
    whole = (
        "CREATE TABLE `t` (\n  `a` varchar(9) CHARACTER SET utf8mb3 COLLATE utf8mb3_bin NOT NULL COMMENT 'CHARACTER SET',"
        "\n  KEY `CHARACTER SET` (`a`)\n) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_bin COMMENT='COLLATE'"
    )
    bare = whole.replace(" COLLATE utf8mb3_bin", "").replace(" COLLATE=latin1_bin", "")
    for text in (whole, bare):
        assert with_collations(text, "latin1_bin", columns={"a": "utf8mb3_bin"}) == whole


def test_c16_each_verb_that_connects_to_the_source_says_that_it_is_of_another_kind(arena: Arena, project: Path) -> None:
    spec = project / "specs" / "shop.yaml"
    kind = arena.source.sandbox.kind
    other = "mysql" if kind == "mariadb" else "mariadb"
    shardwright(project, "import", "--env", ENVIRONMENT).require(0)
    spec.write_text(spec.read_text("utf-8").replace(f"dialect: {kind}", f"dialect: {other}"), encoding="utf-8")
    shardwright(project, "compile", "-q").require(0)
    for verb in (["import"], ["preflight"], ["forecast"]):
        said = own_process(project, *verb, "--env", ENVIRONMENT).err
        assert said.count("warning SW8310") == 1 and f"dialect: {other}" in said, (verb, said)
