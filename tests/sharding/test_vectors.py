"""Conformance vectors: the first line that disagrees stops the compilation, with both places."""

from __future__ import annotations

import pytest

from shardwright.compiler.sharding.function import route
from shardwright.compiler.sharding.vectors import Conformance, check_vectors
from shardwright.specs.findings.diagnostics import Findings, Span
from shardwright.specs.spec.model import ShardingRule
from tests.sharding.functions import function_of, grid
from tests.sharding.typed_columns import COLUMNS

GRID = grid(16, 8)
RULE = Span("spec.yaml", 8, 16, 8)


def findings(text: str, *columns: str) -> list[tuple[str, str]]:
    rule = ShardingRule("by_key", columns, None, None, "crc32_mod", {}, None, ("sharding", "by_key"), "v.csv")
    function = function_of("crc32_mod", *columns, grid=GRID)
    table = Conformance(rule, "orders", {name: COLUMNS[name] for name in columns}, function, GRID, RULE)
    found = Findings()
    check_vectors(table, text, found)
    return [(item.code, str(item.span)) for item in found.items]


def line(key: str, *, table: str = "{}") -> str:
    database, part = route(function_of("crc32_mod", "user_id", grid=GRID), {"user_id": int(key)})
    return f"{key},db_{database:02},{table.format(f'_{part:02}')}\n"


@pytest.mark.parametrize("table", ["{}", "orders{}"])
def test_agrees(table: str) -> None:
    lines = "".join(line(key, table=table) for key in ("1", "-1", "9223372036854775807"))
    assert findings("user_id,database,table\n" + lines, "user_id") == []


def test_the_first_that_disagrees() -> None:
    text = "user_id,database,table\n" + line("1") + "2,db_00,_00\n3,db_00,_00\n"
    assert findings(text, "user_id") == [("SW5020", "v.csv:3:3")]


def test_columns_in_another_order_and_bytes() -> None:
    database, part = route(function_of("crc32_mod", "token", grid=GRID), {"token": b"\x00\xff"})
    assert findings(f"table,token,database\n_{part:02},00ff,db_{database:02}\n", "token") == []


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("", "SW5018", "v.csv:1:1"),
        ("user_id,database\n", "SW5018", "v.csv:1:1"),
        ("user_id,database,table\n1,db_00\n", "SW5018", "v.csv:2:1"),
        ("user_id,database,table\nx,db_00,_00\n", "SW5019", "v.csv:2:1"),
        ("user_id,database,table\n1,db_99,_00\n", "SW5019", "v.csv:2:3"),
        ("user_id,database,table\n1,db_00,_99\n", "SW5019", "v.csv:2:9"),
        ('user_id,database,table\n"1,db_00,_99\n', "SW5018", "v.csv:2:1"),
    ],
)
def test_what_cannot_be_read(text: str, code: str, place: str) -> None:
    assert findings(text, "user_id") == [(code, place)]
