"""One database, and the same rows spread over shards by the rules of `project/`: what a statement answers on either.

A shard's physical tables are presented as one table, as an application sees them through its router.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.build import CompiledPlan, build_plan
from shardwright.compiler.conform.layout import Layout, make_layout
from shardwright.compiler.conform.verdict import Judgement
from shardwright.compiler.schema.file import read_schema
from shardwright.compiler.sharding.function import route
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.read import read_spec
from tests.servers.testbed import Server

PROJECT = Path(__file__).parent / "project"
WHOLE = "whole"
SHARDS = ("part_0", "part_1", "part_2")
Rows = list[tuple[Any, ...]]


def schema_text() -> str:
    return (PROJECT / "schema" / "truth.sql").read_text("utf-8")


@cache
def compile_project(spec: str = "") -> CompiledPlan:
    """`spec` is a text in the place of the project's spec."""
    text = spec or (PROJECT / "specs" / "truth.yaml").read_text("utf-8")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "truth.yaml"
        file.write_text(text, "utf-8")
        return build_plan(read_spec(str(file)), schema=schema_text(), ddl={})


def layout_of(compiled: CompiledPlan) -> Layout:
    schema = read_schema(schema_text(), file="truth.sql", findings=Findings())
    return make_layout(compiled, schema, unique_elsewhere=[table.logical for table in compiled.plan.tables])


LOGINS = ("ann", "Ann", "ANN", "bob", "Bob", "eve")
STATUSES = ("new", "NEW", "paid", "shipped")


def random_rows(dice: random.Random) -> Mapping[str, Rows]:
    """Small domains, so that equal values are on several shards, and NULLs."""

    def maybe(value: object) -> object:
        return None if dice.random() < 0.2 else value

    users: Rows = [
        (number, dice.choice(LOGINS), maybe(dice.randrange(5)), maybe(dice.randrange(4)), f"Mail{number}")
        for number in range(1, 13)
    ]
    orders: Rows = [
        (
            number,
            dice.randrange(1, 14),
            dice.choice(STATUSES),
            dice.randrange(6),
            maybe(dice.choice(LOGINS)),
            maybe(dice.randrange(4)),
        )
        for number in range(1, 31)
    ]
    items: Rows = [
        (order[0], line, f"s{dice.randrange(4)}", maybe(dice.randrange(4)))
        for order in orders
        for line in range(dice.randrange(4))
    ]
    payments: Rows = [
        (f"p{number}", dice.randrange(1, 31), dice.randrange(1, 14), maybe(dice.randrange(5))) for number in range(20)
    ]
    visits: Rows = [(number, dice.choice(LOGINS), dice.randrange(1, 14), dice.randrange(4)) for number in range(15)]
    devices: Rows = [
        (tenant, f"c{code}", dice.randrange(1, 14), maybe(dice.choice(LOGINS)))
        for tenant in range(3)
        for code in range(5)
    ]
    regions: Rows = [(code, f"r{code % 2}") for code in range(4)]
    settings: Rows = [(number, dice.randrange(5)) for number in range(4)]
    return {
        "users": users,
        "orders": orders,
        "items": items,
        "payment": payments,
        "visit": visits,
        "device": devices,
        "region": regions,
        "setting": settings,
    }


@dataclass
class Truth:
    """The databases, filled."""

    connection: Connection[Any]
    compiled: CompiledPlan

    def ask(self, database: str, statement: str) -> Rows:
        self.connection.select_db(database)
        with self.connection.cursor() as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall())

    def whole(self, statement: str) -> Counter[Any]:
        return _count(self.ask(WHOLE, statement))

    def shard(self, number: int, statement: str) -> Counter[Any]:
        return _count(self.ask(SHARDS[number], statement))

    def together(self, statement: str) -> Counter[Any]:
        return sum((self.shard(number, statement) for number in range(len(SHARDS))), Counter())

    def shard_of(self, judged: Judgement) -> int:
        """The shard that the verdict's key is on."""
        if not judged.keys:
            return SHARDS.index("part_1")
        key = {column.partition(".")[2]: _value(shown) for column, shown in judged.keys}
        return self.database_of(judged.keys[0][0].partition(".")[0], key)

    def database_of(self, logical: str, row: Mapping[str, object]) -> int:
        names = self.compiled.plan.table(logical).placement.shard_key
        return route(self.compiled.functions[logical], {name: row[name] for name in names})[0]

    def contents(self, database: str) -> Mapping[str, Counter[Any]]:
        return {
            table.logical: Counter(self.ask(database, f"SELECT * FROM `{table.logical}`"))
            for table in self.compiled.plan.tables
            if table.placement.only_database is None
        }

    @contextmanager
    def undo_afterwards(self) -> Iterator[None]:
        """Whatever is written within is not there afterwards."""
        self.connection.begin()
        try:
            yield
        finally:
            self.connection.rollback()


def _count(rows: Rows) -> Counter[Any]:
    """Texts in small letters: which of several spellings that are equal for it GROUP BY or MIN shows, a server is free
    to choose."""
    return Counter(tuple(value.lower() if isinstance(value, str) else value for value in row) for row in rows)


def _value(shown: str) -> object:
    return shown[1:-1] if shown.startswith("'") else int(shown)


def fill(server: Server, compiled: CompiledPlan, dice: random.Random) -> Truth:
    connection = server.connect()
    truth = Truth(connection, compiled)
    rows = random_rows(dice)
    homes = {row[0]: truth.database_of("orders", {"user_id": row[1]}) for row in rows["orders"]}
    with connection.cursor() as cursor:
        for database in (WHOLE, *SHARDS):
            cursor.execute(f"CREATE DATABASE `{database}` CHARACTER SET utf8mb4")
            cursor.execute(f"USE `{database}`")
            for statement in schema_text().split(";"):
                if statement.strip():
                    cursor.execute(statement)
        for table in compiled.plan.tables:
            names = [column.name for column in table.source.columns]
            marks = ", ".join(["%s"] * len(names))
            for row in rows[table.logical]:
                homes_of_row = _homes(truth, table.logical, dict(zip(names, row, strict=True)), homes)
                for database in (WHOLE, *(SHARDS[number] for number in homes_of_row)):
                    cursor.execute(f"INSERT INTO `{database}`.`{table.logical}` VALUES ({marks})", row)
        cursor.execute("DROP TABLE part_0.setting, part_2.setting")
    return truth


def _homes(truth: Truth, logical: str, row: Mapping[str, object], orders: Mapping[object, int]) -> list[int]:
    placement = truth.compiled.plan.table(logical).placement
    if placement.has_copies:
        return list(range(len(SHARDS)))
    if placement.only_database is not None:
        return [placement.only_database]
    if placement.parent is not None:
        return [orders[row["order_id"]]]
    return [truth.database_of(logical, row)]


ERRORS = (pymysql.err.MySQLError,)
