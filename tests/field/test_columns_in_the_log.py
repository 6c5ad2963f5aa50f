"""Columns that the log has and nobody reads: excluded ones of any type, and those that the server keeps for itself
(hazard C2).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import Case

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

BOTH = {
    "tinyint": "1", "smallint unsigned": "2", "mediumint": "-3", "int": "4", "bigint unsigned": "5", "float": "1.5", "double": "2.5",
    "decimal(20,7)": "1234567.1234567", "bit(19)": "b'101'", "year": "2020", "date": "'2020-01-02'", "time(3)": "'01:02:03.456'",
    "datetime(6)": "'2020-01-02 03:04:05.678901'", "timestamp(2) NULL": "'2020-01-02 03:04:05.67'", "char(5)": "'abc'",
    "char(90)": "REPEAT('ä', 90)", "varchar(40)": "'xyz'", "varchar(400)": "REPEAT('y', 300)", "binary(9)": "X'0102'",
    "varbinary(300)": "X'03'", "tinytext": "'a'", "text": "REPEAT('t', 9000)", "mediumblob": "REPEAT('b', 70000)",
    "enum('a','b')": "'b'", "set('a','b','c')": "'a,c'", "point": "ST_GeomFromText('POINT(1 2)')",
    "geometry": "ST_GeomFromText('LINESTRING(1 2, 3 4)')", "json": """'{"a": [1, 2.5, "x"], "b": null}'""",
}  # fmt: skip
ONLY = {
    "mariadb": {"inet6": "'::1'", "inet4": "'1.2.3.4'", "uuid": "'123e4567-e89b-12d3-a456-426655440000'",
                "varchar(500) COMPRESSED": "REPEAT('c', 400)", "text COMPRESSED": "REPEAT('d', 4000)"},
    "mysql": {"vector(3)": "STRING_TO_VECTOR('[1,2,3]')"},
}  # fmt: skip


def test_excluded_columns_of_every_type_are_skipped_by_their_length(arena: Arena, tmp_path: Path) -> None:
    kinds = {**BOTH, **ONLY[arena.source.sandbox.kind]}
    names = [f"c{number}" for number in range(len(kinds))]
    columns = ", ".join(f"{name} {kind}" for name, kind in zip(names, kinds, strict=True))
    values = ", ".join(kinds.values())
    case = Case(
        arena,
        tmp_path,
        f"tables:\n  - {{table: a, sharding: by_id, columns: {{exclude: [{', '.join(names)}]}}}}",
        setup=(
            f"CREATE TABLE a (id INT PRIMARY KEY, {columns}, v INT) DEFAULT CHARSET=utf8mb4",
            f"INSERT INTO a VALUES (1, {values}, 1), (2, {', '.join(['NULL'] * len(names))}, 2)",
        ),
    )
    case.plan()
    case.run()
    case.write(
        f"INSERT INTO a VALUES (3, {values}, 3), (4, {', '.join(['NULL'] * len(names))}, 4)",
        "UPDATE a SET v = v + 10 WHERE id IN (1, 4)",
        f"UPDATE a SET {', '.join(f'{name} = {value}' for name, value in zip(names, kinds.values(), strict=True))} WHERE id = 2",
        "DELETE FROM a WHERE id = 3",
        "UPDATE a SET id = 9 WHERE id = 2",
    )
    case.run()
    case.require_equal("a", "id, v")
    case.verify(saying="equal")


def test_hidden_columns_of_long_unique_keys_are_read_past(arena: Arena, tmp_path: Path) -> None:
    if arena.source.sandbox.kind != "mariadb":
        pytest.skip("MariaDB only: long unique keys")
    case = Case(
        arena,
        tmp_path,
        "tables:\n  - {table: pages, sharding: by_id}",
        setup=(
            "CREATE TABLE pages (id INT PRIMARY KEY, url VARCHAR(1000) NOT NULL, body TEXT, n INT, UNIQUE KEY u (url), "
            "UNIQUE KEY b (body, n)) DEFAULT CHARSET=utf8mb4",
            "INSERT INTO pages VALUES (1, 'http://a', REPEAT('x', 5000), 1), (2, 'http://b', NULL, 2), (3, 'http://c', 'c', 3)",
        ),
    )
    case.plan()
    case.run()
    case.write(
        "SET GLOBAL binlog_row_metadata = 'FULL'",
        "INSERT INTO pages VALUES (7, 'http://with-names', 'n', 7)",
        "SET GLOBAL binlog_row_metadata = 'NO_LOG'",
        "INSERT INTO pages VALUES (4, REPEAT('u', 900), REPEAT('z', 60000), 4)",
        "UPDATE pages SET body = 'changed', n = n + 1 WHERE id = 1",
        "DELETE FROM pages WHERE id = 2",
        "UPDATE pages SET url = 'http://d' WHERE id = 3",
    )
    case.run()
    case.require_equal("pages")
    case.verify(saying="equal")


@pytest.mark.long
def test_a_column_that_somebody_added_without_the_log_is_not_the_servers_own(arena: Arena, tmp_path: Path) -> None:
    case = Case(
        arena,
        tmp_path,
        "tables:\n  - {table: a, sharding: by_id}",
        setup=("CREATE TABLE a (id INT PRIMARY KEY, v INT)", "INSERT INTO a VALUES (1, 1), (2, 2)"),
    )
    case.plan()
    case.run()
    case.write(
        "SET SESSION sql_log_bin = 0",
        "ALTER TABLE a ADD COLUMN extra BIGINT",
        "SET SESSION sql_log_bin = 1",
        "INSERT INTO a VALUES (3, 3, 33)",
    )
    case.run(code=6, saying="SW8113: table shop.a has 3 columns in the log")
    case.plan()
    case.run(code=6, saying="SW8221")
    case.drop_targets()
    case.run()
    case.require_equal("a")
    case.verify(saying="equal")
