"""Every language gives every key the place that the Python form of the rule gives it (C9, hazard D15)."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.router.library import FILE_NAMES, library
from shardwright.compiler.router.model import RoutedTable, Router
from shardwright.compiler.router.refusal import NotRouted
from shardwright.compiler.router.vectors import keys
from shardwright.compiler.sharding.function import ShardFunction, route
from tests.router.functions import REFUSED, every_router, random_router, router_of_types
from tests.router.languages import TOOLCHAINS, Key, ask, build
from tests.sharding import hostile_values
from tests.sharding.typed_columns import COLUMNS

SEED = int(os.environ.get("SHARDWRIGHT_SEED") or secrets.randbits(32))
ROWS = 40
RANDOM_EXPRESSIONS = 60


@pytest.fixture(scope="module")
def router() -> Router:
    every, drawn = every_router(), random_router(SEED, RANDOM_EXPRESSIONS)
    return replace(every, tables=(*every.tables, *drawn.tables))


@pytest.fixture(scope="module")
def rows() -> Sequence[Key]:
    """With every CHAR and BINARY as the server gives it back."""
    return [{name: _as_the_server_gives_it(COLUMNS[name].type, value) for name, value in row.items()}
            for row in hostile_values.rows(ROWS, SEED)]  # fmt: skip


def _as_the_server_gives_it(kind: ColumnType, value: object) -> object:
    if kind.name == "char" and isinstance(value, str):
        return value.rstrip(" ")
    if kind.name == "binary" and isinstance(value, bytes):
        return value.ljust(kind.length or 0, b"\0")
    return value


def _with_bucket(table: RoutedTable) -> RoutedTable:
    """The expression of its databases serves as that of its buckets, too."""
    assert table.function is not None
    bucket = ShardFunction(table.function.database, IntegerLiteral(0))
    return replace(table, bucket=bucket, bucket_key=table.key)


def expressible(router: Router, language: str) -> Iterator[RoutedTable]:
    for table in router.tables:
        try:
            library(replace(router, tables=(table,)), language)
        except NotRouted as refused:
            assert "_wide" in refused.message, refused
        else:
            yield table


@pytest.mark.in_turn
@pytest.mark.parametrize("language", [language for language in FILE_NAMES if language != "typescript"])
def test_d15_every_language_agrees(language: str, router: Router, rows: Sequence[Key], tmp_path: Path) -> None:
    reason = TOOLCHAINS[language].missing()
    if reason is not None:
        pytest.skip(reason)
    tables = router.tables
    if language == "php":  # it has no integers beyond 63 bits
        tables = tuple(expressible(router, language))
        assert len(tables) > len(router.tables) * 3 // 4
    whole = replace(router, buckets=1024, tables=tuple(map(_with_bucket, (*tables, *router_of_types().tables))))
    build(language, library(whole, language), tmp_path)
    asked: list[tuple[str, Key]] = []
    expected: list[str] = []
    for table in tables:
        assert table.function is not None
        for row in rows:
            asked.append((table.logical, {name: row[column] for column, name in table.key}))
            database, part = route(table.function, row)
            expected.append(f"{router.databases[database]}.{table.names[part]}/{database}")
    for typed in router_of_types().tables:
        assert typed.function is not None
        for key in keys(typed.function):
            asked.append((typed.logical, key))
            database, _ = route(typed.function, key)
            expected.append(f"{router.databases[database]}.{typed.logical}/{database}")
    asked += REFUSED
    expected += ["refused"] * len(REFUSED)
    answers = ask(language, tmp_path, asked)
    wrong = [case for case in zip(asked, answers, expected, strict=True) if case[1] != case[2]]
    assert wrong == [], f"seed {SEED}: {len(wrong)} of {len(asked)} differ, first {wrong[:3]}"
