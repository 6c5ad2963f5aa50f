"""How many ranges a sample needs, held against luck itself."""

from __future__ import annotations

import random

from shardwright.runtime.verify.key_range import KeyRange
from shardwright.runtime.verify.sample import CONFIDENCE, Sampling

RANGES = [KeyRange((str(number),), (str(number + 1),)) for number in range(2_000)]


def test_as_many_as_the_share_asks_for() -> None:
    assert [Sampling(share, 0).ranges for share in (0.01, 0.1, 0.5, 1.0)] == [459, 44, 7, 1]
    assert Sampling(0.01, 0).choose(RANGES[:100]) == RANGES[:100]


def test_the_same_seed_chooses_the_same() -> None:
    assert Sampling(0.1, 7).choose(RANGES) == Sampling(0.1, 7).choose(RANGES) != Sampling(0.1, 8).choose(RANGES)


def test_a_difference_is_found_as_often_as_stated_even_where_all_are_together(seed: int) -> None:
    chance = random.Random(seed)
    begin = chance.randrange(1_900)
    wrong = set(RANGES[begin : begin + 100])  # 5 percent
    tries = 1_000
    found = sum(not wrong.isdisjoint(Sampling(0.05, seed + number).choose(RANGES)) for number in range(tries))
    assert found / tries >= CONFIDENCE - 0.02  # six standard deviations
