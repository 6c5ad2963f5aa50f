"""The table of classes against a real server: what it names is accepted, and anything lighter is refused."""

from __future__ import annotations

from collections.abc import Iterator

import pymysql
import pytest
import sqlglot
from pymysql.connections import Connection
from pymysql.cursors import Cursor
from sqlglot import exp

from shardwright.compiler.ddl.clauses import Clause
from shardwright.compiler.ddl.ways import (
    COPY_ON_MARIADB,
    COPY_ON_MYSQL,
    IN_PLACE,
    INSTANT,
    NOCOPY,
    READ_ONLY,
    Way,
    asking,
)
from shardwright.compiler.sql_text import to_sql
from shardwright.runtime.connections import is_mariadb
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

TABLE = (
    "CREATE TABLE t (id bigint NOT NULL, owner int NOT NULL, amount int NOT NULL DEFAULT 1, words varchar(40), spare int, used int,"
    " place point NOT NULL, PRIMARY KEY (id), KEY by_owner (owner), KEY by_amount (amount), KEY by_used (used),"
    " CONSTRAINT small CHECK (amount < 1000)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"
)
ROWS = "INSERT INTO t SELECT 1, 1, 1, 'a b', 1, 1, ST_GeomFromText('POINT(1 1)') UNION ALL SELECT 2, 2, 2, NULL, 2, 2, ST_GeomFromText('POINT(2 2)')"
ONE_OF_EACH = {
    Clause.ADD_COLUMN: "ADD COLUMN a1 varchar(20) NOT NULL DEFAULT '' COMMENT 'x' AFTER owner",
    Clause.ADD_COLUMN_NOW: "ADD COLUMN a2 datetime(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)",
    Clause.ADD_COLUMN_COMPUTED: "ADD COLUMN a3 varchar(64) DEFAULT (concat('a', 'b'))",
    Clause.ADD_JSON: "ADD COLUMN a4 json",
    Clause.ADD_VIRTUAL: "ADD COLUMN a5 int AS (spare + 1) VIRTUAL",
    Clause.ADD_STORED: "ADD COLUMN a6 int AS (owner + 1) STORED",
    Clause.DROP_COLUMN: "DROP COLUMN spare",
    Clause.DROP_USED_COLUMN: "DROP COLUMN used",
    Clause.RENAME_COLUMN: "RENAME COLUMN owner TO belongs_to",
    Clause.RETYPE_COLUMN: "MODIFY COLUMN owner bigint NOT NULL",
    Clause.DEFAULT: "ALTER COLUMN amount SET DEFAULT 2",
    Clause.COLUMN_VISIBILITY: "ALTER COLUMN words SET INVISIBLE",
    Clause.ADD_INDEX: "ADD UNIQUE INDEX i1 (owner, words(8))",
    Clause.ADD_FUNCTIONAL_INDEX: "ADD INDEX i2 ((owner + 1))",
    Clause.ADD_FULLTEXT: "ADD FULLTEXT INDEX i3 (words)",
    Clause.ADD_SPATIAL: "ADD SPATIAL INDEX i4 (place)",
    Clause.DROP_INDEX: "DROP INDEX by_owner",
    Clause.RENAME_INDEX: "RENAME INDEX by_amount TO by_sum",
    Clause.INDEX_VISIBILITY: "ALTER INDEX by_amount INVISIBLE",
    Clause.PRIMARY_KEY: "DROP PRIMARY KEY, ADD PRIMARY KEY (id, amount)",
    Clause.ADD_CHECK: "ADD CONSTRAINT positive CHECK (owner > 0)",
    Clause.DROP_CHECK: "DROP CONSTRAINT small",
    Clause.TABLE_COMMENT: "COMMENT='new'",
}


def alter(text: str) -> exp.Alter:
    tree = sqlglot.parse_one(f"ALTER TABLE t {text}", dialect="mysql")
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
            return (INSTANT, NOCOPY, Way("NOCOPY", "SHARED"), IN_PLACE, READ_ONLY, COPY_ON_MARIADB)
        return (INSTANT, IN_PLACE, READ_ONLY, COPY_ON_MYSQL)


@pytest.fixture
def bench(arena: Arena) -> Iterator[Bench]:
    server = arena.targets[0]
    server.query("CREATE DATABASE IF NOT EXISTS order_db_0")
    with server.connect("order_db_0") as connection:
        yield Bench(connection)
