"""Sharding functions out of the whole language of rules: every algorithm with every option, written expressions, random
ones; each as a table of one router."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

from shardwright.compiler.expressions.arithmetic import floor_modulo
from shardwright.compiler.expressions.choice import one_of
from shardwright.compiler.expressions.expression import Expression, IntegerExpression
from shardwright.compiler.expressions.functions import CRC32
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.expressions.read_sql import SqlSource
from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.compiler.router.model import RoutedTable, Router
from shardwright.compiler.sharding.algorithms import ALGORITHMS
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.specs.findings.diagnostics import Findings, Span
from tests.sharding.every_option import every_option
from tests.sharding.functions import function_of, grid
from tests.sharding.random_expressions import random_expression
from tests.sharding.typed_columns import COLUMNS

DATABASES = 251
"""A prime: a wrong bit anywhere gives another database."""

WRITTEN = (
    "crc32(user_id) % 16",
    "-(crc32(email) * (big * medium)) % 1024",
    "crc32(filled) % 16 + crc32(bigfilled) % 16",
    "crc32(coalesce(old_token, token))",
    "crc32(coalesce(note, order_no, 'none'))",
    "crc32(concat(country, ':', user_id, ':', filled, ':', big)) % 16",
    "crc32(substr(email, 3))",
    "crc32(substr(concat(code, email), 5, 0))",
    "cast(order_no as signed)",
    "coalesce(ubig_null, user_id)",
    "referrer_id % 7 - ubig_null % 9",
    "user_id % -7",
    "user_id div -7",
    "big div -7",
    "big % 9223372036854775807",
    "crc32(upper(email)) + crc32(lower(order_no))",
    "crc32(left(email, 3)) + crc32(right(wide, 2))",
    "crc32(hex(token)) + crc32(sha2(email, 224)) + crc32(sha2(uuid, 512))",
    "char_length(email) + length(email)",
    "if(tiny < 0, crc32(email), crc32(user_id))",
    "case when big > 9223372036854775808 then 1 when order_no >= 'a' then 2 when token = uuid then 3 else 4 end",
    "case when referrer_id = 5 then 1 when referrer_id is null then 2 when note < email then 3 else 4 end",
    "if(country in ('a', 'A', 'ä') or (note is null and ubig_null > 7), 1, 2)",
    "if(not (referrer_id > 0 and ubig_null > 0), 1, 2)",
    "if(referrer_id <=> ubig_null, 1, 2)",
)


def every_router() -> Router:
    """One table for each algorithm with each option and for each expression; `language` cannot express some."""
    place = grid(4, 8)
    cases = every_option(place)
    tables = [
        _table(f"{name}_{number}", function_of(name, *columns, grid=place, options=options), place.suffixes)
        for name in ALGORITHMS
        for number, (columns, options) in enumerate(cases[name])
    ]
    return _router([*tables, *(_of_value(f"written_{n}", value) for n, value in enumerate(_parse(WRITTEN)))])


REFUSED: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("nothing", {}),
    ("mod_0", {}),
    ("mod_0", {"tiny": None}),
    ("mod_0", {"tiny": 128}),
    ("mod_0", {"tiny": "1"}),
    ("mod_0", {"tiny": b"1"}),
    ("uuids", {"id": "9F3C1B52-7D1E-11EE-B962-0242AC120002"}),
    ("uuids", {"id": "9f3c1b527d1e11eeb9620242ac120002"}),
    ("uuids", {"id": "9f3c1b52-7d1e-11ee-b962-0242ac120002\n"}),
    ("addresses", {"ip": "10.0.0.07"}),
    ("addresses", {"ip": 167772160}),
    ("days", {"born": "2024-1-1"}),
    ("days", {"born": "2024-01-01 00:00:00"}),
    ("days", {"born": "\n2024-01-01"}),
    ("tokens", {"token": b"x" * 21}),
    ("tokens", {"token": 5}),
    ("bigs", {"big": -1}),
    ("bigs", {"big": 2**64}),
)
"""Keys that every language has to refuse: of no table, or no value of the column as the server gives it back."""

_MARIADB = {"id": Column("id", ColumnType("uuid"), False), "ip": Column("ip", ColumnType("inet4"), False)}


def router_of_types() -> Router:
    """One table for each type of key that REFUSED asks about, and that hostile rows do not have."""
    days = function_of("interval", "born", grid=grid(4, 1), options={"start": "2024-01", "step": "1 month"})
    one_each = {"uuids": "id", "addresses": "ip", "tokens": "token", "bigs": "big"}
    columns = {**COLUMNS, **_MARIADB}
    made = [_of_value(name, next(_parse((f"crc32({column})",), columns))) for name, column in one_each.items()]
    return _router([*made, _table("days", days, ("",))])


def random_router(seed: int, count: int) -> Router:
    dice = random.Random(seed)
    values = _parse(random_expression(dice) for _ in range(10 * count))
    return _router([_of_value(f"random_{number}", value) for number, value in zip(range(count), values, strict=False)])


def _router(tables: list[RoutedTable]) -> Router:
    databases = tuple(f"db_{number:03}" for number in range(DATABASES))
    return Router("any", "0" * 16, databases, databases, tuple(tables))


def _parse(texts: Iterable[str], columns: Mapping[str, Column] = COLUMNS) -> Iterator[Expression]:
    """Those that are accepted: many random ones are refused."""
    for text in texts:
        value = parse_expression(SqlSource(text, Span("spec.yaml", 1, 1)), columns=columns, findings=Findings())
        if value is not None:
            yield value


def _of_value(logical: str, value: Expression) -> RoutedTable:
    whole = value if isinstance(value, IntegerExpression) else CRC32.check(value)
    if whole.nullable:
        chosen = one_of((), (whole, IntegerLiteral(3)))
        assert isinstance(chosen, IntegerExpression)
        whole = chosen
    return _table(logical, ShardFunction(floor_modulo(whole, DATABASES), IntegerLiteral(0)), ("",))


def _table(logical: str, function: ShardFunction, suffixes: tuple[str, ...]) -> RoutedTable:
    key = tuple((name, name) for name in sorted(function.columns()))
    names = tuple(f"{logical}{suffix}" for suffix in suffixes)
    return RoutedTable(logical, tuple(range(DATABASES)), names, False, function, key)
