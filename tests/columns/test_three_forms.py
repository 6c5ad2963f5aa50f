"""Row filters, derived columns, masks and defaults: Python, Spark and MySQL agree on hostile values, and what arrives
in the target's column prints as they say (C9, C12, D3).
"""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.plan.plan import StepName, TablePlan, with_suffix
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.compiler.sql.transport import canonical_text
from tests.columns.engines import connect, in_python, in_spark, source_rows, texts
from tests.compiler.projects import compile_folder, write_texts
from tests.servers.testbed import Server

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.server]

SEED = int(os.environ.get("SHARDWRIGHT_SEED") or secrets.randbits(32))
ROWS = 400
SCHEMA = """
CREATE TABLE hostile (
  id int NOT NULL PRIMARY KEY,
  small smallint, filled int(8) unsigned zerofill NOT NULL, big bigint unsigned,
  amount decimal(12,3), code varchar(20) NOT NULL, name varchar(20) COLLATE utf8mb4_general_ci,
  old varchar(20) CHARACTER SET latin1 COLLATE latin1_swedish_ci, short char(8), note text,
  status enum('new','paid','it''s') NOT NULL, token varbinary(12), day date, at datetime(3), stamp timestamp(6) NULL,
  born year, ratio float, lasted time(2)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
SPEC = """
version: 1
migration: forms
source: {dialect: mariadb, databases: [shop], schema: schema.sql}
target: {databases: [target]}
sharding:
  one: {shard_key: [id], database: "0"}
tables:
  - table: hostile
    sharding: {single: target}
"""
DERIVED = {
    "upper(name)": "varchar(20)",
    "lower(concat(code, name))": "varchar(40)",
    "upper(old)": "varchar(20)",
    "left(note, 3)": "varchar(3)",
    "right(code, 4)": "varchar(4)",
    "left(concat(short, ' x '), 9)": "char(9)",
    "hex(name)": "varchar(160)",
    "hex(token)": "varchar(24)",
    "sha2(note, 256)": "char(64)",
    "sha2(concat(code, ''), 512)": "char(128)",
    "sha2(token, 224)": "varchar(56)",
    "length(old)": "int",
    "char_length(name)": "tinyint",
    "length(token)": "int",
    "year(at)": "smallint",
    "month(stamp)": "tinyint",
    "day(day)": "tinyint",
    "hour(at) * 3600 + minute(at) * 60 + second(at)": "int",
    "date(stamp)": "date",
    "day": "date",
    "born": "smallint",
    "filled": "int unsigned",
    "crc32(status)": "int unsigned",
    "concat(status, ':', filled)": "varchar(20)",
    "if(amount > 1.5, 'more', 'less')": "varchar(4)",
    "case when small < 0 then -1 when small > 0 then 1 when small = 0 then 0 end": "tinyint",
    "case status when 'paid' then big else filled end": "bigint unsigned",
    "case when token is null then null else token end": "varbinary(12)",
    "coalesce(name, code, 'none')": "varchar(20)",
    "cast(big as char)": "varchar(20)",
}
CONDITIONS = (
    "small > 3",
    "small <=> 7",
    "not (small between -10 and 10)",
    "big >= 9223372036854775808 or small is null",
    "amount > 1.5",
    "amount = 0 or amount <> 0",
    "amount in (0, 1.125, -1.125)",
    "small < amount",
    "code = 'a' or code = 'a '",
    "code < 'm'",
    "binary name = 'abc'",
    "binary name >= 'abc' and binary name < 'abd'",
    "binary old <> 'e'",
    "upper(code) = 'ABC'",
    "code like 'ab%' and code not like 'abd%'",
    "binary short = 'x' or short is null",
    "status in ('new', 'it''s')",
    "status = 'paid' and not (status <> 'paid')",
    "token = token",
    "length(token) > 3",
    "day >= '2015-05-01'",
    "day < '2015-05-21 10:00:00'",
    "at >= '2015-05-01'",
    "at = '2015-05-21 10:00:00.5'",
    "at between '1970-01-01' and '2038-01-19 03:14:07.999'",
    "stamp > at",
    "stamp <= '2038-01-19 03:14:07.000001'",
    "at > day",
    "date(at) = day",
    "year(day) = 2015 or month(at) = 0",
    "born > 1999",
    "born = 24",
    "ratio is not null and lasted is null",
    "(small > 0 or amount > 0) and not (big > 5 and name is null)",
    "if(small > 0, big, filled) > 5",
    "small > 0 or small is null or small <= 0",
    "left(note, 2) = 'ab' or right(note, 1) = ' '",
)
WORDS = ("", " ", "a", "a ", "A", "abc", "ABC", "abd", "ß", "ẞ", "İ", "ı", "ǆ", "ǅ", "é", "e\u0301", "Straße", "ﬁ", "ÿ", "Ÿ", "k", "\u212a", "'", "\\", "%", "_")  # fmt: skip
WIDE = ("\U0001f600", "\U00010400", "a\U0010ffffb", "\x00", "a\x00b", "\u2028")
DAYS = ("0000-00-00", "2015-00-21", "2015-05-00", "2015-05-21", "1000-01-01", "9999-12-31", "1970-01-01")
TIMES = ("00:00:00", "10:00:00.5", "10:00:00", "23:59:59.999", "03:14:07")


def values(dice: random.Random) -> tuple[object, ...]:
    def some(*choices: object) -> object:
        return dice.choice(choices)

    def word(*, latin: bool = False) -> str:
        pool = [w for w in (*WORDS, *WIDE) if not latin or w.isascii() or w in "éßÿŸ"]
        return "".join(dice.choice(pool) for _ in range(dice.randrange(1, 4)))[:20]

    def moment() -> str:
        return f"{dice.choice(DAYS)} {dice.choice(TIMES)}"

    return (
        some(None, -32768, 32767, 0, 1, -1, 7, dice.randint(-300, 300)),
        some(0, 1, 99999999, 4294967295, dice.randrange(2**32)),
        some(None, 0, 1, 2**63 - 1, 2**63, 2**64 - 1, dice.randrange(2**64)),
        some(None, "0", "-0.001", "1.5", "1.501", "1.125", "-1.125", "999999999.999", "-999999999.999", f"{dice.randint(-99999, 99999)}.5"),
        word(),
        some(None, word(), word()),
        some(None, word(latin=True), "é", "\x81"),
        some(None, word()[:8].rstrip(" ")),
        some(None, word() * 3, "ab "),
        some("new", "paid", "it's"),
        some(None, b"", b"\x00", b"\xff\x00a", dice.randbytes(dice.randrange(13))),
        some(None, *DAYS),
        some(None, moment(), moment()),
        some(None, "1970-01-01 00:00:01", "2038-01-19 03:14:07.000001", "2015-05-21 10:00:00.5", "2020-02-29 23:59:59.999999"),
        some(None, 0, 1901, 2155, 2024, 2000, 1999),
        some(None, 0.5, -0.0),
        some(None, "-838:59:59", "12:00:00.25"),
    )  # fmt: skip


@dataclass(frozen=True)
class Case:
    """The compiled project, the source's rows, and a connection to their server."""

    compiled: CompiledPlan
    table: TablePlan
    rows: list[dict[str, str | None]]
    connection: Any


@pytest.fixture(scope="module")
def case(source_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    print(f"SHARDWRIGHT_SEED={SEED}")
    derived = "\n".join(
        f'        d{number}: {{expr: "{expression}", type: "{kind}"}}'
        for number, (expression, kind) in enumerate(DERIVED.items())
    )
    columns = f"""    columns:
      default: {{small: "-5", amount: "1.5", name: "'none'", day: "'2020-02-29'", at: "'2020-02-29 10:00:00'", old: "'o'"}}
      mask: {{code: {{hash: sha256}}, filled: {{hash: sha256}}, short: {{keep_last: 3}}, note: redact, stamp: {{hash: sha256}}, born: redact}}
      derive:
{derived}
    where: {" or ".join(f"({condition})" for condition in CONDITIONS[:3])} or id >= 0
"""
    folder = write_texts(Path(tmp_path_factory.mktemp("forms")), SPEC + columns, SCHEMA)
    made = compile_folder(folder)
    connection = connect(source_server, "mapped")
    dice = random.Random(SEED)
    with connection.cursor() as cursor:
        cursor.execute(SCHEMA)
        sent = [(number, *values(dice)) for number in range(ROWS)]
        cursor.executemany(f"insert into hostile values ({', '.join(['%s'] * len(sent[0]))})", sent)
    table = made.plan.table("hostile")
    yield Case(made, table, source_rows(connection, table), connection)
    connection.close()


@pytest.mark.in_turn
def test_mapped_values(case: Case, spark: SparkSession) -> None:
    mapping = case.compiled.mappings["hostile"]
    python = in_python(mapping, case.rows)
    in_the_stream = in_spark(spark, case.rows, mapping.spark("after"))
    wanted = [
        to_sql(canonical_text(mapping.mysql(column.target), column.type), "mysql") for column in case.table.columns
    ]
    at_the_source = texts(case.connection, "hostile", wanted, order="id")
    for row, *made in zip(case.rows, python, in_the_stream, at_the_source, strict=True):
        for index, column in enumerate(case.table.columns):
            found = [each[index] for each in made]
            assert found[0] == found[1] == found[2], f"{column.mapping} ({column.target}) of {row}: {found}"
            assert found[0] is not None or column.nullable, f"{column.mapping} is NULL"


def test_what_arrives_prints_as_planned(case: Case) -> None:
    """The target's own column gives back the text that was sent (or the type would change the value)."""
    mapping = case.compiled.mappings["hostile"]
    create = case.compiled.plan.step("hostile", StepName.CREATE_TABLE).statement("create")
    names = [column.target for column in case.table.columns]
    marks = ", ".join("unhex(%s)" if column.type.is_bytes else "%s" for column in case.table.columns)
    sent = in_python(mapping, case.rows)
    with case.connection.cursor() as cursor:
        cursor.execute("create database if not exists arrived")
        cursor.execute("use arrived")
        cursor.execute(with_suffix(create, ""))
        listed = ", ".join(f"`{name}`" for name in names)
        cursor.executemany(f"insert into hostile ({listed}) values ({marks})", sent)
    read = [
        f"hex(`{column.target}`)" if column.type.is_bytes else f"cast(`{column.target}` as double)" if column.type.name == "float" else f"`{column.target}`"
        for column in case.table.columns
    ]  # fmt: skip
    arrived = texts(case.connection, "arrived.hostile", read, order="id")
    with case.connection.cursor() as cursor:
        cursor.execute("use mapped")
    for before, after in zip(sent, arrived, strict=True):
        for column, one, other in zip(case.table.columns, before, after, strict=True):
            assert one == other, f"{column.target}: {column.mapping}: sent {one!r}, arrived {other!r}"


@pytest.mark.in_turn
@pytest.mark.parametrize("condition", CONDITIONS)
def test_condition(case: Case, spark: SparkSession, tmp_path: Path, condition: str) -> None:
    folder = write_texts(tmp_path, SPEC + f'    where: "{condition}"\n', SCHEMA)
    row_filter = compile_folder(folder).mappings["hostile"].row_filter
    assert row_filter is not None
    python = [row_filter.python(row) for row in case.rows]
    in_the_stream = [row[0] is True for row in in_spark(spark, case.rows, [row_filter.spark("after")])]
    where = to_sql(row_filter.mysql(), "mysql")
    found = {row[0] for row in texts(case.connection, "hostile", ["id"], order="id", where=where)}
    at_the_source = [row["id"] in found for row in case.rows]
    for row, *answers in zip(case.rows, python, in_the_stream, at_the_source, strict=True):
        assert len(set(answers)) == 1, f"{condition} of {row}: Python, Spark, MySQL say {answers}"


def test_conditions_are_worth_asking(case: Case, tmp_path: Path) -> None:
    """Most conditions let some rows through and keep some away."""
    reporting = 0
    for number, condition in enumerate(CONDITIONS):
        (tmp_path / str(number)).mkdir()
        row_filter = (
            compile_folder(write_texts(tmp_path / str(number), SPEC + f'    where: "{condition}"\n', SCHEMA))
            .mappings["hostile"]
            .row_filter
        )
        assert row_filter is not None
        reporting += len({row_filter.python(row) for row in case.rows}) == 2
    assert reporting >= len(CONDITIONS) * 0.8
