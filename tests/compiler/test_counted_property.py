"""Reducing a batch of a table without a key (`key: all_columns`) gives what counting its rows by hand gives: hundreds of
random histories in one query, each with rows of its own. The model is a Counter; it knows no SQL.
"""

from __future__ import annotations

import os
import random
import secrets
import zlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.runtime.sources.event import EVENT_SCHEMA
from tests.compiler.projects import compile_folder, write_texts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
SHARDS, HISTORIES = 4, 240
_SPEC = f"""
version: 1
migration: property
source: {{dialect: mariadb, databases: [shop], schema: schema.sql}}
target: {{databases: "part_{{0..{SHARDS - 1}}}"}}
sharding:
  by_owner: {{shard_key: [owner], database: crc32(owner) % {SHARDS}}}
tables:
  - {{table: thing, sharding: by_owner, key: all_columns, columns: {{exclude: [note]}}, where: owner > 0}}
"""
_SCHEMA = """
CREATE TABLE thing (history bigint NOT NULL, owner bigint NOT NULL, word varchar(9) NOT NULL, n int, note int)
DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
"""
Row = tuple[str, str, str | None, str]
"""Owner, word, n and note, as texts."""
Event = tuple[Row | None, Row | None]
"""Before and after."""
Copies = Counter[tuple[str, str, str | None]]
"""Of a row on the shards."""

_ROWS = st.tuples(
    st.sampled_from(["-1", "2", "3", "4"]),
    st.sampled_from(["a", "A", "a ", "b"]),
    st.sampled_from([None, "0"]),
    st.sampled_from(["1", "2"]),
)


@st.composite
def histories(draw: st.DrawFn) -> tuple[Event, ...]:
    """Rows come, go and change; several are equal all the time."""
    there: list[Row] = draw(st.lists(_ROWS, max_size=4))
    log: list[Event] = []
    for _ in range(draw(st.integers(1, 14))):
        old = there.pop(draw(st.integers(0, len(there) - 1))) if there and draw(st.booleans()) else None
        new = draw(_ROWS) if old is None or draw(st.integers(0, 2)) else None
        there += [] if new is None else [new]
        log.append((old, new))
    return tuple(log)


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return compile_folder(write_texts(Path(tmp_path_factory.mktemp("counted")), _SPEC, _SCHEMA)).plan


def _make_histories(number: int) -> tuple[tuple[Event, ...], ...]:
    found: list[tuple[Event, ...]] = []

    @seed(number)
    @settings(max_examples=HISTORIES, deadline=None, database=None, phases=[Phase.generate])
    @given(histories())
    def collect(history: tuple[Event, ...]) -> None:
        found.append(history)

    collect()
    return tuple(sorted(found, key=len))


def test_j1_counted_rows_equal_a_counter(spark: SparkSession, plan: Plan) -> None:
    number = int(os.environ.get("SHARDWRIGHT_SEED") or secrets.randbits(32))
    print(f"seed: repeat with SHARDWRIGHT_SEED={number}")
    many = _make_histories(number)
    assert len(many) >= HISTORIES // 2
    _check(many, _decide(spark, plan, many))


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("step", "right", "wrong"),
    [
        (StepName.MERGE, "SUM(`copies`) <> 0", "SUM(`copies`) > 0"),
        (StepName.MERGE, "IF(`op` = 'I', 1, -1)", "1"),
        (StepName.MERGE, "ABS(SUM(`copies`))", "1"),
        (StepName.ROUTE, "CAST(`copies` AS INT)", "1"),
        (StepName.DECODE, "`before_key` <> `after_key`", "FALSE"),
    ],
)
def test_a_wrong_count_is_noticed(spark: SparkSession, plan: Plan, step: StepName, right: str, wrong: str) -> None:
    many = _make_histories(1)  # always the same: not every set has a history that shows the fault
    before = plan.step("thing", step)
    (statement,) = before.statements
    assert right in statement.sql
    faulty = replace(before, statements=(replace(statement, sql=statement.sql.replace(right, wrong)),))
    spoiled = replace(plan, steps=tuple(faulty if each is before else each for each in plan.steps))
    with pytest.raises(AssertionError):
        _check(many, _decide(spark, spoiled, many))


def _check(many: Sequence[tuple[Event, ...]], answers: dict[int, Counter[tuple[object, ...]]]) -> None:
    for number, history in enumerate(many):
        change: Copies = Counter()
        for before, after in history:
            for image, copies in ((before, -1), (after, 1)):
                if image is not None and image[0] != "-1":
                    change[image[:3]] += copies
        wanted = Counter(
            {
                ("upsert" if copies > 0 else "delete", zlib.crc32(row[0].encode()) % SHARDS, row): abs(copies)
                for row, copies in change.items()
                if copies
            }
        )
        assert answers[number] == wanted, history


def _decide(
    spark: SparkSession, plan: Plan, many: Sequence[tuple[Event, ...]]
) -> dict[int, Counter[tuple[object, ...]]]:
    """By history: how often each row is staged to come or to go, and where."""
    rows = []
    for number, history in enumerate(many):
        for place, (before, after) in enumerate(history):
            images = [None if image is None else [str(number), *image] for image in (before, after)]
            op = "I" if before is None else "D" if after is None else "U"
            rows.append(("shop.thing", op, 1, 9, 100 + place, number, 1_700_000_000 - place, *images))
    random.Random(0).shuffle(rows)
    columns = [
        pa.array(list(column), field.type) for column, field in zip(zip(*rows, strict=True), EVENT_SCHEMA, strict=True)
    ]
    frame = spark.createDataFrame(pa.Table.from_arrays(columns, schema=EVENT_SCHEMA))
    for view, step, name in (
        ("changes", StepName.DECODE, "decode"),
        ("decoded", StepName.MERGE, "merge"),
        ("merged", StepName.ROUTE, "route"),
        ("looked_up", StepName.FILTER, "filter"),
    ):
        frame.createOrReplaceTempView(view)
        frame = spark.sql(plan.step("thing", step).statement(name))
        if step is StepName.ROUTE:
            frame = frame.selectExpr("*", "FALSE AS found", "'' AS found_version", "FALSE AS snapshot_open")
    found: dict[int, Counter[tuple[object, ...]]] = defaultdict(Counter)
    for row in frame.collect():
        history, *key = row["key"]
        assert (row["row"] is None) == (row["action"] == "delete")
        assert row["row"] in (None, row["key"])
        found[int(history)][row["action"], row["shard"], tuple(key)] += 1
    return found
