"""Very many random keys of every type: Python, Spark and MariaDB give each the same place (C9, hazard D15).

SHARDWRIGHT_KEYS=1000000 pytest tests/sharding/test_many_keys.py     keys of each type; 50,000 by default
"""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Iterator, Sequence
from contextlib import closing
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from shardwright.compiler.expressions.expression import IntegerExpression
from shardwright.compiler.expressions.leaves import IntegerColumn
from shardwright.compiler.sql.sql_text import to_sql
from tests.servers.testbed import Server
from tests.sharding.functions import function_of, grid, has_mysql_form
from tests.sharding.typed_columns import COLUMNS, TYPED_COLUMNS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.server, pytest.mark.long]

SEED = int(os.environ.get("SHARDWRIGHT_SEED") or secrets.randbits(32))
KEYS = int(os.environ.get("SHARDWRIGHT_KEYS") or 50_000)
BATCH = 25_000
GRID = grid(61, 16)
NUMBERS = ("mod", "hash_mod", "crc32_mod", "murmur3_32", "xxhash64", "md5_prefix")
TEXTS = ("hash_mod", "crc32_mod", "murmur3_32", "xxhash64", "md5_prefix")
OCTETS = ("crc32_mod", "murmur3_32", "xxhash64", "md5_prefix")
ALGORITHMS = {"number": NUMBERS, "user_id": NUMBERS, "big": NUMBERS, "order_no": TEXTS, "uuid": OCTETS}
"""A column of each type; where MySQL has no form, Python and Spark are compared."""

CHARACTERS = "abcXYZ0189-_ .'\\\"éÄß€中Ж\x00\U0001f600\u0301"


@pytest.fixture(scope="module")
def server(source_server: Server) -> Iterator[Any]:
    with closing(source_server.connect()) as connection:
        with connection.cursor() as cursor:
            cursor.execute("create database many")
            cursor.execute("use many")
        yield connection


@pytest.mark.parametrize("name", ALGORITHMS)
def test_d15_places(server: Any, spark: SparkSession, name: str) -> None:
    dice = random.Random(f"{SEED} {name}")
    functions = {algorithm: function_of(algorithm, name, grid=GRID) for algorithm in ALGORITHMS[name]}
    parts = {
        f"{algorithm}_{what}": part
        for algorithm, function in functions.items()
        for what, part in (("database", function.database), ("part", function.table))
    }
    declaration = next(typed.declaration for typed in TYPED_COLUMNS if typed.column.name == name)
    with server.cursor() as cursor:
        cursor.execute("drop table if exists hostile")
        cursor.execute(f"create table hostile (id int primary key, {declaration})")
    for start in range(0, KEYS, BATCH):
        keys = [_key(name, dice) for _ in range(min(BATCH, KEYS - start))]
        python = {title: [part.evaluate({name: key}) for key in keys] for title, part in parts.items()}
        for engine, answers in (
            ("Spark", _in_spark(spark, name, keys, parts)),
            ("MariaDB", _in_mysql(server, name, keys, parts)),
        ):
            for title, answer in answers.items():
                if answer != python[title]:
                    at = next(
                        i for i, (one, other) in enumerate(zip(answer, python[title], strict=True)) if one != other
                    )
                    said = f"{engine} {answer[at]}, Python {python[title][at]} (SHARDWRIGHT_SEED={SEED})"
                    pytest.fail(f"{title} of {name} = {keys[at]!r}: {said}")


def _key(name: str, dice: random.Random) -> int | str | bytes:
    column = COLUMNS[name]
    if column.type.is_integer:
        interval = IntegerColumn(name, column.type, column.nullable).interval
        return dice.randint(interval.low, interval.high)
    if column.type.is_bytes:
        return dice.randbytes(column.type.length or 0)
    return "".join(dice.choices(CHARACTERS, k=dice.randrange((column.type.length or 0) + 1)))


def _in_spark(
    spark: SparkSession, name: str, keys: Sequence[Any], parts: dict[str, IntegerExpression]
) -> dict[str, list[int]]:
    kind = COLUMNS[name].type
    if kind.name == "bigint" and kind.unsigned:
        values = pa.array([Decimal(key) for key in keys], pa.decimal128(20, 0))
    else:
        values = pa.array(keys, pa.int64() if kind.is_integer else pa.binary() if kind.is_bytes else pa.string())
    frame = spark.createDataFrame(pa.table({"id": pa.array(range(len(keys)), pa.int64()), name: values}))
    frame.createOrReplaceTempView("many")
    wanted = ", ".join(f"{to_sql(part.spark(), 'spark')} as {title}" for title, part in parts.items())
    found = spark.sql(f"select id, {wanted} from many").toArrow().sort_by("id")
    return {title: [int(value) for value in found[title].to_pylist()] for title in parts}


def _in_mysql(server: Any, name: str, keys: Sequence[Any], parts: dict[str, IntegerExpression]) -> dict[str, list[int]]:
    asked = {title: part for title, part in parts.items() if has_mysql_form(part)}
    wanted = ", ".join(f"{to_sql(part.mysql(), 'mysql')} as {title}" for title, part in asked.items())
    with server.cursor() as cursor:
        cursor.execute("truncate table hostile")
        cursor.executemany("insert into hostile values (%s, %s)", list(enumerate(keys)))
        cursor.execute(f"select {wanted} from hostile order by id")
        columns = list(zip(*cursor.fetchall(), strict=True))
    return {title: [int(value) for value in column] for title, column in zip(asked, columns, strict=True)}
