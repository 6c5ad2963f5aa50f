"""Staged rows in key order: all of them, with their values, numbers as numbers."""

from __future__ import annotations

import random

import pyarrow as pa

from shardwright.runtime.stream.stage_order import WORTH_SORTING, in_key_order
from tests.verify.plans import BIGINT, NAME, column, table


def test_rows_stand_by_part_and_key_and_none_is_lost() -> None:
    chance = random.Random(41)
    rows = [
        (chance.randrange(3), chance.choice(["a", "b", "é"]), chance.randrange(10**9)) for _ in range(WORTH_SORTING)
    ]
    plan = table("visit", [column("name", NAME), column("number", BIGINT)], ("name", "number"))
    given = pa.table(
        {
            "part": pa.array([part for part, _, _ in rows], pa.int32()),
            "key": pa.array([[name, str(number)] for _, name, number in rows], pa.list_(pa.string())),
            "row": pa.array([[name, str(number), None] for _, name, number in rows], pa.list_(pa.string())),
        }
    )
    found = in_key_order(given, plan)
    assert [(row["part"], row["key"][0], int(row["key"][1])) for row in found.to_pylist()] == sorted(rows)
    assert all(row["row"] == [*row["key"], None] for row in found.to_pylist())
    assert in_key_order(given.slice(1), plan).equals(given.slice(1)), "few rows stay as they are"
