"""The table of casts, held against a real server: for every pair of types, the extreme values of the one go into a
column of the other. A value arrives equal, or the verdict was not lossless (C12, D3).
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pymysql
import pytest

from shardwright.compiler.columns.cast_rules import RULES, Cast, cast
from shardwright.compiler.columns.casts import read_type
from shardwright.compiler.columns.inverse import invert
from shardwright.compiler.columns.mapping import FromColumn
from shardwright.compiler.columns.transform import Transform
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.sql.sql_text import column, to_sql
from shardwright.compiler.sql.transport import canonical_text
from shardwright.runtime.rehearsal.dry_run.values import distinct_values, extreme_values
from shardwright.specs.findings.diagnostics import Findings, Span
from tests.columns.engines import connect, in_spark, texts
from tests.servers.testbed import Server

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.server]

_BIN = "character set utf8mb4 collate utf8mb4_bin"
TYPES = (
    *("tinyint", "tinyint unsigned", "smallint", "mediumint unsigned", "int", "int unsigned", "bigint", "bigint unsigned"),
    *("decimal(5,0)", "decimal(5,2)", "decimal(3,3)", "decimal(10,2)", "decimal(20,4)", "decimal(20,0) unsigned", "decimal(65,30)"),
    *("float", "double", "year", "date", "datetime", "datetime(3)", "datetime(6)", "timestamp", "timestamp(6)", "time", "time(6)"),
    *(f"char(4) {_BIN}", f"char(40) {_BIN}", f"varchar(4) {_BIN}", f"varchar(40) {_BIN}", f"varchar(255) {_BIN}"),
    *("varchar(20) character set latin1 collate latin1_swedish_ci", "char(10) character set ascii collate ascii_bin"),
    *("varchar(20) character set utf8mb3 collate utf8mb3_bin", "varchar(40) character set utf8mb4 collate utf8mb4_general_ci"),
    *(f"tinytext {_BIN}", f"text {_BIN}", f"longtext {_BIN}"),
    *(f"enum('a','it''s','ß') {_BIN}", f"enum('ß','b','a','it''s') {_BIN}", f"set('a','b') {_BIN}", f"set('a','x','b') {_BIN}"),
    *("binary(4)", "binary(8)", "varbinary(4)", "varbinary(40)", "blob", "bit(5)", "bit(8)", "bit(20)"),
)  # fmt: skip
OF_ONE_SERVER = {"mariadb": ("uuid", "inet4", "inet6"), "mysql": ("vector(3)", "vector(9)")}
UNKNOWN_DATA_TYPE = 4161
ALL = (*TYPES, *(written for types in OF_ONE_SERVER.values() for written in types))


@dataclass(frozen=True)
class Stored:
    """A column of the server with its canonical texts."""

    written: str
    type: ColumnType
    table: str
    values: tuple[str, ...]


def _type(written: str) -> ColumnType:
    findings = Findings()
    made = read_type(written, charset=None, collation=None, span=Span("t", 1, 1), findings=findings)
    assert made is not None, findings.items
    return made.type


def _values(kind: ColumnType) -> tuple[str, ...]:
    more: tuple[str, ...] = ()
    if kind.is_text and kind.name != "char":
        more = ("x ", "0", "1.5")
    if kind.name == "decimal":
        more = tuple(
            f"{Decimal(text).scaleb(-(kind.scale or 0)):f}" for text in ("5", "-5", "15", "-45", "99") if kind.scale
        )
        more = tuple(text for text in more if not (kind.unsigned and text.startswith("-")))
    return tuple(dict.fromkeys((*extreme_values(kind), *distinct_values(kind)[:6], *more)))


def _has_room(kind: ColumnType, value: str) -> bool:
    """Values are made up in whole bytes."""
    return kind.name != "bit" or int(value, 16) < 2 ** (kind.length or 1)


@pytest.fixture(scope="module")
def connection(source_server: Server) -> Iterator[Any]:
    made = connect(source_server, "casts")
    yield made
    made.close()


@pytest.fixture(scope="module")
def stored(connection: Any, source_server: Server) -> dict[str, Stored]:
    found = {}
    for number, written in enumerate((*TYPES, *OF_ONE_SERVER[source_server.sandbox.kind])):
        kind = _type(written)
        table = f"s{number}"
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"create table {table} (id int primary key, v {written} null)")
        except pymysql.err.OperationalError as error:
            if error.args[0] != UNKNOWN_DATA_TYPE or written in TYPES:
                raise
            continue  # an earlier version: UUID came with MariaDB 10.7, INET4 with 10.10
        _insert(connection, table, kind, tuple(value for value in _values(kind) if _has_room(kind, value)))
        read = to_sql(canonical_text(column("v"), kind), "mysql")
        values = tuple(str(row[0]) for row in texts(connection, table, [read], order="id"))
        found[written] = Stored(written, kind, table, values)
    return found


def _insert(connection: Any, table: str, kind: ColumnType, values: tuple[str, ...]) -> None:
    mark = "unhex(%s)" if kind.is_bytes else "%s"
    with connection.cursor() as cursor:
        rows = list(enumerate(values))
        cursor.executemany(f"insert into {table} (id, v) values (%s, {mark})", rows)
        cursor.execute("show warnings")
        assert cursor.fetchall() == ()


def _at(stored: dict[str, Stored], written: str) -> Stored:
    if written not in stored:
        pytest.skip("another kind or version of server has this type")
    return stored[written]


@pytest.mark.in_turn
@pytest.mark.parametrize("written", ALL)
def test_d3_casts_from(connection: Any, stored: dict[str, Stored], spark: SparkSession, written: str) -> None:
    source = _at(stored, written)
    targets = [(target, cast(source.type, target.type)) for target in stored.values()]
    possible = [(target, made) for target, made in targets if made.verdict != "impossible"]
    assert any(target.written == written and made.verdict == "lossless" for target, made in possible)
    rows: list[dict[str, str | None]] = [{"v": value} for value in source.values]
    forms = [FromColumn("v", (made.transform,)) for _, made in possible]
    in_the_stream = in_spark(spark, rows, [form.spark("after") for form in forms])
    read = [
        to_sql(canonical_text(form.mysql(), target.type), "mysql")
        for form, (target, _) in zip(forms, possible, strict=True)
    ]
    at_the_source = texts(connection, source.table, read, order="id")
    for index, (target, made) in enumerate(possible):
        sent = tuple(str(forms[index].python(row)) for row in rows)
        name = f"{source.written} to {target.written}"
        assert sent == tuple(row[index] for row in in_the_stream), name
        assert sent == tuple(row[index] for row in at_the_source), name
        _arrives(connection, source, target, made, sent=sent)


@pytest.mark.in_turn
@pytest.mark.parametrize("written", ALL)
def test_a_lossless_cast_comes_back_exact_or_is_refused(
    connection: Any, stored: dict[str, Stored], spark: SparkSession, written: str
) -> None:
    """What went there comes back equal. Of whatever else the target's type holds, the source takes what would go there
    again as the same value, and refuses the rest: it rounds and truncates nothing."""
    source = _at(stored, written)
    pairs = [_Back(target, made, steps) for target, made, steps in _ways_back(source, stored)]
    sent = [[pair.made.transform.python(value) for value in source.values] for pair in pairs]
    held = [[*there, *pair.target.values, None] for pair, there in zip(pairs, sent, strict=True)]
    in_the_stream = _in_one_query(spark, [pair.steps for pair in pairs], held)
    for pair, there, values, read in zip(pairs, sent, held, in_the_stream, strict=True):
        name, back = f"{written}, back from {pair.target.written}", FromColumn("v", pair.steps)
        _returns(connection, pair.target, back, sent=there, expected=source, name=name)
        assert read == [back.python({"v": value}) for value in values], name
        taken = _store(connection, source, read[len(there) : -1])
        for value, text, found in zip(pair.target.values, read[len(there) : -1], taken, strict=True):
            assert found is None or pair.made.transform.python(found) == value, (name, value, text, found)


@dataclass(frozen=True)
class _Back:
    """A lossless cast to `target`, and the steps of the way back."""

    target: Stored
    made: Cast
    steps: tuple[Transform, ...]


def _ways_back(source: Stored, stored: dict[str, Stored]) -> Iterator[tuple[Stored, Cast, tuple[Transform, ...]]]:
    for target in stored.values():
        made = cast(source.type, target.type)
        steps = invert((made.transform,), source.type) if made.verdict == "lossless" else None
        if steps is not None:
            yield target, made, steps


def _in_one_query(
    spark: SparkSession, steps: Sequence[tuple[Transform, ...]], values: Sequence[Sequence[str | None]]
) -> list[list[str | None]]:
    """What Spark makes of each list of values by its own steps: each is a column, filled up to the longest."""
    if not steps:
        return []
    columns = {f"v{number}": each for number, each in enumerate(values)}
    rows = [dict(zip(columns, row, strict=True)) for row in itertools.zip_longest(*columns.values())]
    forms = [FromColumn(name, each).spark("after") for name, each in zip(columns, steps, strict=True)]
    found = list(zip(*in_spark(spark, rows, forms), strict=True))
    return [list(column[: len(each)]) for column, each in zip(found, values, strict=True)]


def _returns(
    connection: Any, target: Stored, back: FromColumn, *, sent: list[str | None], expected: Stored, name: str
) -> None:
    """In MySQL, over a column of the target's type; `sent` are texts of the target."""
    with connection.cursor() as cursor:
        cursor.execute("drop temporary table if exists there")
        cursor.execute(f"create temporary table there (id int primary key, v {target.written} null)")
    _insert(connection, "there", target.type, tuple(str(value) for value in sent))
    read = to_sql(canonical_text(back.mysql(), expected.type), "mysql")
    assert tuple(str(row[0]) for row in texts(connection, "there", [read], order="id")) == expected.values, name
    assert tuple(str(back.python({"v": value})) for value in sent) == expected.values, name


def _store(connection: Any, source: Stored, values: Sequence[str | None]) -> list[str | None]:
    """The canonical text of what a column of the source's type makes of each value; None: it refuses it."""
    mark = "unhex(%s)" if source.type.is_bytes else "%s"
    with connection.cursor() as cursor:
        cursor.execute("drop temporary table if exists taken")
        cursor.execute(f"create temporary table taken (id int primary key, v {source.written} null)")
        for number, value in enumerate(values):
            with contextlib.suppress(pymysql.err.MySQLError):
                cursor.execute(f"insert into taken (id, v) values (%s, {mark})", (number, value))
    read = to_sql(canonical_text(column("v"), source.type), "mysql")
    found = {int(str(number)): str(text) for number, text in texts(connection, "taken", ["id", read], order="id")}
    return [found.get(number) for number in range(len(values))]


def _arrives(connection: Any, source: Stored, target: Stored, made: Cast, *, sent: tuple[str, ...]) -> None:
    name = f"{source.written} to {target.written} ({made.verdict})"
    with connection.cursor() as cursor:
        cursor.execute("drop temporary table if exists arrived")
        cursor.execute(f"create temporary table arrived (id int primary key, v {target.written} null)")
    _insert(connection, "arrived", target.type, sent)
    read = to_sql(canonical_text(column("v"), target.type), "mysql")
    arrived = tuple(str(row[0]) for row in texts(connection, "arrived", [read], order="id"))
    assert arrived == sent, name
    if made.verdict == "lossless":
        for before, after in zip(source.values, arrived, strict=True):
            assert _same(source.type, before, after), f"{name}: {before!r} arrived as {after!r}"
    if made.same_text:
        assert sent == source.values, name


def _same(kind: ColumnType, before: str, after: str) -> bool:
    """Whether the value is the same one, as people see it: 1.5 and 1.500, midnight and the day."""
    if before == after:
        return True
    if kind.is_integer or kind.name in ("decimal", "year"):
        return Decimal(before) == Decimal(after)
    if kind.name in ("date", "datetime", "timestamp", "time"):
        return after.startswith(before) and set(after.removeprefix(before)) <= set(" 0:.")
    return False


def test_some_value_is_lost_where_the_verdict_says_so(stored: dict[str, Stored]) -> None:
    for source in stored.values():
        for target in stored.values():
            made = cast(source.type, target.type)
            if made.verdict == "lossy":
                form = FromColumn("v", (made.transform,))
                changed = [v for v in source.values if not _same(source.type, v, str(form.python({"v": v})))]
                assert changed or source.type.is_text, f"{source.written} to {target.written} loses nothing"


def test_every_rule_is_tried(stored: dict[str, Stored]) -> None:
    tried = set()
    for source in stored.values():
        for target in stored.values():
            for number, rule in enumerate(RULES):
                if (
                    source.type.name in rule.sources
                    and target.type.name in rule.targets
                    and rule.holds(source.type, target.type)
                ):
                    tried.add(number)
                    break
    untried = [rule for number, rule in enumerate(RULES) if number not in tried]
    # JSON and spatial columns are only ever kept as they are; some types are those of other servers.
    elsewhere = {written.partition("(")[0] for written in ALL if written not in stored}
    left = {"json", "point", *elsewhere}
    assert all(left & rule.sources for rule in untried), untried
