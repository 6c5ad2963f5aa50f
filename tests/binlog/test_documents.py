"""MySQL's JSON documents: what the log gives is the text that SELECT gives (hazards C15, C16). Documents come as text,
and from SQL functions with values of other types; some are changed in place, as JSON_SET and JSON_REMOVE do it.

SHARDWRIGHT_DOCUMENTS is the number of random documents. MySQL only.
"""

from __future__ import annotations

import base64
import json
import os
import random
import re
import string
import struct
from decimal import Decimal
from types import SimpleNamespace
from typing import cast

import pytest
from sqlglot import exp

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import CopiedColumn, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.steps.verify_statements import row_hash
from tests.binlog.log_source import Row, Source

pytestmark = pytest.mark.server

DOCUMENTS = int(os.environ.get("SHARDWRIGHT_DOCUMENTS", "300"))
DEEPEST = 6
CHARACTERS = string.ascii_letters + " \"\\/%'\b\f\n\r\t\x01\x1f\x7f" + "éß漢😀\u2028"
OPAQUE = (
    *("CAST(1.10 AS DECIMAL(10,2))", "CAST(-0.000001 AS DECIMAL(20,6))", "CAST(0 AS DECIMAL(5,3))"),
    *("12345678901234567890123456789012345.123456789012345678901234567890", "-99999999999999999999999.9", "0.5"),
    *("CAST('2024-02-29' AS DATE)", "CAST('0000-00-00' AS DATE)", "CAST('9999-12-31 23:59:59.999999' AS DATETIME(6))"),
    *(
        "CAST('2015-01-15 23:24:25.12' AS DATETIME(2))",
        "TIMESTAMP('2001-02-03 04:05:06')",
        "CAST('0001-01-01' AS DATETIME)",
    ),
    *("CAST('-838:59:59' AS TIME)", "CAST('00:00:00.000001' AS TIME(6))", "CAST('-00:00:01.5' AS TIME(3))"),
    *("b'1011'", "x'00FF'", "x''", "CAST('abc' AS BINARY(5))", "CAST(REPEAT('z', 300) AS BINARY)"),
    *("ST_GeomFromText('POINT(1 2.5)')", "18446744073709551615", "-9223372036854775808", "1e300 * 1.5", "TRUE", "NULL"),
    *("ts", "yr", "en", "se", "bi", "fl", "vb", "lb", "dc"),
)
"""SQL, in part columns of `others`."""
OTHERS = """ts TIMESTAMP(3), yr YEAR, en ENUM('x', 'ü'), se SET('a', 'b'), bi BIT(20), fl FLOAT, vb VARBINARY(9), lb LONGBLOB,
  dc DECIMAL(12,4)"""


@pytest.fixture(scope="module")
def documents(source: Source) -> Source:
    source.needs_mysql("its binary JSON")
    source.run(
        f"CREATE OR REPLACE TABLE others ({OTHERS})",
        """INSERT INTO others VALUES ('2024-05-06 07:08:09.123', 2024, 'ü', 'a,b', 5, 0.1, x'FF00', x'01', 19.9)""",
    )
    return source


def check(source: Source, table: str, values: list[str], *changes: str) -> list[Row]:
    """Inserts rows whose documents are these expressions, changes them, and compares every image."""
    source.run(f"CREATE OR REPLACE TABLE `{table}` (id INT PRIMARY KEY, marker INT, doc JSON)")
    start = source.head()
    source.run(*(f"INSERT INTO `{table}` SELECT {n}, 0, {value} FROM others" for n, value in enumerate(values, 1)))
    images = [source.select(table)]
    for change in changes:
        source.run(f"UPDATE `{table}` SET marker = marker + 1, doc = {change} ORDER BY id")
        images.append(source.select(table))
    found = source.changes(start, table)
    equal([change["after"] for change in found], [row for rows in images for row in rows])
    equal([change["before"] for change in found[len(values) :]], [row for rows in images[:-1] for row in rows])
    return images[0]


def equal(found: list[Row], wanted: list[Row]) -> None:
    """The first difference, from a few characters before it on: documents are long."""
    assert len(found) == len(wanted)
    for ours, theirs in zip(found, wanted, strict=True):
        if ours != theirs:
            here, there = repr(ours), repr(theirs)
            at = next((at for at, pair in enumerate(zip(here, there, strict=False)) if pair[0] != pair[1]), 0)
            at = max(at - 40, 0)
            raise AssertionError(f"{here[at : at + 200]}\n{there[at : at + 200]}")


def text(value: object) -> str:
    encoded = base64.b64encode(json.dumps(value, ensure_ascii=False).encode()).decode()
    return f"CONVERT(FROM_BASE64('{encoded}') USING utf8mb4)"


def random_text(dice: random.Random, most: int) -> str:
    return "".join(dice.choices(CHARACTERS, k=dice.randrange(most)))


def random_number(dice: random.Random) -> float:
    if dice.random() < 0.5:
        return round(dice.uniform(-1e6, 1e6), dice.randrange(8))
    number = struct.unpack("<d", dice.randbytes(8))[0]
    return number if number - number == 0 else 0.1


def random_value(dice: random.Random, level: int) -> object:
    match dice.randrange(9 if level < DEEPEST else 6):
        case 0:
            return dice.choice((None, True, False))
        case 1:
            bits = dice.choice((8, 15, 16, 17, 31, 32, 33, 63))
            return dice.randrange(-(1 << bits), 1 << bits)
        case 2:
            return dice.choice((2**64 - 1, 2**63, 2**32 - 1, 2**31, -(2**31), -(2**15), 2**15, 2**16 - 1, 2**16, 0))
        case 3:
            return random_number(dice)
        case 4 | 5:
            return random_text(dice, dice.choice((2, 20, 20, 130, 400)))
        case 6:
            return [random_value(dice, level + 1) for _ in range(dice.randrange(6))]
        case _:
            return {random_text(dice, 6): random_value(dice, level + 1) for _ in range(dice.randrange(7))}


def random_sql(dice: random.Random, level: int = 0) -> str:
    """A document that SQL makes, with values of other types in it."""
    match dice.randrange(4 if level < DEEPEST else 2):
        case 0:
            return dice.choice(OPAQUE)
        case 1:
            return f"CAST({text(random_value(dice, level))} AS JSON)"
        case 2:
            return f"JSON_ARRAY({', '.join(random_sql(dice, level + 1) for _ in range(dice.randrange(5)))})"
        case _:
            pairs = (f"'{n}{dice.choice('ab%')}', {random_sql(dice, level + 1)}" for n in range(dice.randrange(5)))
            return f"JSON_OBJECT({', '.join(pairs)})"


def test_c15_random_documents(documents: Source) -> None:
    dice = random.Random(15)
    values = [text(random_value(dice, 0)) for _ in range(DOCUMENTS // 2)]
    values += [f"JSON_ARRAY({random_sql(dice)})" for _ in range(DOCUMENTS - len(values))]
    rows = check(
        documents,
        "random_documents",
        values,
        "JSON_SET(doc, '$[0]', 'in place', '$.a', 7)",
        "JSON_REMOVE(doc, '$[1]', '$.\"\"')",
        "JSON_REPLACE(doc, '$[0]', JSON_OBJECT('x', 1), '$.b', '')",
    )
    assert len(rows) == DOCUMENTS


def test_c15_h2_what_verify_compares_is_equal_for_a_document_and_its_text_unless_a_number_was_rounded(
    documents: Source,
) -> None:
    """The shards' documents are made of texts. No rounded number is hidden; a document without long numbers, which are
    all that may be rounded, is never named."""
    dice = random.Random(2)
    values = [f"JSON_ARRAY({random_sql(dice)}, {random_sql(dice)})" for _ in range(DOCUMENTS)]
    hashed = sql.to_sql(row_hash_of("doc"), "mysql")
    documents.run(
        "CREATE OR REPLACE TABLE hashed (id INT PRIMARY KEY, doc JSON, copied JSON)",
        *(f"INSERT INTO hashed SELECT {n}, {value}, NULL FROM others" for n, value in enumerate(values, 1)),
        "UPDATE hashed SET copied = CONVERT(doc USING utf8mb4)",
    )
    ours, theirs = f"({hashed})", f"({hashed})".replace("`doc`", "`copied`")
    with documents.session() as connection, connection.cursor() as cursor:
        cursor.execute(f"SELECT doc, copied, {ours} = {theirs} FROM hashed")
        rows = cursor.fetchall()
    seen = {(is_rounded(doc, copied), bool(equal)) for doc, copied, equal in rows}
    assert (True, True) not in seen, "a rounded number is hidden"
    for doc, copied, is_equal in rows:
        assert is_equal or re.search("[0-9.]{17}", doc), (doc, copied)
    assert {(True, False), (False, True)} <= seen
    assert sum(doc != copied and is_equal for doc, copied, is_equal in rows) > DOCUMENTS // 20


def row_hash_of(name: str) -> exp.Expr:
    column = CopiedColumn(name, name, ColumnType("json"), nullable=True, position=0)
    table = SimpleNamespace(columns=[column])
    return row_hash(cast(TablePlan, table), lambda it: sql.column(it.target))


def is_rounded(doc: str, copied: str) -> bool:
    """Whether a number of the document is another one in its copy."""

    def numbers(text: str) -> object:
        return json.loads(text, parse_float=Decimal, parse_int=Decimal)

    return numbers(doc) != numbers(copied)


def test_c15_every_type_alone_and_within(documents: Source) -> None:
    alone = [f"JSON_EXTRACT(JSON_ARRAY({value}), '$[0]')" for value in OPAQUE]
    rows = check(documents, "every_type", [*alone, *(f"JSON_OBJECT('', {value})" for value in OPAQUE)])
    assert rows[0][2] == "1.10" and rows[len(OPAQUE)][2] == '{"": 1.10}'


def test_c15_null_and_json_null(documents: Source) -> None:
    rows = check(documents, "nulls", ["NULL", "'null'", "'[null]'", "'\"null\"'"])
    assert [row[2] for row in rows] == [None, "null", "[null]", '"null"']


def test_c15_doubles(documents: Source) -> None:
    powers = [
        float(f"{mantissa}e{power}") for power in range(-25, 25) for mantissa in ("1", "1.5", "-9.999999999999999")
    ]
    odd = [
        5e-324,
        1.7976931348623157e308,
        2.2250738585072014e-308,
        0.1 + 0.2,
        1 / 3,
        -0.0,
        123456789012345680.0,
        3799321697946658.5,
        -1540504068614300.8,
    ]
    check(documents, "doubles", [text(number) for number in powers + odd] + ["'-0'", "'1.0'", "'1e2'"])


def test_c15_lengths_at_the_ends_of_their_forms(documents: Source) -> None:
    sizes = (0, 1, 127, 128, 16383, 16384, 65515, 65535, 65536, 2097151, 2097152)
    values = [f"JSON_QUOTE(REPEAT('x', {size}))" for size in sizes]
    values += [f"JSON_ARRAY(REPEAT('x', {size}), 1, -1, 70000, 4000000000, TRUE)" for size in sizes]
    values += [f"JSON_OBJECT(REPEAT('k', {size}), 70000, 'z', NULL)" for size in sizes if size < 65536]
    values += [text([number - 40000 for number in range(80_000)]), text({f"key {n} %": n for n in range(9000)})]
    check(documents, "lengths", values, "JSON_SET(doc, '$[1]', -2, '$.z', 5)")


def test_c15_deep_documents(documents: Source) -> None:
    check(
        documents,
        "deep",
        [text(json.loads("[" * depth + "]" * depth)) for depth in (1, 50, 100)] + [f"""'{'{"a":' * 99}1{"}" * 99}'"""],
    )


def test_c15_keys_twice_empty_and_in_other_scripts(documents: Source) -> None:
    rows = check(documents, "twice", ["""'{"b": 1, "a": 2, "b": 3, "": 4, "é": 5, "aa": 6, "%s": 7, "B": 8}'"""])
    assert json.loads(rows[0][2] or "") == {"": 4, "B": 8, "a": 2, "b": 3, "aa": 6, "é": 5, "%s": 7}


def test_c15_what_insert_ignore_leaves(documents: Source) -> None:
    documents.run("CREATE OR REPLACE TABLE ignored (id INT PRIMARY KEY, doc JSON NOT NULL, more JSON NOT NULL)")
    start = documents.head()
    documents.run("INSERT IGNORE INTO ignored (id, doc) VALUES (1, '[]')")
    assert [change["after"] for change in documents.changes(start, "ignored")] == documents.select("ignored")
