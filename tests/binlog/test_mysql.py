"""What only MySQL does in its log: runs where the servers are MySQL's (`make test-mysql`)."""

from __future__ import annotations

import pytest

from shardwright.runtime.failures import Refused
from tests.binlog.log_source import Source

pytestmark = pytest.mark.server


@pytest.fixture
def mysql(source: Source) -> Source:
    source.needs_mysql("the events of this file")
    return source


def images(source: Source, table: str, *statements: str) -> list[object]:
    start = source.head()
    source.run(*statements)
    return [change["after"] for change in source.changes(start, table)]


def test_c28_functional_indexes_add_no_column_and_invisible_columns_are_there(mysql: Source) -> None:
    mysql.run(
        "CREATE OR REPLACE TABLE fx (id INT PRIMARY KEY, v VARCHAR(9), hidden INT INVISIBLE DEFAULT 7, INDEX f ((LOWER(v))))"
    )
    assert images(mysql, "fx", "INSERT INTO fx VALUES (1, 'A')", "UPDATE fx SET v = 'B'") == [
        ("1", "A", "7"),
        ("1", "B", "7"),
    ]


def test_b7_generated_invisible_primary_key(mysql: Source) -> None:
    mysql.run("SET SESSION sql_generate_invisible_primary_key = 1", "CREATE OR REPLACE TABLE gipk (v INT)")
    assert images(mysql, "gipk", "INSERT INTO gipk (v) VALUES (5)") == [("1", "5")]


def test_e7_tagged_gtid(mysql: Source) -> None:
    mysql.run("CREATE OR REPLACE TABLE tagged (id INT PRIMARY KEY)")
    assert images(mysql, "tagged", "SET gtid_next = 'AUTOMATIC:blue'", "INSERT INTO tagged VALUES (6)") == [("6",)]


def test_e21_create_table_select(mysql: Source) -> None:
    mysql.run("CREATE OR REPLACE TABLE ctas (id INT PRIMARY KEY)", "DROP TABLE IF EXISTS ctas_copy")
    assert images(mysql, "ctas", "CREATE TABLE ctas_copy SELECT 1 AS a", "INSERT INTO ctas VALUES (1)") == [("1",)]


def test_c30_vectors_as_their_bytes(mysql: Source) -> None:
    mysql.run("CREATE OR REPLACE TABLE odd (id INT PRIMARY KEY, odd VECTOR(3))")
    inserted = images(mysql, "odd", "INSERT INTO odd VALUES (1, STRING_TO_VECTOR('[1,2,3]')), (2, NULL)")
    assert inserted == [("1", "0000803F0000004000004040"), ("2", None)] == mysql.select("odd")


def test_c16_partial_json_set_in_a_session_is_refused(mysql: Source) -> None:
    mysql.run(
        "CREATE OR REPLACE TABLE part (id INT PRIMARY KEY, j JSON)",
        """INSERT INTO part VALUES (1, '{"a": 1, "b": 2}')""",
    )
    with pytest.raises(Refused, match=r"SW8111: .*holds parts of JSON values only"):
        images(
            mysql,
            "part",
            "SET SESSION binlog_row_value_options = 'PARTIAL_JSON'",
            "UPDATE part SET j = JSON_SET(j, '$.a', 9)",
        )
