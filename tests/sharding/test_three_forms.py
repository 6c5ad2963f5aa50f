"""The property everything rests on (C9, D15): Python, Spark and MySQL SQL give the same value for every row."""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from shardwright.compiler.expressions.expression import Expression, IntegerExpression, TextExpression, evaluate_each
from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.expressions.read_sql import SqlSource
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.sharding.algorithms import ALGORITHMS
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.specs.findings.diagnostics import Findings, Span
from tests.servers.testbed import Server
from tests.sharding import hostile_values
from tests.sharding.every_option import every_option
from tests.sharding.functions import function_of, grid, has_mysql_form
from tests.sharding.random_expressions import random_expression
from tests.sharding.typed_columns import COLUMNS, CREATE_TABLE, DATE_COLUMNS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.server]

SEED = int(os.environ.get("SHARDWRIGHT_SEED") or secrets.randbits(32))
ROWS = 5_000
ALGORITHM_ROWS = 400
RANDOM_EXPRESSIONS = 80
CONNECTIONS = {
    "usual": ("utf8mb4", "STRICT_TRANS_TABLES,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO"),
    "strange": ("latin1", "ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT"),
}
"""Character set and SQL mode must not matter."""

WRITTEN = (
    "crc32(user_id) % 16",
    "(crc32(user_id) div 16) % 16",
    "crc32(big) % 1024",
    "-(crc32(email) * (big * medium)) % 1024",  # more than 34 digits
    "crc32(filled) % 16 + crc32(bigfilled) % 16",
    "crc32(country)",
    "crc32(cyrillic)",
    "crc32(order_no)",
    "crc32(email)",
    "crc32(old)",
    "crc32(wide)",
    "crc32(code)",
    "crc32(uuid)",
    "crc32(token)",
    "crc32(coalesce(old_token, token))",
    "crc32(coalesce(note, order_no, 'none'))",
    "crc32(concat(country, ':', user_id, ':', filled, ':', big)) % 16",
    "crc32(concat(wide, old, coalesce(referrer_id, -1)))",
    "crc32(substr(order_no, 2, 3))",
    "crc32(substr(email, 3))",
    "crc32(substr(wide, 1, 1))",
    "crc32(substr(concat(code, email), 5, 0))",
    "cast(order_no as signed)",
    "cast(substr(order_no, 1, 4) as signed) % 8",
    "coalesce(cast(note as signed), 5)",
    "cast(note as signed)",
    "crc32(cast(user_id as char))",
    "coalesce(referrer_id, 0) % 4",
    "coalesce(ubig_null, 0)",
    "coalesce(ubig_null, user_id)",
    "coalesce(referrer_id, filled)",
    "referrer_id % 7 - ubig_null % 9",
    "((user_id % 16) + 16) % 16",
    "user_id % -7",
    "user_id div -7",
    "user_id div 1 + 0",
    "big div 1 - 1",
    "big div 3",
    "big div -3",
    "big % 9223372036854775807",
    "(big - 5) % 97",
    "(big - user_id) div 7",
    "-big",
    "-(tiny * small) * umedium + usmall - utiny",
    "big * 5000000000000000000 - 1",
    "(big * 5000000000000000000 - 1) % 1000000007",
    "utiny - usmall",
    # what Spark's optimizer would put together in another order, beyond 64 bits
    "(0 * cast(email as signed)) * crc32(email)",
    "crc32(email) * (cast(order_no as signed) * 0)",
    "((crc32(email) * 2147483647) + -9223372036854775807) + crc32(order_no) * 2147483647",
    "(-crc32(email) - 5000000000000000000) + 4611686018427387904 + 4611686018427387904",
    "- medium - number",
    "ifnull(referrer_id, -9223372036854775807 - 1)",
    "mod(number, 12) + 3 * 4",
)


class Engines:
    """The same hostile rows in a server, in Spark, and as Python sees them when it reads them."""

    def __init__(
        self, connections: Mapping[str, Any], spark: SparkSession, rows: Sequence[Mapping[str, object]]
    ) -> None:
        self.connections = connections
        self.spark = spark
        self.rows = rows

    def first(self, rows: int) -> Engines:
        """The same engines, asked about the first rows only."""
        return Engines(self.connections, self.spark, self.rows[:rows])

    def in_python(self, expression: Expression) -> list[object]:
        one_by_one = [expression.evaluate(row) for row in self.rows]
        assert evaluate_each([expression, expression], self.rows) == [one_by_one, one_by_one]
        return one_by_one

    def in_spark(self, expressions: Sequence[Expression]) -> list[list[object]]:
        wanted = ", ".join(f"{to_sql(value.spark(), 'spark')} as r{i}" for i, value in enumerate(expressions))
        table = self.spark.sql(f"select id, {wanted} from hostile where id < {len(self.rows)}").toArrow().sort_by("id")
        return [_plain(column.to_pylist()) for column in table.columns[1:]]

    def in_mysql(self, expressions: Sequence[Expression], connection: str) -> list[list[object]]:
        wanted = ", ".join(f"{to_sql(value.mysql(), 'mysql')} as r{i}" for i, value in enumerate(expressions))
        with self.connections[connection].cursor() as cursor:
            cursor.execute(f"select {wanted} from hostile where id < {len(self.rows)} order by id")
            answer = [_plain(column) for column in zip(*cursor.fetchall(), strict=True)]
            cursor.execute("show warnings")
            assert cursor.fetchall() == (), "a warning would be an error inside a strict write"
        return answer


def _plain(values: Sequence[object]) -> list[object]:
    """DECIMAL arrives as Decimal: the value counts, not the driver's class."""
    return [int(value) if isinstance(value, Decimal) and value == int(value) else value for value in values]


@pytest.fixture(scope="module")
def md5(source_server: Server) -> None:
    source_server.learn_md5()


@pytest.fixture(scope="module")
def engines(md5: None, source_server: Server, spark: SparkSession) -> Iterator[Engines]:
    print(f"SHARDWRIGHT_SEED={SEED}")
    sent = hostile_values.rows(ROWS, SEED)
    connections = {name: _connect(source_server, *how) for name, how in CONNECTIONS.items()}
    _load(connections["usual"], sent)
    rows = _read_back(connections["usual"], sent)
    spark.createDataFrame(_arrow_table(rows)).createOrReplaceTempView("hostile")
    spark.catalog.cacheTable("hostile")
    yield Engines(connections, spark, rows)
    for connection in connections.values():
        connection.close()


def _connect(server: Server, charset: str, mode: str) -> Any:
    connection = server.connect()
    with closing(connection.cursor()) as cursor:
        cursor.execute("create database if not exists forms")
        cursor.execute("use forms")
        cursor.execute(f"set names {charset}")
        cursor.execute("set character_set_results = utf8mb4")
        cursor.execute(f"set sql_mode = '{mode}', time_zone = '+00:00'")
    return connection


def _load(connection: Any, rows: Sequence[Mapping[str, object]]) -> None:
    names = list(COLUMNS)
    with connection.cursor() as cursor:
        cursor.execute(CREATE_TABLE)
        cursor.execute("set @mode = @@sql_mode, sql_mode = 'ALLOW_INVALID_DATES'")
        marks = ", ".join(["%s"] * (len(names) + 1))
        values = [(number, *(row[name] for name in names)) for number, row in enumerate(rows)]
        cursor.executemany(f"insert into hostile values ({marks})", values)
        cursor.execute("set sql_mode = @mode")


def _read_back(connection: Any, sent: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """The rows as the server gives them: CHAR without trailing spaces, BINARY filled up with zero bytes."""
    names = list(COLUMNS)
    with connection.cursor() as cursor:
        wanted = [f"cast({name} as char)" if name in DATE_COLUMNS else name for name in names]
        cursor.execute(f"select {', '.join(wanted)} from hostile order by id")
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    assert rows == [{name: _as_stored(COLUMNS[name], value) for name, value in row.items()} for row in sent]
    return rows


def _as_stored(column: Column, value: object) -> object:
    if column.type.name == "char" and isinstance(value, str):
        return value.rstrip(" ")
    if column.type.name == "binary" and isinstance(value, bytes):
        return value.ljust(column.type.length or 0, b"\x00")
    return value


def _arrow_table(rows: Sequence[Mapping[str, object]]) -> pa.Table:
    columns: dict[str, pa.Array] = {"id": pa.array(range(len(rows)), pa.int64())}
    for name, column in COLUMNS.items():
        values = [row[name] for row in rows]
        if column.type.name == "bigint" and column.type.unsigned:
            decimals = [None if value is None else Decimal(str(value)) for value in values]
            columns[name] = pa.array(decimals, pa.decimal128(20, 0))
        else:
            kind = pa.int64() if column.type.is_integer else pa.binary() if column.type.is_bytes else pa.string()
            columns[name] = pa.array(values, kind)
    return pa.table(columns)


def _parse(text: str) -> Expression:
    findings = Findings()
    expression = parse_expression(SqlSource(text, Span("test", 1, 1, len(text))), columns=COLUMNS, findings=findings)
    assert expression is not None, (text, findings.items)
    return expression


def _compare(
    engines: Engines, text: str, expression: Expression, spark: list[object], mysql: list[list[object]]
) -> None:
    python = engines.in_python(expression)
    for row, value, in_spark, *in_mysql in zip(engines.rows, python, spark, *mysql, strict=True):
        seen = {name: row[name] for name in expression.columns()}
        assert value == in_spark and all(value == other for other in in_mysql), (
            f"{text} of {seen!r}: Python {value!r}, Spark {in_spark!r}, MySQL {in_mysql!r} (SHARDWRIGHT_SEED={SEED})"
        )
        if isinstance(expression, IntegerExpression) and isinstance(value, int):
            assert expression.interval.low <= value <= expression.interval.high, f"{text} of {seen!r} left its interval"
        if isinstance(expression, TextExpression) and isinstance(value, str) and expression.longest is not None:
            assert len(value) <= expression.longest, f"{text} of {seen!r} is longer than thought"
        assert value is not None or expression.nullable, f"{text} of {seen!r} is NULL"


@pytest.mark.in_turn
@pytest.mark.parametrize("text", WRITTEN)
def test_d15_written_expression(engines: Engines, text: str) -> None:
    expression = _parse(text)
    mysql = [engines.in_mysql([expression], connection)[0] for connection in CONNECTIONS]
    _compare(engines, text, expression, engines.in_spark([expression])[0], mysql)


@pytest.mark.in_turn
@pytest.mark.parametrize(("databases", "tables"), [pytest.param(5, 1, marks=pytest.mark.long), (3, 4)])
@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_d15_algorithm(engines: Engines, algorithm: str, databases: int, tables: int) -> None:
    engines = engines.first(ALGORITHM_ROWS)
    parts: list[tuple[str, int, IntegerExpression]] = []
    for columns, options in every_option(grid(databases, tables))[algorithm]:
        title = f"{algorithm}({', '.join(columns)}) {dict(options)}"
        function = function_of(algorithm, *columns, grid=grid(databases, tables), options=options)
        if databases * tables > 1 and function is not None:
            parts.append((f"{title} database", databases, function.database))
            parts.append((f"{title} table", tables, function.table))
    expressions = [part for _, _, part in parts]
    spark = engines.in_spark(expressions)
    in_mysql = [part for part in expressions if has_mysql_form(part)]
    answers = [dict(zip(map(id, in_mysql), engines.in_mysql(in_mysql, name), strict=True)) for name in CONNECTIONS]
    for i, (name, count, part) in enumerate(parts):
        assert part.interval.low >= 0 and part.interval.high < count
        _compare(engines, name, part, spark[i], [answer[id(part)] for answer in answers if id(part) in answer])


def test_mod_is_the_floor_modulus(engines: Engines) -> None:
    function = function_of("mod", "user_id", grid=grid(16, 8))
    for row in engines.rows:
        value = row["user_id"]
        assert isinstance(value, int)
        assert function.database.evaluate(row) == value % 16
        assert function.table.evaluate(row) == value // 16 % 8


@pytest.mark.in_turn
def test_d15_random_expressions(engines: Engines) -> None:
    """Whatever the compiler accepts must agree, not only what somebody thought of."""
    dice = random.Random(SEED)
    accepted: list[tuple[str, Expression]] = []
    while len(accepted) < RANDOM_EXPRESSIONS:
        text = random_expression(dice)
        expression = parse_expression(SqlSource(text, Span("test", 1, 1)), columns=COLUMNS, findings=Findings())
        if expression is not None and expression.columns():
            accepted.append((text, expression))
    for start in range(0, RANDOM_EXPRESSIONS, 20):
        batch = accepted[start : start + 20]
        expressions = [expression for _, expression in batch]
        spark = engines.in_spark(expressions)
        mysql = [engines.in_mysql(expressions, connection) for connection in CONNECTIONS]
        for i, (text, expression) in enumerate(batch):
            _compare(engines, text, expression, spark[i], [answer[i] for answer in mysql])
