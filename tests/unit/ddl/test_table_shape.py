"""Definitions that mean the same compare as equal, however the two kinds of server spell them; others do not."""

from __future__ import annotations

import pytest

from shardwright.compiler.ddl.alter.after_changes import after_changes
from shardwright.compiler.ddl.shape.shape_difference import alter_statement_for, differences
from shardwright.compiler.ddl.shape.table_edit import NotCalculable
from shardwright.compiler.ddl.shape.table_shape import Shape, read_create, shape_of

DEFAULTS = {"utf8mb4": "utf8mb4_0900_ai_ci", "utf8mb3": "utf8mb3_general_ci", "latin1": "latin1_swedish_ci"}
OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"


def shape(columns: str, options: str = OPTIONS, suffix: str = "_1") -> Shape:
    create = read_create(f"CREATE TABLE `t{suffix}` ({columns}) {options}")
    assert create is not None, columns
    return shape_of(create, suffix=suffix, defaults=DEFAULTS)


def differences_of(one: str, other: str) -> list[str]:
    return [str(difference) for difference in differences(shape(one), shape(other))]


SAME = {
    "display width": ("`a` bigint(20) unsigned NOT NULL", "`a` bigint unsigned NOT NULL"),
    "year": ("`a` year(4) DEFAULT NULL", "`a` year"),
    "default null": ("`a` int(11) DEFAULT NULL", "`a` int"),
    "quoted default": ("`a` int(11) NOT NULL DEFAULT 0", "`a` int NOT NULL DEFAULT '0'"),
    "decimal default": ("`a` decimal(12,2) DEFAULT 0.00", "`a` decimal(12,2) DEFAULT '0'"),
    "negative default": ("`a` int DEFAULT -1", "`a` int DEFAULT '-1'"),
    "decimal": ("`a` decimal(10,0)", "`a` decimal"),
    "bool": ("`a` tinyint(1) DEFAULT 1", "`a` BOOL DEFAULT TRUE"),
    "now": (
        "`a` timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp()",
        "`a` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP",
    ),
    "now with digits": ("`a` datetime(6) DEFAULT current_timestamp(6)", "`a` datetime(6) DEFAULT NOW(6)"),
    "collation of the table": (
        "`a` varchar(9) DEFAULT NULL",
        "`a` varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
    ),
    "utf8": ("`a` varchar(9) CHARACTER SET utf8mb3 COLLATE utf8mb3_bin", "`a` varchar(9) COLLATE utf8_bin"),
    "default of the character set": (
        "`a` varchar(9) CHARACTER SET latin1 COLLATE latin1_swedish_ci",
        "`a` varchar(9) CHARACTER SET latin1",
    ),
    "introducer": ("`a` varchar(9) DEFAULT _utf8mb4'x'", "`a` varchar(9) DEFAULT 'x'"),
    "order of columns and keys": (
        "`a` int, `b` int, KEY `x` (`a`), KEY `y` (`b`)",
        "`b` int, `a` int, KEY `y` (`b`), KEY `x` (`a`)",
    ),
    "key over an expression": (
        "`a` json, UNIQUE KEY `x` ((cast(json_unquote(json_extract(`a`,_utf8mb4'$.b')) as char(9) charset utf8mb4)))",
        "`a` json, UNIQUE `x` ((CAST(JSON_UNQUOTE(JSON_EXTRACT(a, '$.b')) AS CHAR(9) CHARACTER SET utf8mb4)))",
    ),
    "kind of index": ("`a` int, KEY `x` (`a`) USING BTREE", "`a` int, INDEX `x` (`A`)"),
    "primary key": ("`a` int NOT NULL, PRIMARY KEY (`a`)", "`a` int PRIMARY KEY"),
    "unique column": ("`a` int, UNIQUE KEY `a` (`a`)", "`a` int UNIQUE"),
    "check": ("`a` int, CONSTRAINT `c_1` CHECK (`a` > 0)", "`a` int, CONSTRAINT `c_1` CHECK ((`a` > 0))"),
    "check's inner brackets": (
        "`a` int, CONSTRAINT `c_1` CHECK (`a` > 0 and `a` < 9)",
        "`a` int, CONSTRAINT `c_1` CHECK (((`a` > 0) and (`a` < 9)))",
    ),
    "check without a name": (
        "`a` int, CONSTRAINT `CONSTRAINT_1` CHECK (`a` > 0)",
        "`a` int, CONSTRAINT `t_1_chk_1` CHECK ((`a` > 0))",
    ),
    "generated": ("`a` int, `g` int(11) GENERATED ALWAYS AS (`a` + 1) VIRTUAL", "`a` int, `g` int AS ((`a` + 1))"),
    "json": (
        "`a` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(`a`))",
        "`a` json DEFAULT NULL",
    ),
    "version marks": (
        "`a` int INVISIBLE, KEY `x` (`a`) INVISIBLE",
        "`a` int /*!80023 INVISIBLE */, KEY `x` (`a`) /*!80000 INVISIBLE */",
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_spellings_that_mean_the_same(name: str) -> None:
    one, other = SAME[name]
    assert differences_of(one, other) == [] and differences_of(other, one) == []


OTHER = {
    "type": ("`a` int", "`a` bigint"),
    "zerofill": ("`a` int(5) zerofill", "`a` int"),
    "null": ("`a` int", "`a` int NOT NULL"),
    "default": ("`a` int DEFAULT 0", "`a` int DEFAULT 1"),
    "digits of a text": ("`a` varchar(9) DEFAULT '0'", "`a` varchar(9) DEFAULT '0.0'"),
    "letter case of a default": ("`a` varchar(9) DEFAULT 'x'", "`a` varchar(9) DEFAULT 'X'"),
    "collation": ("`a` varchar(9)", "`a` varchar(9) COLLATE utf8mb4_general_ci"),
    "comment": ("`a` int COMMENT 'x'", "`a` int COMMENT 'y'"),
    "mark in a comment": ("`a` int COMMENT '/*!1 x */'", "`a` int COMMENT 'x '"),
    "index column": ("`a` int, `b` int, KEY `x` (`a`)", "`a` int, `b` int, KEY `x` (`a`, `b`)"),
    "prefix": ("`a` text, KEY `x` (`a`(4))", "`a` text, KEY `x` (`a`(5))"),
    "unique": ("`a` int, KEY `x` (`a`)", "`a` int, UNIQUE KEY `x` (`a`)"),
    "direction": ("`a` int, KEY `x` (`a`)", "`a` int, KEY `x` (`a` DESC)"),
    "visibility": ("`a` int, KEY `x` (`a`)", "`a` int, KEY `x` (`a`) /*!80000 INVISIBLE */"),
    "brackets that matter": (
        "`a` int, CONSTRAINT `c_1` CHECK ((`a` + 1) * 2 > 0)",
        "`a` int, CONSTRAINT `c_1` CHECK (`a` + 1 * 2 > 0)",
    ),
    "stored": ("`a` int, `g` int AS (`a`) STORED", "`a` int, `g` int AS (`a`) VIRTUAL"),
}


@pytest.mark.parametrize("name", OTHER)
def test_definitions_that_mean_something_else(name: str) -> None:
    one, other = OTHER[name]
    assert len(differences_of(one, other)) == 1


def test_options_count_and_counters_do_not() -> None:
    plain, counted = shape("`a` int"), shape("`a` int", f"{OPTIONS} AUTO_INCREMENT=41 STATS_PERSISTENT=1")
    assert differences(plain, counted) == ()
    implied = shape("`a` varchar(9)", "DEFAULT CHARSET=utf8mb4")
    assert (
        differences(
            implied, shape("`a` varchar(9)", "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci")
        )
        == ()
    )
    (comment,) = differences(plain, shape("`a` int", f"{OPTIONS} COMMENT='x'"))
    assert alter_statement_for((comment,), database="d", table="t_1", suffix="_1").split() == [
        "ALTER",
        "TABLE",
        "`d`.`t_1`",
        "COMMENT=''",
    ]


def test_a_key_at_its_column_survives_a_change_of_the_column() -> None:
    create = read_create("CREATE TABLE t (a INT PRIMARY KEY, b INT UNIQUE)")
    assert create is not None
    changed = after_changes(create, ["ALTER TABLE t MODIFY a BIGINT, MODIFY b BIGINT NOT NULL"])
    wanted = shape("a BIGINT PRIMARY KEY, b BIGINT NOT NULL UNIQUE", "")
    assert [str(item) for item in differences(wanted, shape_of(changed, suffix="_1", defaults=DEFAULTS))] == []


def test_what_names_a_column_names_it_by_its_new_name() -> None:
    create = read_create("CREATE TABLE t (a INT CHECK (a > 1), b INT AS (a + 1) STORED, KEY k (a DESC), CHECK (a < 9))")
    assert create is not None
    changed = after_changes(create, ["ALTER TABLE t RENAME COLUMN A TO c"])
    wanted = shape("c INT CHECK (c > 1), b INT AS (c + 1) STORED, KEY k (c DESC), CHECK (c < 9)", "")
    assert [str(item) for item in differences(wanted, shape_of(changed, suffix="_1", defaults=DEFAULTS))] == []


def test_changes_are_calculated_clause_by_clause() -> None:
    create = read_create(
        f"CREATE TABLE `t${{suffix}}` (a INT NOT NULL, b INT, c INT, PRIMARY KEY (a), KEY x (b, c), KEY y (c)) {OPTIONS}"
    )
    assert create is not None
    changed = after_changes(
        create,
        [
            "ALTER TABLE `t${suffix}` RENAME COLUMN b TO bb, DROP COLUMN c, ADD COLUMN d INT AFTER a, ALGORITHM=INPLACE",
            "ALTER TABLE `t${suffix}` CHANGE COLUMN d e BIGINT, ADD CONSTRAINT `c${suffix}` CHECK (e > 0), COMMENT='x'",
            "ALTER TABLE `t${suffix}` ALTER COLUMN e SET DEFAULT 4, RENAME INDEX x TO z, ADD UNIQUE INDEX u (e)",
        ],
    )
    wanted = shape(
        "a INT NOT NULL, bb INT, e BIGINT DEFAULT '4', PRIMARY KEY (a), KEY z (bb), UNIQUE KEY u (e), "
        "CONSTRAINT c_1 CHECK ((e > 0))",
        f"{OPTIONS} COMMENT='x'",
    )
    found = shape_of(changed, suffix="${suffix}", defaults=DEFAULTS)
    assert [str(item) for item in differences(found, wanted)] == []
    with pytest.raises(NotCalculable):
        after_changes(create, ["ALTER TABLE `t${suffix}` ALTER INDEX x INVISIBLE"])
    with pytest.raises(NotCalculable):
        after_changes(create, ["ALTER TABLE `t${suffix}` DROP INDEX nobody"])
