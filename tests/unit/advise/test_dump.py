"""Dumps and schema scripts of programs become schema files."""

from __future__ import annotations

import pytest

from shardwright.compiler.schema.dump import read_script
from shardwright.compiler.schema.file import read_schema
from shardwright.specs.findings.diagnostics import Findings

MYSQLDUMP = """
-- MySQL dump 10.13
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS `a`;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `a` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `text` varchar(20) DEFAULT 'x;y' COMMENT 'it''s (one)',
  `place` point NOT NULL /*!80003 SRID 0 */,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=latin1;
LOCK TABLES `a` WRITE;
INSERT INTO `a` VALUES (1,'CREATE TABLE b (c INT);',NULL);
UNLOCK TABLES;
DELIMITER ;;
CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SET @a = 1; CREATE TEMPORARY TABLE x (y INT); END ;;
DELIMITER ;
"""
SCRIPT = """
CREATE TABLE IF NOT EXISTS shop.item (/* prefix */ id INT8 NOT NULL, size DOUBLE PRECISION, name VARCHAR(9), owner INTEGER);
ALTER TABLE item ADD PRIMARY KEY (id), ADD CONSTRAINT fk FOREIGN KEY (owner) REFERENCES owner (id);
CREATE UNIQUE INDEX item_name ON item (name);
ALTER TABLE item AUTO_INCREMENT = 8;
CREATE TABLE owner (id INT PRIMARY KEY) CHARACTER SET 'latin2';
ALTER TABLE owner ADD COLUMN more INT;
CREATE VIEW v AS SELECT 1;
CREATE PROCEDURE p() BEGIN DECLARE x INT; CREATE TABLE inside (id INT); END;
"""


def _tables(text: str, dialect: str = "mysql") -> dict[str, object]:
    script = read_script(text, dialect=dialect)
    findings = Findings()
    tables = read_schema(script.text, file="x.sql", findings=findings)
    assert findings.items == [] and len(tables) == script.tables, (findings.items, script.text)
    return {name: table.row_key for name, table in tables.items()}


def test_a_dump_becomes_its_tables() -> None:
    script = read_script(MYSQLDUMP, dialect="mysql")
    assert _tables(MYSQLDUMP) == {"a": ("id",)}
    assert script.left_out == ()
    assert "COLLATE=latin1_swedish_ci" in script.text and "'x;y'" in script.text and "SRID 0" in script.text


def test_keys_of_later_statements_are_in_their_tables() -> None:
    assert _tables(SCRIPT) == {"item": ("id",), "owner": ("id",)}
    script = read_script(SCRIPT, dialect="mysql")
    assert script.left_out == ("ALTER TABLE owner ADD COLUMN more INT",), "what may matter is said"
    assert "UNIQUE KEY `item_name` (name)" in script.text and "FOREIGN KEY (owner)" in script.text
    assert "bigint" in script.text and "double" in script.text and "inside" not in script.text
    assert script.without_collation == 2 and "COLLATE=latin2_general_ci" in script.text


@pytest.mark.parametrize(("dialect", "collation"), [("mysql", "utf8mb4_0900_ai_ci"), ("mariadb", "utf8mb4_general_ci")])
def test_a_table_without_a_collation_gets_that_of_the_server(dialect: str, collation: str) -> None:
    assert f"COLLATE={collation}" in read_script("CREATE TABLE t (a INT PRIMARY KEY)", dialect=dialect).text


@pytest.mark.parametrize(("dialect", "kind"), [("mysql", "b JSON"), ("mariadb", "b longtext")])
def test_mariadb_keeps_json_as_text(dialect: str, kind: str) -> None:
    assert kind in read_script("CREATE TABLE t (a INT PRIMARY KEY, b JSON NOT NULL)", dialect=dialect).text


def test_a_text_without_tables_is_empty() -> None:
    assert read_script("SELECT 1; CREATE TABLE `broken (", dialect="mysql").tables == 0
