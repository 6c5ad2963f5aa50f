"""PARTITION BY is read to its last word and printed under other names, or not at all; and what a source does to its
partitions is passed over, brought to targets that are partitioned alike, or named.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.compiler.ddl.logged.read_logged import describe_skipped, read_logged
from shardwright.compiler.ddl.shape.table_shape import read_create, shape_of
from shardwright.compiler.ddl.source.logged_change import CannotFollow
from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.partitions import partitions_of, read_partitions
from shardwright.compiler.sql.sql_text import check_sql, to_sql
from shardwright.compiler.sql.word_reader import NotRead
from tests.unit.ddl.test_read_logged import SCHEMA, SPEC, compile_spec

READ = {
    "PARTITION BY RANGE (`id`)\n(PARTITION `a` VALUES LESS THAN (50) ENGINE = InnoDB,\n"
    " PARTITION `b` VALUES LESS THAN MAXVALUE ENGINE = InnoDB)":
        "PARTITION BY RANGE (`ID`) ( PARTITION `a` VALUES LESS THAN (50), PARTITION `b` VALUES LESS THAN MAXVALUE )",
    "partition by range  columns(d,`e ``f`) (partition p values less than ('2024-01-01',-3) comment 'a;b')":
        "PARTITION BY RANGE COLUMNS (`D`, `E ``F`) ( PARTITION `p` VALUES LESS THAN ('2024-01-01', -3) "
        "COMMENT = 'a;b' )",
    "PARTITION BY LIST (extract(year_month FROM d)) (PARTITION a VALUES IN (202101), PARTITION b DEFAULT)":
        "PARTITION BY LIST (EXTRACT(YEAR_MONTH FROM `D`)) ( PARTITION `a` VALUES IN (202101), PARTITION `b` DEFAULT )",
    "PARTITION BY LIST COLUMNS (a,b) (PARTITION p VALUES IN ((1,'x'),(NULL,_utf8mb4'y')))":
        "PARTITION BY LIST COLUMNS (`A`, `B`) ( PARTITION `p` VALUES IN ((1, 'x'), (NULL, _utf8mb4 'y')) )",
    "PARTITION BY LINEAR HASH (year(d)*12+month(d)) PARTITIONS 4":
        "PARTITION BY LINEAR HASH (YEAR(`D`) * 12 + MONTH(`D`)) PARTITIONS 4",
    "PARTITION BY HASH (mod(id, 4) + abs(-x) DIV (2 - 1))":
        "PARTITION BY HASH (MOD(`ID`, 4) + ABS(-`X`) DIV (2 - 1))",
    "PARTITION BY LINEAR KEY ALGORITHM=1 (id) PARTITIONS 2": "PARTITION BY LINEAR KEY ALGORITHM = 1 (`ID`) PARTITIONS 2",
    "PARTITION BY KEY ()": "PARTITION BY KEY ()",
    "PARTITION BY RANGE (to_days(d)) SUBPARTITION BY KEY (id) SUBPARTITIONS 2 (PARTITION p VALUES LESS THAN "
    "(TO_DAYS('2024-01-01')+1) MAX_ROWS 9 (SUBPARTITION s, SUBPARTITION t ENGINE InnoDB))":
        "PARTITION BY RANGE (TO_DAYS(`D`)) SUBPARTITION BY KEY (`ID`) SUBPARTITIONS 2 ( PARTITION `p` VALUES LESS THAN "
        "(TO_DAYS('2024-01-01') + 1) MAX_ROWS = 9 (SUBPARTITION `s`, SUBPARTITION `t`) )",
}  # fmt: skip
NOT_READ = {
    "PARTITION BY SYSTEM_TIME LIMIT 5": "SYSTEM_TIME",
    "PARTITION BY HASH (id) PARTITIONS 2 COMMENT": "COMMENT",
    "PARTITION BY HASH (sleep(id))": "(",
    "PARTITION BY HASH (id": "",
    "PARTITION BY HASH ()": ")",
    "PARTITION BY HASH (a, b)": ",",
    "PARTITION BY KEY (a) (PARTITION p ENGINE = MyISAM)": "MyISAM",
    "PARTITION BY RANGE (id) (PARTITION p VALUES LESS THAN (id))": "id",
    "PARTITION BY LINEAR RANGE (id)": "RANGE",
    "PARTITION BY HASH (id) /*!80000 PARTITIONS 2 */": "/*!80000",
    "PARTITION BY KEY (a) (PARTITION p COMMENT 'x\\\\')": "\\",
    "PARTITION BY KEY (a) (PARTITION p COMMENT \"x\")": '"x"',
    "PARTITION BY KEY (a) (PARTITION p COMMENT 'x)": "'",
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_a_clause_is_printed_under_the_targets_names(text: str) -> None:
    read = read_partitions(text, str.upper)
    assert " ".join(read.text.split()) == READ[text]
    assert read_partitions(read.text).text == read.text
    create = to_sql(parse_sql(f"CREATE TABLE t (id int) COMMENT='PARTITION BY' {text};"), "mysql")
    check_sql(create, "mysql")
    tree = parse_sql(create)
    assert partitions_of(tree) == read_partitions(text).text  # type: ignore[arg-type]


@pytest.mark.parametrize("text", NOT_READ)
def test_e19_what_is_not_understood_to_its_end_is_not_read(text: str) -> None:
    with pytest.raises(NotRead) as refused:
        read_partitions(text)
    assert str(refused.value) == NOT_READ[text]


def test_columns_that_rows_are_divided_by_and_what_is_left_out() -> None:
    read = read_partitions(
        "PARTITION BY RANGE (YEAR(`at`) * 100 + id) SUBPARTITION BY HASH (id) (PARTITION p VALUES LESS THAN (3) "
        "DATA DIRECTORY = '/fast' TABLESPACE = `ts`)"
    )
    assert read.columns == ("at", "id")
    assert read.left_out == ("DATA DIRECTORY of partition 'p'", "TABLESPACE of partition 'p'")


def test_existing_tables_are_compared_without_their_partitions() -> None:
    """A retention job may change those of the targets each night."""
    shapes = []
    for clause in ("", "PARTITION BY HASH (`id`) PARTITIONS 2", "/*!50100 PARTITION BY KEY (`id`) PARTITIONS 3 */"):
        create = read_create(f"CREATE TABLE `t` (`id` int NOT NULL, PRIMARY KEY (`id`)) ENGINE=InnoDB {clause}")
        assert create is not None
        shapes.append(shape_of(create, suffix="", defaults={}))
    assert shapes[0] == shapes[1] == shapes[2]


PARTITIONED = SCHEMA.replace("UNIQUE KEY `code` (`code`)", "KEY `code` (`code`)").replace(
    ";", " PARTITION BY RANGE (`id`) (PARTITION p VALUES LESS THAN (100));"
)


@pytest.fixture
def kept(tmp_path: Path) -> Plan:
    spec = SPEC.replace("    columns:", "    partitions: keep\n    columns:")
    return compile_spec(tmp_path, schema=PARTITIONED, spec=spec)


def test_the_target_has_the_clause_and_the_plan_is_the_same_one_with_other_partitions(
    kept: Plan, tmp_path: Path
) -> None:
    create = kept.step("orders", StepName.CREATE_TABLE).statement("create")
    assert "PARTITION BY RANGE (`id`)" in create
    more = PARTITIONED.replace("(100))", "(100), PARTITION q VALUES LESS THAN MAXVALUE)")
    spec = SPEC.replace("    columns:", "    partitions: keep\n    columns:")
    other = compile_spec(tmp_path, schema=more, spec=spec)
    assert other.step("orders", StepName.CREATE_TABLE).statement("create") != create
    assert other.fingerprint == kept.fingerprint
    assert kept.backward is not None and kept.backward.table("orders").placement.partitions is None


@pytest.mark.parametrize(
    ("clause", "routed"),
    [
        ("ADD PARTITION (PARTITION q VALUES LESS THAN (200) ENGINE = InnoDB)",
         "ADD PARTITION ( PARTITION `q` VALUES LESS THAN (200) )"),
        ("ALGORITHM=INPLACE, ADD PARTITION IF NOT EXISTS (PARTITION q VALUES IN (1))",
         "ADD PARTITION IF NOT EXISTS ( PARTITION `q` VALUES IN (1) )"),
        ("REORGANIZE PARTITION p INTO (PARTITION q VALUES LESS THAN (50), PARTITION p VALUES LESS THAN (100))",
         "REORGANIZE PARTITION `p` INTO ( PARTITION `q` VALUES LESS THAN (50), PARTITION `p` VALUES LESS THAN (100) )"),
    ],
)  # fmt: skip
def test_targets_that_are_partitioned_alike_get_the_same_partitions(kept: Plan, clause: str, routed: str) -> None:
    change = read_logged(f"ALTER TABLE orders {clause}", "shop", kept)
    assert change.source == "shop.orders" and change.routed is not None and not change.columns_differ
    assert " ".join(change.routed.split()) == f"ALTER TABLE `orders${{suffix}}` {routed}"
    assert to_sql(parse_sql(change.routed), "mysql") == change.routed


@pytest.mark.parametrize("clause", ["COALESCE PARTITION 2", "ADD PARTITION PARTITIONS 2", "OPTIMIZE PARTITION ALL"])
def test_what_no_row_can_miss_is_skipped(kept: Plan, clause: str) -> None:
    assert read_logged(f"ALTER TABLE orders {clause}", "shop", kept).source == ""


@pytest.mark.parametrize("clause", ["REMOVE PARTITIONING", "PARTITION BY HASH (id) PARTITIONS 2"])
def test_targets_that_are_to_be_partitioned_otherwise_are_a_persons_matter(kept: Plan, clause: str) -> None:
    text = f"ALTER TABLE orders {clause}"
    with pytest.raises(CannotFollow, match="SW8553") as refused:
        read_logged(text, "shop", kept)
    change = describe_skipped(refused.value, text, "shop", kept)
    assert refused.value.understood and change is not None and not change.unknown and not change.columns_differ


def test_several_source_tables_may_have_other_partitions_each(tmp_path: Path) -> None:
    schema = "".join(PARTITIONED.replace("`orders`", f"`orders_{number}`") for number in range(2))
    spec = SPEC.replace("- table: orders", '- table: "orders_?"\n    expect: 2\n    to: orders\n    partitions: keep')
    plan = compile_spec(tmp_path, schema=schema, spec=spec)
    with pytest.raises(CannotFollow, match=r"SW8553: .* 2 source tables"):
        read_logged("ALTER TABLE orders_1 ADD PARTITION (PARTITION q VALUES LESS THAN (200))", "shop", plan)
