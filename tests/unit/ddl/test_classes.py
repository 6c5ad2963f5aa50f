"""How heavy a change is, by the rules alone, and what a server is asked for. Whether the rules are true:
tests/ddl/test_classes.py.
"""

from __future__ import annotations

import pytest
import sqlglot

from shardwright.compiler.ddl.alter.cost import IN_PLACE, INSTANT, READ_ONLY, Cost, Way, heavier
from shardwright.compiler.ddl.alter.forms import forms_of
from shardwright.compiler.ddl.alter.read import AlterTable, read_alter
from shardwright.compiler.ddl.routing.changes import read_changes
from shardwright.compiler.plan.plan import DdlChange
from shardwright.runtime.ddl.routing.consent import refuse_unless_allowed
from shardwright.runtime.ddl.routing.ways import statements
from shardwright.runtime.failures import Refused
from shardwright.specs.findings.diagnostics import Findings
from tests.ddl.plans import shop_tables


def alter(text: str) -> AlterTable:
    found = read_alter(sqlglot.parse_one(f"ALTER TABLE t {text}", dialect="mysql"))
    assert found is not None
    return found


def classes_of(text: str) -> tuple[tuple[str, str], ...]:
    """Class and clauses on MySQL, then on MariaDB."""
    found = []
    for form in forms_of(alter(text)):
        options = alter(form.statement.partition("`t`")[2]).tree.args["options"]
        found.append((form.ddl_class, " ".join(option.sql("mysql") for option in options)))
    return tuple(found)


@pytest.mark.parametrize(
    ("text", "costs"),
    [
        ("ADD COLUMN a int", [Cost.ADD_COLUMN]),
        ("ADD COLUMN a int NOT NULL DEFAULT -1 FIRST", [Cost.ADD_COLUMN]),
        ("ADD COLUMN a int UNIQUE", [Cost.ADD_COLUMN, Cost.ADD_INDEX]),
        ("ADD COLUMN a int CHECK (a > 1)", [Cost.ADD_COLUMN, Cost.ADD_CHECK]),
        ("ADD COLUMN a timestamp DEFAULT now()", [Cost.ADD_COLUMN_NOW]),
        ("ADD COLUMN a int DEFAULT (1 + 2)", [Cost.ADD_COLUMN_COMPUTED]),
        ("ADD COLUMN a varchar(36) DEFAULT (uuid())", [Cost.ADD_COLUMN_COMPUTED]),
        ("ADD COLUMN a json", [Cost.ADD_COLUMN]),
        ("ADD COLUMN a int GENERATED ALWAYS AS (b + 1)", [Cost.ADD_VIRTUAL]),
        ("ADD COLUMN a int AS (b + 1) STORED", [Cost.ADD_STORED]),
        ("ALTER COLUMN a SET DEFAULT (uuid())", [Cost.OTHER]),
        ("ADD INDEX i ((a + 1))", [Cost.ADD_FUNCTIONAL_INDEX]),
        ("ADD UNIQUE i (b, (a + 1))", [Cost.ADD_FUNCTIONAL_UNIQUE]),
        ("ADD CONSTRAINT u UNIQUE (a, b(3) DESC)", [Cost.ADD_INDEX]),
        ("ADD FULLTEXT INDEX f (a), ADD SPATIAL INDEX s (b)", [Cost.ADD_FULLTEXT, Cost.ADD_SPATIAL]),
        ("DROP INDEX `PRIMARY`, ADD PRIMARY KEY (a)", [Cost.PRIMARY_KEY, Cost.PRIMARY_KEY]),
        ("COMMENT='x', LOCK=NONE", [Cost.TABLE_COMMENT]),
        ("LOCK=NONE", [Cost.OTHER]),
        ("ROW_FORMAT=DYNAMIC, FORCE", [Cost.BUILD_AGAIN, Cost.BUILD_AGAIN]),
        ("STATS_PERSISTENT=1", [Cost.STATISTICS]),
        ("ENGINE=MyISAM", [Cost.OTHER]),
    ],
)
def test_costs_of_clauses(text: str, costs: list[Cost]) -> None:
    assert list(alter(text).costs()) == costs


def test_the_gravest_clause_decides() -> None:
    assert classes_of("ADD COLUMN a int") == (("instant", "ALGORITHM=INSTANT"),) * 2
    assert classes_of("ADD COLUMN a int, ADD INDEX i (a)")[0] == ("in_place", "ALGORITHM=INPLACE LOCK=NONE")
    assert classes_of("ADD INDEX i (a), ADD FULLTEXT INDEX f (a)")[0] == ("blocking", "ALGORITHM=INPLACE LOCK=SHARED")
    assert classes_of("ADD COLUMN a int, MODIFY COLUMN b bigint") == (
        ("copying", "ALGORITHM=COPY LOCK=SHARED"),
        ("copying", "ALGORITHM=COPY"),
    )


@pytest.mark.parametrize(
    ("text", "on_mysql"),
    [
        ("MODIFY COLUMN a varchar(50), ALGORITHM=INPLACE", ("in_place", "ALGORITHM=INPLACE LOCK=NONE")),
        ("MODIFY COLUMN a varchar(50), ALGORITHM=INSTANT", ("instant", "ALGORITHM=INSTANT")),
        ("ADD COLUMN a int, ALGORITHM=copy", ("copying", "ALGORITHM=COPY")),
        ("ADD COLUMN a int, ALGORITHM=DEFAULT", ("copying", "ALGORITHM=DEFAULT")),
        ("ADD COLUMN a int, LOCK=NONE", ("in_place", "ALGORITHM=INPLACE LOCK=NONE")),
        ("ADD INDEX i (a), LOCK=EXCLUSIVE", ("blocking", "ALGORITHM=INPLACE LOCK=EXCLUSIVE")),
        ("ADD FULLTEXT INDEX i (a), ALGORITHM=INPLACE", ("blocking", "ALGORITHM=INPLACE LOCK=SHARED")),
        ("ADD INDEX i (a), ALGORITHM=INPLACE, LOCK=SHARED", ("blocking", "ALGORITHM=INPLACE LOCK=SHARED")),
        ("ADD UNIQUE i ((a + 1)), LOCK=DEFAULT", ("copying", "ALGORITHM=COPY LOCK=DEFAULT")),
    ],
)
def test_what_the_file_names_itself_is_kept(text: str, on_mysql: tuple[str, str]) -> None:
    assert classes_of(text)[0] == on_mysql


def test_a_column_that_an_earlier_change_made_use_of_is_not_dropped_lightly() -> None:
    files = {
        "ddl/0001_a.sql": "ALTER TABLE orders ADD COLUMN a int, ADD COLUMN b int, ADD COLUMN c int, ADD INDEX i (a);",
        "ddl/0002_b.sql": "ALTER TABLE orders RENAME COLUMN a TO d;",
        "ddl/0003_c.sql": "ALTER TABLE orders DROP COLUMN d; ALTER TABLE orders DROP COLUMN b;",
    }
    findings = Findings()
    changes = read_changes(files, tables=shop_tables(), findings=findings)
    assert not findings.has_errors
    assert [change.mysql and change.mysql.ddl_class for change in changes][-2:] == [
        Cost.DROP_USED_COLUMN.mysql.ddl_class,
        "instant",
    ]
    statement = alter("ADD COLUMN a int AS (b + 1), ADD COLUMN c int AFTER d, ADD COLUMN e int UNIQUE")
    assert statement.columns_used() == {
        "b",
        "e",
    }


def _change(text: str, *, destructive: bool = False) -> DdlChange:
    return DdlChange("0001_x.sql", 1, "t", f"ALTER TABLE `t${{suffix}}` {text}", destructive, *forms_of(alter(text)))


def test_heavier_ways_are_tried_only_where_they_are_allowed() -> None:
    change = _change("ADD COLUMN a int")

    def tried(*allowed: str) -> list[str]:
        found = statements(change, suffix="_3", mariadb=False, allowed=frozenset(allowed))
        return [statement.partition("ALGORITHM=")[2].replace(",\n  ", " ") for statement in found]

    assert tried() == tried("SW8421", "SW8422") == ["INSTANT"]
    assert tried("SW8415") == ["INSTANT", "INPLACE LOCK=NONE"]
    assert tried("SW8415", "SW8421") == ["INSTANT", "INPLACE LOCK=NONE", "COPY LOCK=SHARED"]
    assert tried("SW8415", "SW8422") == ["INSTANT", "INPLACE LOCK=NONE", "INPLACE LOCK=SHARED"]
    assert heavier(READ_ONLY, mariadb=False) == (Way("COPY", "SHARED"),)
    assert heavier(IN_PLACE, mariadb=True) == (READ_ONLY, Way("COPY"))
    assert len(heavier(INSTANT, mariadb=True)) == 3


def test_heavy_changes_ask() -> None:
    copying, dropping = _change("MODIFY COLUMN a bigint", destructive=True), _change("DROP COLUMN b", destructive=True)
    with pytest.raises(Refused) as refused:
        refuse_unless_allowed([(copying, False), (dropping, False)], frozenset({"SW8415"}))
    assert refused.value.code == "SW8420"
    assert refused.value.message == (
        "0001_x.sql 1: cannot be undone; 0001_x.sql 1: copies each table. If that is what you want, "
        "run again with --allow SW8415,SW8420,SW8421"
    )
    refuse_unless_allowed([(copying, False), (dropping, False)], frozenset({"SW8420", "SW8421"}))
    refuse_unless_allowed([(_change("ADD COLUMN c int"), True)], frozenset())
