"""What logged DDL statements are understood to do, and which are refused by name."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from shardwright.compiler.build import build_plan
from shardwright.compiler.ddl.logged.carry_over import find_unexplained
from shardwright.compiler.ddl.logged.read_logged import describe_skipped, read_logged
from shardwright.compiler.ddl.logged.swap import compare_swap, read_swap
from shardwright.compiler.ddl.source.logged_change import CannotFollow
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.plan.steps import columns_data, plan_record
from shardwright.compiler.schema.file import read_schema
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.read import read_spec

SCHEMA = """
CREATE TABLE `orders` (
  `id` bigint NOT NULL,
  `user_id` int unsigned NOT NULL,
  `code` varchar(20) COLLATE utf8mb4_bin NOT NULL,
  `secret` varchar(20) DEFAULT NULL,
  `amt` decimal(10,2) NOT NULL,
  `note` varchar(100) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `code` (`code`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
"""
SPEC = """
version: 1
migration: orders
source: {dialect: mariadb, databases: [shop], schema: schema.sql, stream: {format: binlog, ddl: apply}}
target: {databases: "order_db_{0..1}", tables_suffix: "_{0..1}"}
sharding:
  by_user: {shard_key: [user_id], database: user_id % 2, table: user_id div 2 % 2}
tables:
  - table: orders
    sharding: by_user
    columns: {exclude: [secret], rename: {amt: amount}}
"""


def compile_spec(folder: Path, *, schema: str = SCHEMA, spec: str = SPEC) -> Plan:
    (folder / "schema.sql").write_text(schema, encoding="utf-8")
    (folder / "spec.yaml").write_text(spec, encoding="utf-8")
    return build_plan(read_spec(str(folder / "spec.yaml")), schema=schema, ddl={}).plan


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return compile_spec(tmp_path)


@pytest.mark.parametrize(
    ("statement", "routed", "columns"),
    [
        (
            "ALTER TABLE orders ADD COLUMN x int NOT NULL DEFAULT 5 AFTER secret, ALGORITHM=INSTANT",
            "ALTER TABLE `orders${suffix}` ADD COLUMN `x` INT NOT NULL DEFAULT 5 AFTER `code`",
            "id user_id code secret x amt note",
        ),
        (
            "alter table shop.orders add y varchar(10) first, drop column note",
            "ALTER TABLE `orders${suffix}` ADD COLUMN `y` VARCHAR(10) FIRST, DROP COLUMN `note`",
            "y id user_id code secret amt",
        ),
        ("ALTER TABLE orders DROP secret", None, "id user_id code amt note"),
        (
            "ALTER TABLE orders RENAME COLUMN note TO remark",
            "ALTER TABLE `orders${suffix}` RENAME COLUMN `note` TO `remark`",
            "id user_id code secret amt remark",
        ),
        (
            "ALTER TABLE orders CHANGE Note remark varchar(100), RENAME COLUMN secret TO hidden",
            "ALTER TABLE `orders${suffix}` RENAME COLUMN `note` TO `remark`",
            "id user_id code hidden amt remark",
        ),
        ("ALTER TABLE orders RENAME COLUMN amt TO total", None, "id user_id code secret total note"),
        ("ALTER TABLE orders ADD CHECK (amt > 0)", None, "id user_id code secret amt note"),
        (
            "ALTER TABLE orders ADD x int, ADD UNIQUE KEY u (x)",
            "ALTER TABLE `orders${suffix}` ADD COLUMN `x` INT AFTER `note`",
            "id user_id code secret amt note x",
        ),
        (
            "ALTER TABLE orders ADD x int, ADD CHECK (`check` > 0), DROP secret",
            "ALTER TABLE `orders${suffix}` ADD COLUMN `x` INT AFTER `note`",
            "id user_id code amt note x",
        ),
        ("ALTER TABLE orders MODIFY secret varchar(90)", None, "id user_id code secret amt note"),
        (
            "ALTER TABLE orders MODIFY amt decimal(12,2) NOT NULL",
            "ALTER TABLE `orders${suffix}` MODIFY COLUMN `amount` DECIMAL(12, 2) NOT NULL",
            "id user_id code secret amt note",
        ),
        (
            "CREATE INDEX by_amt ON orders (amt, note(10))",
            "ALTER TABLE `orders${suffix}` ADD INDEX `by_amt` (`amount`, `note`(10))",
            "id user_id code secret amt note",
        ),
        (
            "CREATE FULLTEXT INDEX words ON orders (note) COMMENT 'of it' ALGORITHM=INPLACE LOCK=SHARED",
            "ALTER TABLE `orders${suffix}` ADD FULLTEXT INDEX `words` (`note`) COMMENT 'of it'",
            "id user_id code secret amt note",
        ),
        ("ALTER TABLE orders ADD INDEX s (secret)", None, "id user_id code secret amt note"),
        ("ALTER TABLE orders ENGINE=InnoDB", None, "id user_id code secret amt note"),
        ("ALTER TABLE orders COMMENT='x /* y */ ;', STATS_PERSISTENT=1", None, "id user_id code secret amt note"),
        (
            "ALTER TABLE orders ALTER COLUMN note SET DEFAULT 'z', ALTER amt DROP DEFAULT, ALTER secret SET DEFAULT 'x'",
            "ALTER TABLE `orders${suffix}` ALTER COLUMN `note` SET DEFAULT 'z', ALTER COLUMN `amount` DROP DEFAULT",
            "id user_id code secret amt note",
        ),
        ("ALTER TABLE orders ALTER note SET DEFAULT (now())", None, "id user_id code secret amt note"),
        (
            "ALTER TABLE orders MODIFY note varchar(100) DEFAULT 'z' COMMENT 'c'",
            "ALTER TABLE `orders${suffix}` MODIFY COLUMN `note` VARCHAR(100) DEFAULT 'z' COMMENT 'c'",
            "id user_id code secret amt note",
        ),
        (
            "ALTER TABLE orders MODIFY note varchar(9) NOT NULL, MODIFY amt decimal(4,2)",
            "ALTER TABLE `orders${suffix}` MODIFY COLUMN `note` VARCHAR(9) NOT NULL, "
            "MODIFY COLUMN `amount` DECIMAL(4, 2)",
            "id user_id code secret amt note",
        ),
        (
            "ALTER TABLE orders MODIFY note text COLLATE utf8mb4_bin",
            "ALTER TABLE `orders${suffix}` MODIFY COLUMN `note` TEXT COLLATE `utf8mb4_bin`",
            "id user_id code secret amt note",
        ),
        ("ALTER TABLE orders ADD COLUMN IF NOT EXISTS Note int", None, "id user_id code secret amt note"),
        (
            "ALTER TABLE IF EXISTS orders ADD COLUMN IF NOT EXISTS x int, DROP COLUMN IF EXISTS y",
            "ALTER TABLE `orders${suffix}` ADD COLUMN `x` INT AFTER `note`",
            "id user_id code secret amt note x",
        ),
        (
            "DROP INDEX i ON shop.orders ALGORITHM=INPLACE LOCK=NONE",
            "ALTER TABLE `orders${suffix}` DROP INDEX `i`",
            "id user_id code secret amt note",
        ),
        (
            "DROP INDEX IF EXISTS i ON orders",
            "ALTER TABLE `orders${suffix}` DROP INDEX `i`",
            "id user_id code secret amt note",
        ),
        (
            "ALTER TABLE orders ADD IF NOT EXISTS (x int, note int), ADD KEY IF NOT EXISTS by_x (x, amt)",
            "ALTER TABLE `orders${suffix}` ADD COLUMN `x` INT AFTER `note`, "
            "ADD INDEX IF NOT EXISTS `by_x` (`x`, `amount`)",
            "id user_id code secret amt note x",
        ),
        (
            "ALTER TABLE orders MODIFY COLUMN IF EXISTS note text, MODIFY IF EXISTS gone int, CHANGE IF EXISTS a b int",
            "ALTER TABLE `orders${suffix}` MODIFY COLUMN `note` TEXT",
            "id user_id code secret amt note",
        ),
        (
            "ALTER TABLE orders CHANGE COLUMN IF EXISTS note NOTE varchar(120)",
            "ALTER TABLE `orders${suffix}` MODIFY COLUMN `note` VARCHAR(120)",
            "id user_id code secret amt note",
        ),
        (
            "ALTER TABLE orders CHANGE COLUMN IF EXISTS note remark varchar(100)",
            "ALTER TABLE `orders${suffix}` RENAME COLUMN `note` TO `remark`",
            "id user_id code secret amt remark",
        ),
        (
            "ALTER TABLE orders ALTER COLUMN IF EXISTS note SET DEFAULT 'z', ALTER IF EXISTS gone DROP DEFAULT",
            "ALTER TABLE `orders${suffix}` ALTER COLUMN `note` SET DEFAULT 'z'",
            "id user_id code secret amt note",
        ),
        ("ALTER TABLE orders ADD PRIMARY KEY (ID)", None, "id user_id code secret amt note"),
        (
            "ALTER TABLE orders RENAME KEY IF EXISTS i TO j, ADD UNIQUE KEY IF NOT EXISTS u (amt)",
            "ALTER TABLE `orders${suffix}` RENAME INDEX `i` TO `j`",
            "id user_id code secret amt note",
        ),
    ],
)
def test_e14_what_a_statement_changes(plan: Plan, statement: str, routed: str | None, columns: str) -> None:
    change = read_logged(statement, "shop", plan)
    assert change.source == "shop.orders"
    assert (None if change.routed is None else " ".join(change.routed.split())) == routed
    assert " ".join(column.name for column in change.columns) == columns


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("ALTER TABLE orders ADD x int /*!80023 INVISIBLE */", "SW8541"),
        ("ALTER TABLE orders ADD x int /*M!100300 INVISIBLE */", "SW8541"),
        ("ALTER ONLINE TABLE orders ADD x int", "SW8541"),
        ("ALTER TABLE orders MODIFY COLUMN IF EXISTS note char(100)", "SW8543"),
        ("ALTER TABLE orders MODIFY IF EXISTS note text, CHANGE IF EXISTS n note text", "SW8155"),
        ("ALTER TABLE orders RENAME INDEX IF EXISTS i TO j, DROP INDEX IF EXISTS j", "SW8155"),
        ("ALTER TABLE orders RENAME INDEX code TO code2", "SW8544"),
        ("ALTER TABLE orders RENAME KEY IF EXISTS i TO code", "SW8544"),
        ("ALTER TABLE orders ADD FOREIGN KEY IF NOT EXISTS f (amt) REFERENCES x (id)", "SW8544"),
        ("ALTER TABLE orders DROP COLUMN IF EXISTS user_id", "SW8543"),
        ("ALTER TABLE orders ADD COLUMN IF NOT EXISTS x int, DROP COLUMN x", "SW8155"),
        ("ALTER TABLE orders CONVERT TO CHARACTER SET latin1", "SW8156"),
        ("ALTER TABLE orders CONVERT TO CHARACTER SET latin1 COLLATE latin1_bin", "SW8156"),
        ("ALTER TABLE orders CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, ADD x int", "SW8156"),
        ("ALTER TABLE orders CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci", "SW8543"),
        ("ALTER TABLE orders EXCHANGE PARTITION p WITH TABLE x", "SW8542"),
        ("ALTER TABLE orders ADD x int; DROP TABLE orders", "SW8541"),
        ("ALTER TABLE orders ADD `x${suffix}` int", "SW8541"),
        ("TRUNCATE TABLE orders, other", "SW8542"),
        ("DROP TABLE IF EXISTS other, `orders` /* generated by server */", "SW8542"),
        ("CREATE TABLE orders (id int)", "SW8542"),
        ("ALTER TABLE orders RENAME TO older", "SW8542"),
        ("ALTER TABLE orders DROP user_id", "SW8543"),
        ("ALTER TABLE orders CHANGE user_id uid bigint", "SW8543"),
        ("ALTER TABLE orders RENAME COLUMN note TO amt", "SW8543"),
        ("ALTER TABLE orders RENAME COLUMN note TO amount", "SW8543"),
        ("ALTER TABLE orders RENAME COLUMN code TO number", "SW8543"),
        ("ALTER TABLE shadow RENAME TO orders", "SW8542"),
        ("ALTER TABLE shadow RENAME AS `shop`.`Orders`", "SW8542"),
        ("ALTER TABLE shadow RENAME orders", "SW8542"),
        ("ALTER TABLE other.shadow ADD x int, RENAME TO shop.orders", "SW8542"),
        ("ALTER TABLE shadow EXCHANGE PARTITION p WITH TABLE orders", "SW8542"),
        ("ALTER TABLE shadow CONVERT PARTITION p TO TABLE orders", "SW8542"),
        ("ALTER TABLE shadow RENAME = orders", "SW8542"),
        ("CREATE TABLE orders LIKE other", "SW8542"),
        ("CREATE OR REPLACE TABLE orders AS SELECT * FROM other", "SW8542"),
        ("CREATE TABLE `orders` (\n  `id` int NOT NULL\n) START TRANSACTION", "SW8542"),
        ("DROP DATABASE shop", "SW8542"),
        ("ALTER TABLE orders DISCARD TABLESPACE", "SW8542"),
        ("ALTER TABLE orders ENGINE=BLACKHOLE", "SW8542"),
        ("ALTER TABLE orders DROP PARTITION p", "SW8542"),
        ("ALTER TABLE orders TRUNCATE PARTITION p", "SW8542"),
        ("ALTER TABLE orders MODIFY note char(100)", "SW8543"),
        ("ALTER TABLE orders MODIFY code varchar(10) COLLATE utf8mb4_bin NOT NULL", "SW8543"),
        ("ALTER TABLE orders MODIFY amt decimal(12,3) NOT NULL", "SW8543"),
        ("ALTER TABLE orders MODIFY note varchar(100) CHARACTER SET latin1", "SW8543"),
        ("ALTER TABLE orders ADD at datetime DEFAULT CURRENT_TIMESTAMP", "SW8543"),
        ("ALTER TABLE orders ADD n bigint NOT NULL AUTO_INCREMENT, ADD KEY (n)", "SW8543"),
        ("ALTER TABLE orders ADD amount int", "SW8543"),
        ("DROP INDEX code ON orders", "SW8544"),
        ("ALTER TABLE orders DROP PRIMARY KEY", "SW8543"),
        ("ALTER TABLE orders ADD PRIMARY KEY (code(4))", "SW8544"),
    ],
)
def test_e17_e19_what_is_not_exact_is_refused_by_name(plan: Plan, statement: str, code: str) -> None:
    with pytest.raises(CannotFollow) as refused:
        read_logged(statement, "shop", plan)
    assert refused.value.code == code, refused.value


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("ALTER TABLE orders CONVERT TO CHARACTER SET latin1", "names no collation, and servers differ in which one"),
        ("ALTER TABLE orders ADD CONSTRAINT f FOREIGN KEY (amt) REFERENCES x (id)", "must have no foreign key"),
        (
            "ALTER TABLE orders RENAME KEY IF EXISTS i TO j, DROP KEY IF EXISTS j",
            "another clause of the same statement names j",
        ),
        ("RENAME TABLE orders TO older", "shop.orders gets the name shop.older, and this is no swap"),
        ("RENAME TABLE a TO b, shadow TO orders", "shop.shadow gets the name shop.orders, and this is no swap"),
        ("RENAME TABLE orders TO t, shadow TO orders, t TO shadow", "shop.orders gets the name shop.t"),
        ("ALTER TABLE shadow RENAME TO orders", "shop.orders gets or gives away its name (RENAME)"),
        ("TRUNCATE orders, other", "shop.orders is emptied (TRUNCATE)"),
        ("ALTER TABLE orders CHANGE note n varchar(200)", "column n is made wider: a new name is brought to the targ"),
        ("ALTER TABLE orders RENAME COLUMN code TO c", "column code is renamed, and it belongs to a unique key"),
    ],
)
def test_e17_a_message_says_what_stops_the_stream(plan: Plan, statement: str, why: str) -> None:
    with pytest.raises(CannotFollow) as refused:
        assert read_swap(statement, "shop", plan) is None
        read_logged(statement, "shop", plan)
    assert why in refused.value.why


@pytest.mark.parametrize(
    ("statement", "columns"),
    [
        ("ALTER TABLE orders RENAME COLUMN note TO remark, ADD x int", "id user_id code secret amt remark x"),
        ("ALTER TABLE orders CHANGE note remark varchar(200)", "id user_id code secret amt remark"),
        ("ALTER TABLE orders CHANGE secret hidden varchar(20), DROP note", "id user_id code hidden amt"),
        ("ALTER TABLE orders RENAME COLUMN user_id TO u", None),
        ("ALTER TABLE orders CONVERT TO CHARACTER SET latin1", None),
        ("ALTER TABLE orders RENAME TO older", None),
    ],
)
def test_e15_what_a_statement_means_once_a_person_has_skipped_it(
    plan: Plan, statement: str, columns: str | None
) -> None:
    with pytest.raises(CannotFollow) as refused:
        read_logged(statement, "shop", plan)
    change = describe_skipped(refused.value, statement, "shop", plan)
    assert change is not None and (change.source, change.logical) == ("shop.orders", "orders")
    assert (change.unknown, change.columns_differ) == (columns is None, columns is not None)
    assert columns is None or " ".join(column.name for column in change.columns) == columns


COMPUTED = SCHEMA.replace(
    "  PRIMARY KEY",
    "  `total` decimal(12,2) GENERATED ALWAYS AS (`amt` * 2) STORED,\n  `none` int AS (length(`secret`)),\n  PRIMARY KEY",
)


@pytest.mark.parametrize(
    ("statement", "routed", "columns"),
    [
        (
            "ALTER TABLE orders ADD g int AS (amt + total) VIRTUAL COMMENT 'c' AFTER amt, ADD KEY k (g), DROP note",
            "ALTER TABLE `orders${suffix}` ADD COLUMN `g` INT GENERATED ALWAYS AS (`amount` + `total`) VIRTUAL COMMENT "
            "'c' AFTER `amount`, ADD INDEX `k` (`g`), DROP COLUMN `note`",
            "id user_id code secret amt g total none",
        ),
        (
            "ALTER TABLE orders ADD g varchar(30) GENERATED ALWAYS AS (concat(secret, note)) STORED FIRST",
            None,
            "g id user_id code secret amt note total none",
        ),
        (
            "ALTER TABLE orders DROP total, ADD x int",
            "ALTER TABLE `orders${suffix}` DROP COLUMN `total`, ADD COLUMN `x` INT AFTER `note`",
            "id user_id code secret amt note none x",
        ),
        ("ALTER TABLE orders DROP `none`", None, "id user_id code secret amt note total"),
        ("ALTER TABLE orders MODIFY total decimal(12,2)", "SW8543", ""),
        ("ALTER TABLE orders MODIFY total decimal(12,2) AS (amt * 3) STORED", "SW8543", ""),
        ("ALTER TABLE orders MODIFY note varchar(100) AS (code) STORED", "SW8543", ""),
        ("ALTER TABLE orders ADD g int AS (ifnull(amt, 1))", "SW8541", ""),
    ],
)
def test_c27_e14_generated_columns_come_and_go(
    tmp_path: Path, statement: str, routed: str | None, columns: str
) -> None:
    plan = compile_spec(tmp_path, schema=COMPUTED)
    try:
        change = read_logged(statement, "shop", plan)
    except CannotFollow as refused:
        assert refused.code == routed
        return
    assert (None if change.routed is None else " ".join(change.routed.split())) == routed
    assert " ".join(column.name for column in change.columns) == columns


BEGINNINGS = SCHEMA.replace("UNIQUE KEY `code` (`code`)", "UNIQUE KEY `code` (`code`), UNIQUE KEY two (note(3), code)")


def test_e17_what_is_unique_by_how_values_begin_is_as_much_a_key(tmp_path: Path) -> None:
    plan = compile_spec(tmp_path, schema=BEGINNINGS)
    for statement, code in (
        ("ALTER TABLE orders DROP KEY two", "SW8544"),
        ("ALTER TABLE orders MODIFY note varchar(200)", "SW8543"),
        ("ALTER TABLE orders DROP note", "SW8543"),
    ):
        with pytest.raises(CannotFollow, match=code):
            read_logged(statement, "shop", plan)
    swap = read_swap("RENAME TABLE orders TO aside, `new` TO orders", "shop", plan)
    assert swap is not None

    def swapped(schema: str) -> str | None:
        return compare_swap(swap, read_schema(schema, file="live", findings=Findings())["orders"]).routed

    assert swapped(BEGINNINGS) is None
    assert swapped(BEGINNINGS.replace("two (", "other (note(9)), UNIQUE KEY two (")) is None
    for gone in (SCHEMA, BEGINNINGS.replace("note(3)", "note(4)")):
        with pytest.raises(CannotFollow, match="SW8544"):
            swapped(gone)


def test_c27_e17_a_swap_does_not_change_how_a_column_is_computed(tmp_path: Path) -> None:
    plan = compile_spec(tmp_path, schema=COMPUTED)
    swap = read_swap("RENAME TABLE orders TO aside, `new` TO orders", "shop", plan)
    assert swap is not None

    def swapped(old: str, new: str) -> str | None:
        assert old in COMPUTED
        return compare_swap(
            swap, read_schema(COMPUTED.replace(old, new), file="live", findings=Findings())["orders"]
        ).routed

    assert swapped("(`amt` * 2)", "(amt*2)") is None
    assert swapped("  `total` decimal(12,2) GENERATED ALWAYS AS (`amt` * 2) STORED,\n", "") is not None
    for old, new in (
        ("`amt` * 2", "`amt` * 3"),
        ("decimal(12,2) GENERATED ALWAYS AS (`amt` * 2) STORED", "decimal(12,2)"),
        ("`note` varchar(100) DEFAULT NULL", "`note` varchar(100) AS (`code`)"),
    ):
        with pytest.raises(CannotFollow, match="SW8543"):
            swapped(old, new)


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE other ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES orders (id)",
        "CREATE INDEX orders ON other (a)",
        "TRUNCATE TABLE elsewhere.orders",
    ],
)
def test_e19_a_statement_that_only_names_a_followed_table_touches_none(plan: Plan, statement: str) -> None:
    assert read_logged(statement, "shop", plan).source == ""


@pytest.mark.parametrize(
    ("statement", "tool"),
    [
        ("rename /* gh-ost */ table `shop`.`orders` to `shop`.`_orders_del`, `shop`.`_orders_gho` to `shop`.`orders`", "gh-ost"),
        ("RENAME TABLE `shop`.`orders` TO `shop`.`_orders_old`, `shop`.`_orders_new` TO `shop`.`orders`",
         "pt-online-schema-change"),
        ("RENAME TABLE orders TO aside, `new` TO orders", "a RENAME of two tables"),
    ],
)  # fmt: skip
def test_e17_an_online_schema_change_is_the_difference_of_the_two_tables(plan: Plan, statement: str, tool: str) -> None:
    swap = read_swap(statement, "shop", plan)
    assert swap is not None and (swap.source, swap.tool) == ("shop.orders", tool)
    now = SCHEMA.replace("  `note`", "  `extra` int DEFAULT NULL,\n  `note`").replace("decimal(10,2)", "decimal(14,2)")
    change = compare_swap(swap, read_schema(now, file="live", findings=Findings())["orders"])
    assert change.routed is not None
    assert " ".join(change.routed.split()) == (
        "ALTER TABLE `orders${suffix}` MODIFY COLUMN `amount` DECIMAL(14, 2) NOT NULL, "
        "ADD COLUMN `extra` INT DEFAULT NULL AFTER `amount`"
    )
    assert [column.name for column in change.columns] == ["id", "user_id", "code", "secret", "amt", "extra", "note"]


def test_e17_a_swap_that_changes_keys_or_a_rename_that_is_none_is_refused(plan: Plan) -> None:
    swap = read_swap("RENAME TABLE orders TO aside, `new` TO orders", "shop", plan)
    assert swap is not None
    now = read_schema(SCHEMA.replace("UNIQUE KEY", "KEY"), file="live", findings=Findings())["orders"]
    with pytest.raises(CannotFollow, match="SW8544"):
        compare_swap(swap, now)
    with pytest.raises(CannotFollow, match="SW8542"):
        read_swap("RENAME TABLE orders TO aside", "shop", plan)
    assert read_swap("RENAME TABLE other TO another", "shop", plan) is None


def test_e15_a_newer_plan_copies_a_renamed_column_as_before(plan: Plan, tmp_path: Path) -> None:
    record = plan_record(plan)

    def problems(statement: str, schema: str, spec: str = SPEC) -> list[str]:
        change = read_logged(statement, "shop", plan)
        assert change.columns_differ
        newer = compile_spec(tmp_path, schema=schema, spec=spec)
        after = json.loads(json.dumps(columns_data(change.columns, change.renamed)))
        return list(find_unexplained(record, newer, logical="orders", columns_after=after))

    def renamed(name: str, other: str) -> tuple[str, str]:
        return f"ALTER TABLE orders RENAME COLUMN {name} TO {other}", SCHEMA.replace(f"`{name}`", f"`{other}`")

    remark, total, hidden = renamed("note", "remark"), renamed("amt", "total"), renamed("secret", "hidden")
    assert problems(*remark) == []
    assert problems(*remark, SPEC.replace("amount}", "amount, remark: note}")) == []
    assert problems(*total, SPEC.replace("amt: amount", "total: amount")) == []
    assert problems(*hidden, SPEC.replace("[secret]", "[hidden]")) == []
    for statement, schema, spec in (
        (*remark, SPEC.replace("[secret]", "[secret, remark]")),
        (*remark, SPEC.replace("amount}", "amount, remark: other}")),
        (*total, SPEC.replace("amt: amount", "total: sum")),
        (*hidden, SPEC.replace("exclude: [secret], ", "")),
    ):
        (problem,) = problems(statement, schema, spec)
        assert "which only has another name now" in problem


def test_e14_a_newer_plan_is_explained_by_the_recorded_columns_and_nothing_else(plan: Plan, tmp_path: Path) -> None:
    record = plan_record(plan)
    change = read_logged("ALTER TABLE orders ADD COLUMN x int NOT NULL DEFAULT 5 AFTER code", "shop", plan)
    after = columns_data(change.columns)
    schema = SCHEMA.replace("  `secret`", "  `x` int NOT NULL DEFAULT 5,\n  `secret`")

    def problems(schema: str, spec: str = SPEC) -> list[str]:
        newer = compile_spec(tmp_path, schema=schema, spec=spec)
        return list(find_unexplained(record, newer, logical="orders", columns_after=after))

    assert problems(schema) == []
    assert problems(schema, SPEC.replace("[secret]", "[secret, x]")) == []
    assert "order" in problems(SCHEMA.replace("  `note`", "  `x` int NOT NULL DEFAULT 5,\n  `note`"))[0]
    assert "x is missing" in problems(SCHEMA)[0]
    assert "sharding rule" in problems(schema, SPEC.replace("user_id % 2,", "(user_id + 1) % 2,"))[0]
    assert "settings" in problems(schema, SPEC + "    weight: 7\n")[0]
    assert "target column note" in problems(schema, SPEC.replace("[secret]", "[secret, note]"))[0]


@pytest.mark.parametrize(
    "statement",
    [
        "/**/" * 50_000 + "RENAMED",
        "DROP TABLE IF EXISTS " + ", ".join(f"a{number}.b" for number in range(20_000)) + ", shop.orders",
        "CREATE TABLE all_of (orders int) " + "ENGINE=MERGE " * 20_000,
    ],
    ids=["comments", "names", "engines"],
)
def test_a_long_statement_takes_time_in_proportion(plan: Plan, statement: str) -> None:
    """The first had as many ways to be read as there are sets of its comments, the others took the square of their
    length."""
    began = time.monotonic()
    assert read_swap(statement, "", plan) is None
    try:
        read_logged(statement, "", plan)
    except CannotFollow as cannot:
        assert cannot.code in ("SW8541", "SW8542")
    assert time.monotonic() - began < 60
