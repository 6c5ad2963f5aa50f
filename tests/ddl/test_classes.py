"""The table of classes against a real server: what it names is accepted, and anything lighter is refused."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pymysql
import pytest
from pymysql.connections import Connection
from pymysql.cursors import Cursor

from shardwright.compiler.ddl.alter.cost import (
    COPY_ON_MARIADB,
    COPY_ON_MYSQL,
    IN_PLACE,
    INSTANT,
    NOCOPY,
    NOCOPY_READ_ONLY,
    READ_ONLY,
    Cost,
    Way,
    way_of,
)
from shardwright.compiler.ddl.alter.forms import apply_way
from shardwright.compiler.ddl.alter.read import AlterTable, read_alter
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
    Cost.ADD_COLUMN: "ADD COLUMN a1 varchar(20) NOT NULL DEFAULT '' COMMENT 'x' AFTER id",
    Cost.ADD_COLUMN_NOW: "ADD COLUMN a2 datetime(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)",
    Cost.ADD_COLUMN_COMPUTED: "ADD COLUMN a3 int DEFAULT (amount + 1)",
    Cost.ADD_VIRTUAL: "ADD COLUMN a5 int AS (amount + 1) VIRTUAL",
    Cost.ADD_STORED: "ADD COLUMN a6 int AS (amount + 1) STORED",
    Cost.DROP_COLUMN: "DROP COLUMN spare",
    Cost.DROP_USED_COLUMN: "DROP COLUMN used",
    Cost.RENAME_COLUMN: "RENAME COLUMN old TO older",
    Cost.RETYPE_COLUMN: "MODIFY COLUMN grown char(7) CHARACTER SET latin1",
    Cost.DEFAULT: "ALTER COLUMN amount SET DEFAULT 2",
    Cost.COLUMN_VISIBILITY: "ALTER COLUMN words SET INVISIBLE",
    Cost.ADD_INDEX: "ADD UNIQUE INDEX i1 (owner, words(8))",
    Cost.ADD_FUNCTIONAL_INDEX: "ADD INDEX i2 ((owner + 1))",
    Cost.ADD_FUNCTIONAL_UNIQUE: "ADD UNIQUE INDEX i5 ((owner + 2))",
    Cost.ADD_FULLTEXT: "ADD FULLTEXT INDEX i3 (words)",
    Cost.ADD_SPATIAL: "ADD SPATIAL INDEX i4 (place)",
    Cost.DROP_INDEX: "DROP INDEX by_owner",
    Cost.RENAME_INDEX: "RENAME INDEX by_amount TO by_sum",
    Cost.INDEX_VISIBILITY: "ALTER INDEX by_used INVISIBLE",
    Cost.PRIMARY_KEY: "DROP PRIMARY KEY, ADD PRIMARY KEY (id, amount)",
    Cost.ADD_CHECK: "ADD CONSTRAINT positive CHECK (owner > 0)",
    Cost.DROP_CHECK: "DROP CONSTRAINT small",
    Cost.CONVERT: "CONVERT TO CHARACTER SET utf8mb3 COLLATE utf8mb3_bin",
    Cost.DEFAULT_SET: "CHARACTER SET latin1, COLLATE latin1_bin",
    Cost.TABLE_COMMENT: "COMMENT='new'",
    Cost.BUILD_AGAIN: "FORCE",
    Cost.STATISTICS: "STATS_PERSISTENT=1, STATS_AUTO_RECALC=1, STATS_SAMPLE_PAGES=4",
}
OTHERS = {
    "ADD COLUMN b json": Cost.ADD_COLUMN,
    "ADD COLUMN b enum('x', 'y') NOT NULL DEFAULT 'y' FIRST": Cost.ADD_COLUMN,
    "ADD COLUMN b timestamp NOT NULL DEFAULT now()": Cost.ADD_COLUMN_NOW,
    "ADD COLUMN b bit(4) DEFAULT b'0101'": Cost.ADD_COLUMN,
    "ADD COLUMN b varbinary(8) DEFAULT x'00FF'": Cost.ADD_COLUMN,
    "ADD COLUMN b text CHARACTER SET latin1": Cost.ADD_COLUMN,
    "ADD COLUMN b int INVISIBLE": Cost.ADD_COLUMN,
    "ALTER COLUMN amount DROP DEFAULT": Cost.DEFAULT,
    "ALTER COLUMN words SET DEFAULT 'x'": Cost.DEFAULT,
    "ADD INDEX i (amount DESC, words)": Cost.ADD_INDEX,
    "COLLATE utf8mb4_unicode_ci": Cost.DEFAULT_SET,
    "DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_bin": Cost.DEFAULT_SET,
    "ENGINE=InnoDB": Cost.BUILD_AGAIN,
    "ROW_FORMAT=COMPACT": Cost.BUILD_AGAIN,
    "ROW_FORMAT=COMPRESSED, KEY_BLOCK_SIZE=8": Cost.BUILD_AGAIN,
}
"""Statements that fall under the same rules."""
UNKNOWN_TO_MARIADB = {
    *(Cost.COLUMN_VISIBILITY, Cost.ADD_FUNCTIONAL_INDEX, Cost.ADD_FUNCTIONAL_UNIQUE, Cost.INDEX_VISIBILITY)
}
COPYING = {cost for cost in Cost if "copying" in (cost.mysql.ddl_class, cost.mariadb.ddl_class)}
USED = frozenset({"used"})
SYNTAX_ERROR = 1064


def alter(text: str) -> AlterTable:
    found = read_alter(parse_sql(f"ALTER TABLE t {text}"))
    assert found is not None
    return found


class Bench:
    """A table of two rows, made anew for each statement."""

    def __init__(self, connection: Connection[Cursor]) -> None:
        self.connection = connection
        self.mariadb = is_mariadb(connection)

    def run(self, sql: str) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute(sql)

    def refusal(self, statement: AlterTable, way: Way) -> int | None:
        """The server's error number; None when it did it."""
        self.run("DROP TABLE IF EXISTS t")
        self.run(TABLE)
        self.run(ROWS)
        try:
            self.run(to_sql(apply_way(statement.tree, way), "mysql"))
        except pymysql.err.MySQLError as error:
            return int(error.args[0])
        return None

    def lightest(self, statement: AlterTable) -> Way | int | None:
        number = None
        for way in self.ways:
            number = self.refusal(statement, way)
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
    assert set(ONE_OF_EACH) == set(Cost) - {Cost.OTHER}
    wrong = {}
    for clause, text in ONE_OF_EACH.items():
        statement = alter(text)
        assert set(statement.costs(USED)) == {clause}
        if bench.mariadb and clause in UNKNOWN_TO_MARIADB:
            assert bench.refusal(statement, COPY_ON_MARIADB) == SYNTAX_ERROR
            continue
        rule, found = way_of([clause], mariadb=bench.mariadb), bench.lightest(statement)
        if rule != found:
            wrong[clause] = found
    assert wrong == {}


@pytest.mark.parametrize(("text", "clause"), OTHERS.items())
def test_other_forms_of_the_same_clauses(bench: Bench, text: str, clause: Cost) -> None:
    statement = alter(text)
    assert set(statement.costs()) == {clause}
    assert bench.lightest(statement) == way_of([clause], mariadb=bench.mariadb)


def test_e19_two_clauses_together_are_taken_as_the_rules_say(bench: Bench) -> None:
    """No pair is heavier than the rules promise; those that are lighter hold a virtual column, perhaps a hidden one."""
    refused, lighter = {}, set[frozenset[Cost]]()
    beside_others = {clause: text for clause, text in ONE_OF_EACH.items() if clause is not Cost.CONVERT}
    for (first, one), (second, two) in combinations(beside_others.items(), 2):
        if bench.mariadb and {first, second} & UNKNOWN_TO_MARIADB:
            continue
        statement = alter(f"{one}, {two}")
        way = way_of(statement.costs(USED), mariadb=bench.mariadb)
        if number := bench.refusal(statement, way):
            refused[first, second] = (str(way), number)
        elif way.ddl_class == "copying" and not {first, second} & COPYING:
            found = bench.lightest(statement)
            if isinstance(found, Way) and found.ddl_class != "copying":
                lighter.add(frozenset({first, second}))
    assert refused == {}
    assert all(pair & {Cost.ADD_VIRTUAL, Cost.ADD_FUNCTIONAL_INDEX} for pair in lighter)


def test_many_instant_clauses_together(bench: Bench) -> None:
    instant = [
        Cost.ADD_COLUMN,
        Cost.ADD_COLUMN_NOW,
        Cost.DROP_COLUMN,
        Cost.RENAME_COLUMN,
        Cost.DEFAULT,
        Cost.DROP_CHECK,
    ]
    statement = alter(", ".join(ONE_OF_EACH[clause] for clause in instant))
    assert way_of(statement.costs(), mariadb=bench.mariadb) == INSTANT
    assert bench.refusal(statement, INSTANT) is None


def test_what_the_page_says_of_a_longer_varchar(bench: Bench) -> None:
    statement = alter("MODIFY COLUMN words varchar(60)")
    assert way_of(statement.costs(), mariadb=bench.mariadb).ddl_class == "copying"
    assert bench.refusal(statement, IN_PLACE) is None
