"""The table of classes against a real server: what it names is accepted, and anything lighter is refused."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pymysql
import pytest
from pymysql.connections import Connection
from pymysql.cursors import Cursor
from sqlglot import exp

from shardwright.compiler.ddl.classes import (
    COPY_ON_MARIADB,
    COPY_ON_MYSQL,
    IN_PLACE,
    INSTANT,
    NOCOPY,
    NOCOPY_READ_ONLY,
    READ_ONLY,
    RULES,
    Way,
    asking,
    way_of,
)
from shardwright.compiler.ddl.clauses import Clause, clauses_of
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.runtime.mysql.servers import is_mariadb
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

TABLE = (
    "CREATE TABLE t (id bigint NOT NULL, owner int NOT NULL, amount int NOT NULL DEFAULT 1, words varchar(40), spare int, used int,"
    " old int, grown varchar(40), place point NOT NULL, PRIMARY KEY (id), KEY by_owner (owner), KEY by_amount (amount),"
    " KEY by_used (used, id), CONSTRAINT small CHECK (amount < 1000)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"
)
ROWS = (
    "INSERT INTO t SELECT 1, 1, 1, 'a b', 1, 1, 1, 'c', ST_GeomFromText('POINT(1 1)')"
    " UNION ALL SELECT 2, 2, 2, NULL, 2, 2, 2, 'd', ST_GeomFromText('POINT(2 2)')"
)
ONE_OF_EACH = {
    Clause.ADD_COLUMN: "ADD COLUMN a1 varchar(20) NOT NULL DEFAULT '' COMMENT 'x' AFTER id",
    Clause.ADD_COLUMN_NOW: "ADD COLUMN a2 datetime(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)",
    Clause.ADD_COLUMN_COMPUTED: "ADD COLUMN a3 int DEFAULT (amount + 1)",
    Clause.ADD_VIRTUAL: "ADD COLUMN a5 int AS (amount + 1) VIRTUAL",
    Clause.ADD_STORED: "ADD COLUMN a6 int AS (amount + 1) STORED",
    Clause.DROP_COLUMN: "DROP COLUMN spare",
    Clause.DROP_USED_COLUMN: "DROP COLUMN used",
    Clause.RENAME_COLUMN: "RENAME COLUMN old TO older",
    Clause.RETYPE_COLUMN: "MODIFY COLUMN grown char(7) CHARACTER SET latin1",
    Clause.DEFAULT: "ALTER COLUMN amount SET DEFAULT 2",
    Clause.COLUMN_VISIBILITY: "ALTER COLUMN words SET INVISIBLE",
    Clause.ADD_INDEX: "ADD UNIQUE INDEX i1 (owner, words(8))",
    Clause.ADD_FUNCTIONAL_INDEX: "ADD INDEX i2 ((owner + 1))",
    Clause.ADD_FUNCTIONAL_UNIQUE: "ADD UNIQUE INDEX i5 ((owner + 2))",
    Clause.ADD_FULLTEXT: "ADD FULLTEXT INDEX i3 (words)",
    Clause.ADD_SPATIAL: "ADD SPATIAL INDEX i4 (place)",
    Clause.DROP_INDEX: "DROP INDEX by_owner",
    Clause.RENAME_INDEX: "RENAME INDEX by_amount TO by_sum",
    Clause.INDEX_VISIBILITY: "ALTER INDEX by_used INVISIBLE",
    Clause.PRIMARY_KEY: "DROP PRIMARY KEY, ADD PRIMARY KEY (id, amount)",
    Clause.ADD_CHECK: "ADD CONSTRAINT positive CHECK (owner > 0)",
    Clause.DROP_CHECK: "DROP CONSTRAINT small",
    Clause.CONVERT: "CONVERT TO CHARACTER SET utf8mb3 COLLATE utf8mb3_bin",
    Clause.DEFAULT_SET: "CHARACTER SET latin1, COLLATE latin1_bin",
    Clause.TABLE_COMMENT: "COMMENT='new'",
    Clause.BUILD_ANEW: "FORCE",
    Clause.STATISTICS: "STATS_PERSISTENT=1, STATS_AUTO_RECALC=1, STATS_SAMPLE_PAGES=4",
}
OTHERS = {
    "ADD COLUMN b json": Clause.ADD_COLUMN,
    "ADD COLUMN b enum('x', 'y') NOT NULL DEFAULT 'y' FIRST": Clause.ADD_COLUMN,
    "ADD COLUMN b timestamp NOT NULL DEFAULT now()": Clause.ADD_COLUMN_NOW,
    "ADD COLUMN b bit(4) DEFAULT b'0101'": Clause.ADD_COLUMN,
    "ADD COLUMN b varbinary(8) DEFAULT x'00FF'": Clause.ADD_COLUMN,
    "ADD COLUMN b text CHARACTER SET latin1": Clause.ADD_COLUMN,
    "ADD COLUMN b int INVISIBLE": Clause.ADD_COLUMN,
    "ALTER COLUMN amount DROP DEFAULT": Clause.DEFAULT,
    "ALTER COLUMN words SET DEFAULT 'x'": Clause.DEFAULT,
    "ADD INDEX i (amount DESC, words)": Clause.ADD_INDEX,
    "COLLATE utf8mb4_unicode_ci": Clause.DEFAULT_SET,
    "DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_bin": Clause.DEFAULT_SET,
    "ENGINE=InnoDB": Clause.BUILD_ANEW,
    "ROW_FORMAT=COMPACT": Clause.BUILD_ANEW,
    "ROW_FORMAT=COMPRESSED, KEY_BLOCK_SIZE=8": Clause.BUILD_ANEW,
}
"""Statements that fall under the same rules."""
UNKNOWN_TO_MARIADB = {
    *(Clause.COLUMN_VISIBILITY, Clause.ADD_FUNCTIONAL_INDEX, Clause.ADD_FUNCTIONAL_UNIQUE, Clause.INDEX_VISIBILITY)
}
COPYING = {rule for rule in RULES.values() if "copying" in (rule.mysql.ddl_class, rule.mariadb.ddl_class)}
USED = frozenset({"used"})
SYNTAX_ERROR = 1064


def alter(text: str) -> exp.Alter:
    tree = parse_sql(f"ALTER TABLE t {text}")
    assert isinstance(tree, exp.Alter)
    return tree


class Bench:
    """A table of two rows, made anew for each statement."""

    def __init__(self, connection: Connection[Cursor]) -> None:
        self.connection = connection
        self.mariadb = is_mariadb(connection)

    def run(self, sql: str) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute(sql)

    def refusal(self, tree: exp.Alter, way: Way) -> int | None:
        """The server's error number; None when it did it."""
        self.run("DROP TABLE IF EXISTS t")
        self.run(TABLE)
        self.run(ROWS)
        try:
            self.run(to_sql(asking(tree, way), "mysql"))
        except pymysql.err.MySQLError as error:
            return int(error.args[0])
        return None

    def lightest(self, tree: exp.Alter) -> Way | int | None:
        number = None
        for way in self.ways:
            number = self.refusal(tree, way)
            if number is None:
                return way
        return number

    @property
    def ways(self) -> tuple[Way, ...]:
        """Light to heavy."""
        if self.mariadb:
            return (INSTANT, NOCOPY, NOCOPY_READ_ONLY, IN_PLACE, READ_ONLY, COPY_ON_MARIADB)
        return (INSTANT, IN_PLACE, READ_ONLY, COPY_ON_MYSQL)


@pytest.fixture
def bench(arena: Arena) -> Iterator[Bench]:
    server = arena.targets[0]
    server.query("CREATE DATABASE IF NOT EXISTS order_db_0")
    with server.connect("order_db_0") as connection:
        yield Bench(connection)


def test_e19_every_rule_is_the_lightest_way_that_the_server_takes(bench: Bench) -> None:
    assert set(ONE_OF_EACH) == set(RULES) - {Clause.OTHER}
    wrong = {}
    for clause, text in ONE_OF_EACH.items():
        tree = alter(text)
        assert set(clauses_of(tree, used=USED)) == {clause}
        if bench.mariadb and clause in UNKNOWN_TO_MARIADB:
            assert bench.refusal(tree, COPY_ON_MARIADB) == SYNTAX_ERROR
            continue
        rule, found = way_of([clause], mariadb=bench.mariadb), bench.lightest(tree)
        if rule != found:
            wrong[clause] = found
    assert wrong == {}


@pytest.mark.parametrize(("text", "clause"), OTHERS.items())
def test_other_forms_of_the_same_clauses(bench: Bench, text: str, clause: Clause) -> None:
    tree = alter(text)
    assert set(clauses_of(tree)) == {clause}
    assert bench.lightest(tree) == way_of([clause], mariadb=bench.mariadb)


def test_e19_two_clauses_together_are_taken_as_the_rules_say(bench: Bench) -> None:
    """No pair is heavier than the rules promise; those that are lighter hold a virtual column, perhaps a hidden one."""
    refused, lighter = {}, set[frozenset[Clause]]()
    beside_others = {clause: text for clause, text in ONE_OF_EACH.items() if clause is not Clause.CONVERT}
    for (first, one), (second, two) in combinations(beside_others.items(), 2):
        if bench.mariadb and {first, second} & UNKNOWN_TO_MARIADB:
            continue
        tree = alter(f"{one}, {two}")
        way = way_of(clauses_of(tree, used=USED), mariadb=bench.mariadb)
        if number := bench.refusal(tree, way):
            refused[first, second] = (str(way), number)
        elif way.ddl_class == "copying" and not {RULES[first], RULES[second]} & COPYING:
            found = bench.lightest(tree)
            if isinstance(found, Way) and found.ddl_class != "copying":
                lighter.add(frozenset({first, second}))
    assert refused == {}
    assert all(pair & {Clause.ADD_VIRTUAL, Clause.ADD_FUNCTIONAL_INDEX} for pair in lighter)


def test_many_instant_clauses_together(bench: Bench) -> None:
    instant = [
        Clause.ADD_COLUMN,
        Clause.ADD_COLUMN_NOW,
        Clause.DROP_COLUMN,
        Clause.RENAME_COLUMN,
        Clause.DEFAULT,
        Clause.DROP_CHECK,
    ]
    tree = alter(", ".join(ONE_OF_EACH[clause] for clause in instant))
    assert way_of(clauses_of(tree), mariadb=bench.mariadb) == INSTANT
    assert bench.refusal(tree, INSTANT) is None


def test_what_the_page_says_of_a_longer_varchar(bench: Bench) -> None:
    tree = alter("MODIFY COLUMN words varchar(60)")
    assert way_of(clauses_of(tree), mariadb=bench.mariadb).ddl_class == "copying"
    assert bench.refusal(tree, IN_PLACE) is None
