"""What each shard takes of a task's rows: all of them, with their values, by table and key, numbers as numbers."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest

from shardwright.runtime.ledger.stage_rows import WORTH_SORTING, shares
from tests.verify.plans import BIGINT, NAME, column, table

TABLES = {
    "visit": table("visit", [column("name", NAME), column("number", BIGINT)], ("name", "number")),
    "guest": table("guest", [column("id", BIGINT)], ("id",)),
}


def _key(logical: str, chance: random.Random) -> list[str]:
    number = str(chance.randrange(10 ** chance.randrange(1, 9)))
    return [chance.choice(["a", "b", "é"]), number] if logical == "visit" else [number]


@pytest.mark.parametrize("count", [1, 7, WORTH_SORTING, 3 * WORTH_SORTING])
def test_every_row_is_in_one_share_and_many_are_in_key_order(count: int) -> None:
    chance = random.Random(count)
    rows: list[dict[str, Any]] = []
    for number in range(count):
        logical = chance.choice(["visit", "guest"])
        key = _key(logical, chance)
        rows.append(
            {"table": logical, "shard": chance.randrange(3), "part": chance.randrange(2), "key": key,
             "row": chance.choice([None, [*key, str(number)]]), "offset": number}
        )  # fmt: skip
    kinds = {"shard": pa.int32(), "part": pa.int32(), "row": pa.list_(pa.string()), "offset": pa.int64()}
    given = pa.table(
        {
            name: pa.array([row[name] for row in rows], kinds.get(name))
            for name in ("table", "shard", "part", "key", "row", "offset")
        }
    )
    cut = pa.concat_tables([given.slice(0, count // 2), given.slice(count // 2)])
    found = {shard: list(some) for shard, some in shares(cut, TABLES)}
    assert list(found) == sorted({row["shard"] for row in rows})
    back = []
    for shard, some in found.items():
        for share in some:
            whole, leaving = share.whole.to_pylist(), share.keys.to_pylist()
            back += whole + leaving
            assert {(row["shard"], row["table"]) for row in whole + leaving} == {(shard, share.logical)}
            assert all(row["row"] is not None for row in whole)
            assert all(row["row"] is None for row in leaving)
            if count >= WORTH_SORTING:
                for stretch in (whole, leaving):
                    places = [(row["part"], *row["key"][:-1], int(row["key"][-1])) for row in stretch]
                    assert places == sorted(places)
    assert sorted(back, key=lambda row: row["offset"]) == rows
