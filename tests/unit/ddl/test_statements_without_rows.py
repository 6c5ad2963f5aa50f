"""Every statement of both servers (MariaDB 10.6-11.8, MySQL 8.0-9.7) that changes a table's rows or identity without
row events, or is logged as a statement, for the followed table shop.orders: what the stream does when its log has it
(hazards E2, E14, E17, E19).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.compiler.ddl.logged.read_logged import read_logged
from shardwright.compiler.ddl.logged.swap import read_swap
from shardwright.compiler.ddl.source.logged_change import CannotFollow
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.sources.binlog.statements import Effect, Statements
from tests.unit.ddl.test_read_logged import SCHEMA, SPEC, compile_spec

PASSES, SWAP, EMPTIED = "passes", "a swap", "emptied"
CASES = {
    "SW8542": """
        RENAME TABLE IF EXISTS shadow TO orders
        RENAME TABLE shadow WAIT 5 TO orders
        ALTER TABLE shadow RENAME TO orders
        ALTER TABLE shadow RENAME AS orders
        ALTER TABLE shadow RENAME = shop.orders
        ALTER TABLE shadow RENAME orders
        ALTER TABLE shadow ADD x int, RENAME orders
        ALTER TABLE elsewhere.shadow RENAME TO shop.orders
        ALTER TABLE elsewhere.shadow RENAME TO orders
        ALTER ONLINE TABLE shadow RENAME orders
        ALTER TABLE shadow WAIT 3 RENAME orders
        ALTER TABLE IF EXISTS shadow RENAME TO orders
        RENAME TABLE a TO b, shadow TO orders
        RENAME TABLES orders TO tmp, shadow TO orders, tmp TO shadow
        RENAME TABLE orders TO tmp, shadow TO mid, mid TO orders
        RENAME TABLE orders TO elsewhere.orders
        CREATE OR REPLACE TABLE orders (id int)
        CREATE OR REPLACE TABLE orders SELECT * FROM shadow
        CREATE TABLE orders LIKE shadow
        CREATE TABLE IF NOT EXISTS orders (id int)
        CREATE TABLE IF NOT EXISTS orders LIKE shadow
        CREATE TABLE all_of (id int) ENGINE=MERGE UNION=(orders, b)
        ALTER TABLE all_of UNION=(orders)
        DROP TABLE a, orders
        DROP TABLES orders
        DROP TABLE IF EXISTS orders WAIT 3
        DROP /*!999999 TEMPORARY */ TABLE orders
        DROP /*M!100000 TEMPORARY */ TABLE orders
        DROP DATABASE shop
        DROP SCHEMA IF EXISTS shop
        CREATE OR REPLACE DATABASE shop
        ALTER DATABASE `#mysql50#shop` UPGRADE DATA DIRECTORY NAME
        TRUNCATE orders, b
        TRUNCATE orders /*!50000 x */
        TRUNCATE TABLE orders PARTITION (p)
        ALTER TABLE orders TRUNCATE PARTITION p
        ALTER TABLE orders DROP PARTITION p
        ALTER TABLE orders EXCHANGE PARTITION p WITH TABLE b
        ALTER TABLE big EXCHANGE PARTITION p WITH TABLE orders WITHOUT VALIDATION
        ALTER TABLE big CONVERT PARTITION p TO TABLE orders
        ALTER TABLE big CONVERT TABLE orders TO PARTITION p VALUES LESS THAN (3)
        ALTER TABLE orders CONVERT PARTITION p TO TABLE b
        ALTER TABLE orders REPAIR PARTITION p
        ALTER TABLE orders REORGANIZE PARTITION p INTO (PARTITION p VALUES IN (1, 2))
        ALTER TABLE orders REORGANIZE PARTITION p INTO (PARTITION p VALUES LESS THAN (3), PARTITION q DEFAULT)
        ALTER IGNORE TABLE orders PARTITION BY RANGE (id) (PARTITION p VALUES LESS THAN (3))
        ALTER IGNORE TABLE orders ADD PARTITION (PARTITION p VALUES LESS THAN (3))
        ALTER TABLE orders REMOVE PARTITIONING, DROP PARTITION p
        ALTER TABLE orders ADD PARTITION (PARTITION q VALUES LESS THAN (3) ENGINE = BLACKHOLE)
        ALTER TABLE orders DISCARD PARTITION p TABLESPACE
        ALTER TABLE orders DISCARD TABLESPACE
        ALTER TABLE orders IMPORT TABLESPACE
        ALTER TABLE orders ENGINE=BLACKHOLE
        ALTER TABLE orders ENGINE=FEDERATED CONNECTION='mysql://a/b/c'
        ALTER TABLE orders ENGINE=MyISAM
        ALTER TABLE orders ENGINE=Aria, FORCE
        ALTER IGNORE TABLE orders ADD UNIQUE KEY u (amt)
        REPAIR TABLE orders USE_FRM
        REPAIR NO_WRITE_TO_BINLOG TABLE orders
        CREATE SEQUENCE orders
        CREATE OR REPLACE SEQUENCE orders
        DROP SEQUENCE orders
    """,
    "SW8541": """
        ALTER TABLE shadow ADD x int /*!50000 , RENAME TO orders */
        ALTER TABLE shadow ADD x int /*M!100000 , RENAME TO orders */
        RENAME TABLE a TO b /*!50000 , shadow TO orders */
        ALTER TABLE orders ADD x int PARTITION BY HASH (id)
        ALTER TABLE orders COMMENT 'x' REMOVE PARTITIONING
        ALTER TABLE orders ADD PARTITION (PARTITION p VALUES LESS THAN (3)), ADD x int
        ALTER TABLE orders ADD PARTITION (PARTITION p VALUES LESS THAN (3)) /*!80000 , DROP COLUMN note */
        ALTER TABLE orders ADD PARTITION (PARTITION p COMMENT 'a\\', PARTITION q VALUES LESS THAN (3))
        ALTER TABLE orders PARTITION BY SYSTEM_TIME LIMIT 5
        ALTER TABLE orders PARTITION BY HASH (SLEEP(id))
        ALTER TABLE orders ANALYZE PARTITION p UPDATE HISTOGRAM ON id
        ALTER TABLE orders ADD SYSTEM VERSIONING
        ALTER TABLE orders DISABLE KEYS
        SET STATEMENT max_statement_time=9 FOR ALTER TABLE shadow RENAME TO orders
        SET STATEMENT max_statement_time=9 FOR INSERT INTO orders SELECT 1
        ANALYZE DELETE FROM orders
        ALTER SEQUENCE orders RESTART 3
        LOCK TABLES orders WRITE
        EXECUTE IMMEDIATE 'DROP TABLE orders'
        CREATE TABLE all_of (id int) UNION=(orders) ENGINE=MRG_MyISAM
    """,
    "SW8543": """
        ALTER TABLE orders RENAME COLUMN user_id TO customer
        ALTER TABLE orders CHANGE note remark varchar(99)
        ALTER TABLE orders ORDER BY id
    """,
    "SW8156": """
        ALTER TABLE orders CONVERT TO CHARACTER SET latin1
    """,
    "SW8112": """
        DELETE HISTORY FROM orders
        LOAD DATA INFILE 'x' INTO TABLE orders
        INSERT INTO orders VALUES (1)
    """,
    EMPTIED: """
        TRUNCATE orders
        truncate table `shop`.`Orders`;
        TRUNCATE TABLE shop.orders NOWAIT
        /* job */ TRUNCATE TABLE orders WAIT 5 -- nightly
        TRUNCATE TABLE `orders` /* generated by server, implicitly emptying in-memory table */
    """,
    SWAP: """
        RENAME TABLE orders TO older, shadow TO orders
        RENAME TABLE shop.orders TO elsewhere.older, elsewhere.shadow TO shop.orders
    """,
    PASSES: """
        ALTER TABLE orders REORGANIZE PARTITION p INTO (PARTITION q VALUES LESS THAN (3))
        ALTER TABLE orders REORGANIZE PARTITION p, `q` INTO (PARTITION q VALUES LESS THAN MAXVALUE ENGINE = InnoDB)
        ALTER TABLE orders REORGANIZE PARTITION
        ALTER TABLE orders COALESCE PARTITION 2
        ALTER TABLE orders PARTITION BY HASH(id) PARTITIONS 4
        ALTER TABLE orders PARTITION BY LIST (id) (PARTITION a VALUES IN (1), PARTITION b DEFAULT)
        ALTER TABLE orders REMOVE PARTITIONING
        ALTER TABLE orders ADD PARTITION PARTITIONS 2
        ALTER TABLE orders ADD PARTITION (PARTITION q VALUES LESS THAN (TO_DAYS('2026-01-01')) COMMENT 'x')
        ALTER TABLE orders ADD PARTITION IF NOT EXISTS (PARTITION q VALUES IN ((1, NULL)))
        ALTER TABLE shop.orders ALGORITHM=INPLACE, LOCK=NONE, ADD PARTITION (PARTITION q)
        ALTER ONLINE TABLE IF EXISTS orders NOWAIT REMOVE PARTITIONING
        ALTER TABLE orders REBUILD PARTITION ALL
        ALTER TABLE orders ANALYZE PARTITION p, q
        ALTER TABLE orders CHECK PARTITION p
        ALTER TABLE orders OPTIMIZE PARTITION LOCAL p;
        ALTER TABLE other ADD PARTITION (PARTITION orders VALUES LESS THAN (3))
        CREATE TABLE shadow LIKE orders
        CREATE TABLE shadow SELECT * FROM orders
        DROP TEMPORARY TABLE orders
        DROP /*!40005 TEMPORARY */ TABLE IF EXISTS `orders`
        CREATE DATABASE IF NOT EXISTS shop
        ALTER DATABASE shop CHARACTER SET latin1
        OPTIMIZE TABLE orders
        ANALYZE TABLE orders
        FLUSH TABLES orders FOR EXPORT
        CREATE VIEW v AS SELECT * FROM orders
        CREATE OR REPLACE VIEW orders AS SELECT 1
        DROP VIEW orders
        CREATE TRIGGER t BEFORE INSERT ON orders FOR EACH ROW SET @a = 1
        CREATE SERVER orders FOREIGN DATA WRAPPER mysql OPTIONS (HOST 'a')
        IMPORT TABLE FROM 'orders_1.sdi'
        XA
        GRANT SELECT ON orders TO a@b
        ALTER TABLE other ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES orders (id) ON DELETE CASCADE
        CREATE INDEX orders ON other (a)
        DROP INDEX orders ON other
        ALTER TABLE other ADD orders int
        CREATE PROCEDURE p() DROP TABLE orders
        CREATE TABLE x SELECT 1 UNION (SELECT id FROM orders)
    """,
}
LIST = [(line.strip(), what) for what, lines in CASES.items() for line in lines.strip().splitlines()]


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return compile_spec(tmp_path_factory.mktemp("plan"))


def outcome(text: str, plan: Plan, database: str = "shop") -> str:
    effect = Statements(["shop.orders"]).effect(database, text.encode())
    if effect is Effect.CHANGES_ROWS:
        return "SW8112"
    if effect is not Effect.CHANGES_TABLE:
        return PASSES
    try:
        if read_swap(text, database, plan) is not None:
            return SWAP
        change = read_logged(text, database, plan)
        return EMPTIED if change.emptied else "a change" if change.source else PASSES
    except CannotFollow as cannot:
        return cannot.code


@pytest.mark.parametrize(("statement", "what"), LIST)
def test_e2_e17_e19_statements_that_change_rows_without_row_events(plan: Plan, statement: str, what: str) -> None:
    assert outcome(statement, plan) == what


@pytest.mark.parametrize("clause", ["TO", "AS", "=", ""])
@pytest.mark.parametrize("database", ["shop", "elsewhere", ""])
def test_e17_what_gets_a_followed_tables_name_is_about_it(plan: Plan, clause: str, database: str) -> None:
    assert outcome(f"ALTER TABLE shop.shadow RENAME {clause} `shop`.`orders`", plan, database) == "SW8542"


def test_e17_a_name_in_another_character_set_is_not_skipped(tmp_path: Path) -> None:
    plan = compile_spec(
        tmp_path, schema=SCHEMA.replace("`orders`", "`größe`"), spec=SPEC.replace("table: orders", "table: größe")
    )
    text = "ALTER TABLE schatten ADD x int COMMENT 'gr\ufffd\ufffde'"
    with pytest.raises(CannotFollow, match="character set"):
        read_logged(text, "shop", plan)
