"""Merging a batch changes a table as replaying its events one by one does (C5, J1): hundreds of random histories in one
query, each with keys of its own."""

from __future__ import annotations

import os
import random
import secrets
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.runtime.sources.event import EVENT_SCHEMA
from tests.compiler.hostile_names import quote
from tests.compiler.projects import compile_folder, write_texts
from tests.compiler.replay import Event, Merged, Row, apply_merged, replay

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark
SHARDS = 4
HISTORIES = 240
_SPEC = f"""
version: 1
migration: property
source: {{dialect: mariadb, databases: [shop], schema: schema.sql}}
target: {{databases: "part_{{0..{SHARDS - 1}}}"}}
sharding:
  by_owner: {{shard_key: [owner], database: crc32(owner) % {SHARDS}}}
tables:
  - {{table: thing, sharding: by_owner}}
"""
_SCHEMA = f"""
CREATE TABLE thing (
  {quote("id")} varchar(20) COLLATE utf8mb4_nopad_bin NOT NULL PRIMARY KEY, owner bigint NOT NULL, value text)
DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""


@dataclass(frozen=True)
class History:
    """`before` is the table when the batch begins, `log` its events in log order, `deliveries` the order (and
    repetition) in which the batch hands them over."""

    before: Mapping[str, Row]
    log: tuple[Event, ...]
    deliveries: tuple[int, ...]


@st.composite
def histories(draw: st.DrawFn) -> History:
    """A few keys that are inserted, updated, moved, renamed into each other, deleted and inserted again. The batch may
    start in the middle of what the target has seen already, as a replay does."""
    keys = [f"k{number}" for number in range(draw(st.integers(1, 4)))]
    table: dict[str, Row] = {}
    states = [dict(table)]
    log: list[Event] = []
    for step in range(draw(st.integers(1, 12))):
        key = draw(st.sampled_from(keys))
        owner = str(draw(st.integers(-3, 3)))
        new = (draw(st.sampled_from(keys)) if draw(st.booleans()) else key, owner, f"v{step}")
        old = table.get(key)
        if old is None:
            event = Event("I", None, (key, owner, f"v{step}"))
        elif draw(st.integers(0, 3)) == 0:
            event = Event("D", old, None)
        elif new[0] != key and new[0] in table:
            continue  # the server refuses a duplicate key
        else:
            event = Event("U", old, new)
        log.append(event)
        table = replay(table, [event])
        states.append(dict(table))
    # The target has seen `seen` events; the batch begins with an earlier one, as after a crash.
    seen = draw(st.integers(0, len(log)))
    first = draw(st.integers(0, seen))
    batch = tuple(log[first:])
    order = draw(st.permutations(range(len(batch))))
    again = draw(st.lists(st.sampled_from(range(len(batch))), max_size=3)) if batch else []
    return History(states[seen], batch, (*order, *again))


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return compile_folder(write_texts(Path(tmp_path_factory.mktemp("property")), _SPEC, _SCHEMA)).plan


@pytest.fixture(scope="module")
def many() -> tuple[History, ...]:
    """The seed is printed when a test fails; SHARDWRIGHT_SEED repeats it."""
    number = int(os.environ.get("SHARDWRIGHT_SEED") or secrets.randbits(32))
    print(f"seed: repeat with SHARDWRIGHT_SEED={number}")
    return _make_histories(number)


def _make_histories(number: int) -> tuple[History, ...]:
    """Of the seed `number`, short ones first: what fails first is easiest to understand."""
    found: list[History] = []

    @seed(number)
    @settings(max_examples=HISTORIES, deadline=None, database=None, phases=[Phase.generate])
    @given(histories())
    def collect(history: History) -> None:
        found.append(history)

    collect()
    return tuple(sorted((each for each in found if each.log), key=lambda history: len(history.log)))


def test_j1_merge_equals_replay(spark: SparkSession, plan: Plan, many: tuple[History, ...]) -> None:
    assert len(many) >= HISTORIES // 2
    answers = _merge_by_spark(spark, plan, many)
    for number, history in enumerate(many):
        _check(history, answers[number])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("MAX_BY(`after`,", "MIN_BY(`after`,"),
        ("(`after`, `position`)", "(`after`, `committed_at`)"),
        ("ARRAY(`before_place`, `after_place`)", "ARRAY(`after_place`)"),
        ("WHEN MAX_BY(`op`, `position`) <> 'U'", "WHEN MIN_BY(`op`, `position`) <> 'U'"),
    ],
)
def test_a_wrong_merge_is_noticed(spark: SparkSession, plan: Plan, right: str, wrong: str) -> None:
    many = _make_histories(1)  # always the same: not every set has a history that shows the fault
    step = plan.step("thing", StepName.MERGE)
    (statement,) = step.statements
    assert right in statement.sql
    faulty = replace(step, statements=(replace(statement, sql=statement.sql.replace(right, wrong)),))
    spoiled = replace(plan, steps=tuple(faulty if each is step else each for each in plan.steps))
    answers = _merge_by_spark(spark, spoiled, many)
    with pytest.raises(AssertionError):
        for number, history in enumerate(many):
            _check(history, answers[number])


def _check(history: History, answers: Sequence[Merged]) -> None:
    assert len({answer.key for answer in answers}) == len(answers), "at most one change per key"
    # A replay from an earlier point may bring rows back for a while, but ends where the log ends.
    assert apply_merged(history.before, answers) == replay(history.before, history.log)
    existing = _places_by_key(history.log)
    assert {answer.key for answer in answers} == set(existing)
    for answer in answers:
        assert answer.places == existing[answer.key], "every place the row stood in or left"
        assert answer.after_place == (None if answer.after is None else _place(answer.after))
        assert (answer.op == "D") == (answer.after is None)


def _places_by_key(log: Iterable[Event]) -> dict[str, frozenset[int]]:
    places: dict[str, set[int]] = defaultdict(set)
    for event in log:
        for image in (event.before, event.after):
            if image is not None:
                places[image[0]].add(_place(image))
    return {key: frozenset(some) for key, some in places.items()}


def _place(row: Row) -> int:
    return zlib.crc32(row[1].encode()) % SHARDS


def _merge_by_spark(spark: SparkSession, plan: Plan, many: Sequence[History]) -> dict[int, list[Merged]]:
    frame = _changes(spark, many)
    for view, step, name in (("changes", StepName.DECODE, "decode"), ("decoded", StepName.MERGE, "merge")):
        frame.createOrReplaceTempView(view)
        frame = spark.sql(plan.step("thing", step).statement(name))
    answers: dict[int, list[Merged]] = defaultdict(list)
    for row in frame.collect():
        number, _, key = row["key"][0].partition("/")
        answers[int(number)].append(
            Merged(
                key,
                row["op"],
                _own(row["first_before"]),
                _own(row["after"]),
                row["after_place"]["shard"] if row["after_place"] else None,
                frozenset(place["shard"] for place in row["places"]),
                row["events"],
            )
        )
    return answers


def _own(image: Sequence[str] | None) -> Row | None:
    return None if image is None else (image[0].partition("/")[2], image[1], image[2])


def _changes(spark: SparkSession, many: Sequence[History]) -> DataFrame:
    """All histories in one batch: the number of the history becomes part of the key."""
    rows = []
    for number, history in enumerate(many):
        for place in history.deliveries:
            event = history.log[place]
            images = [
                None if image is None else [f"{number}/{image[0]}", *image[1:]] for image in (event.before, event.after)
            ]
            # Eight events a file, two an offset; clocks run backwards.
            position = (1, 9 + place // 4, 900 - place // 4 * 100 + place // 2, place % 2)
            rows.append(("shop.thing", event.op, *position, 1_700_000_000 - place, *images))
    random.Random(0).shuffle(rows)
    columns = [
        pa.array(list(column), field.type) for column, field in zip(zip(*rows, strict=True), EVENT_SCHEMA, strict=True)
    ]
    return spark.createDataFrame(pa.Table.from_arrays(columns, schema=EVENT_SCHEMA))
