"""Keys that looked wrong: what a second and a third look make of them, against scripted histories of one key."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from shardwright.runtime.verify.answers import RowHash
from shardwright.runtime.verify.barrier import Watch
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.keys import KeyState
from shardwright.runtime.verify.recheck import recheck

KEY: Key = ("7",)
OVER = KeyRange(None, None)


def _state(source: int | None, *targets: int, misplaced: bool = False) -> KeyState:
    held = () if source is None else (RowHash(source, "shop.t", "shop", ""),)
    return KeyState(held, tuple(RowHash(value, f"db.t_{n}", 0, "", misplaced) for n, value in enumerate(targets)))


def _looks(*states: KeyState) -> Callable[[KeyRange], dict[Key, KeyState]]:
    """One look after the other; the last one lasts."""
    rest: Iterator[KeyState] = iter(states)
    last = states[-1]

    def look(_over: KeyRange) -> dict[Key, KeyState]:
        state = next(rest, last)
        return {KEY: state} if state.fault else {}

    return look


def _settle(
    first: KeyState, *later: KeyState, still: bool = True, known: bool = True
) -> tuple[list[Key], tuple[Key, ...]]:
    """`still`: no batch brings changes of the key; `known`: batches are remembered."""
    changed: set[Key] | None = (set() if still else {KEY}) if known else None
    stream = Watch(catch_up=lambda: None, last_batch=lambda: 0, changed_since=lambda _batch: changed)
    wrong, still_changing = recheck({OVER: {KEY: first}}, _looks(*later), watch=stream, sleep=lambda _s: None)
    return list(wrong), still_changing


def test_h3_in_flight_is_right_at_the_second_look() -> None:
    assert _settle(_state(1), _state(1, 1)) == ([], ())


@pytest.mark.parametrize(
    "wrong", [_state(1), _state(1, 2), _state(None, 2), _state(1, 1, 1), _state(1, 1, misplaced=True)]
)
def test_h4_what_is_as_it_was_is_wrong(wrong: KeyState) -> None:
    assert _settle(wrong, wrong) == ([KEY], ())


def test_h3_a_row_that_goes_to_and_fro_is_not_wrong_for_being_met_at_one_point_however_often() -> None:
    assert _settle(_state(1, 2), *[_state(1, 2)] * 5, _state(2, 1), still=False) == ([], ())
    assert _settle(_state(1, 2), *[_state(1, 2)] * 20, still=False) == ([], (KEY,))


def test_h3_h4_where_batches_are_not_remembered_a_key_has_to_stay_for_longer() -> None:
    assert _settle(_state(1, 2), *[_state(1, 2)] * 5, _state(2, 1), known=False) == ([], ())
    assert _settle(_state(1, 2), *[_state(1, 2)] * 6, _state(1, 3), known=False) == ([KEY], ())


def test_h3_a_hot_row_is_right_when_its_shard_follows() -> None:
    assert _settle(_state(5, 3), _state(8, 5)) == ([], ())


def test_h4_a_shard_that_does_not_follow_a_hot_row_is_never_called_right() -> None:
    behind = [_state(number, 3) for number in range(10, 40)]
    assert _settle(_state(9, 3), *behind) == ([], (KEY,))


def test_h4_a_shard_that_is_at_a_value_which_the_source_had_is_not_following() -> None:
    assert _settle(_state(5, 3), _state(8, 3), _state(3, 3)) == ([], ())
    assert _settle(_state(3, 2), _state(5, 2), _state(5, 2), _state(5, 2)) == ([KEY], ())


def test_h4_with_nothing_to_come_one_look_is_enough() -> None:
    state = _state(1, 2)
    assert recheck({OVER: {KEY: state}}, _looks(_state(3, 2)), watch=None) == ({KEY: state}, ())


class _Follower:
    """One row whose values at the source come tick by tick, the last one for good, and a shard that follows at a random
    distance, or (`stuck`) holds a value of its own. A tick is a batch; time goes on while anything is asked."""

    def __init__(self, chance: random.Random, values: list[int], *, stuck: bool) -> None:
        self._chance, self._values, self._stuck = chance, values, stuck
        self._now = self._applied = 0

    def _continue(self) -> None:
        self._now += self._chance.randrange(3)
        self._applied = self._chance.randrange(self._applied, self._now + 1)

    def _at(self, tick: int) -> int:
        return self._values[min(tick, len(self._values) - 1)]

    def look(self, _over: KeyRange) -> dict[Key, KeyState]:
        source = self._at(self._now)
        self._continue()
        state = _state(source, 99 if self._stuck else self._at(self._applied))
        self._continue()
        return {KEY: state} if state.fault else {}

    def catch_up(self) -> None:
        wanted = self._now
        self._continue()
        self._applied = max(self._applied, wanted)

    def last_batch(self) -> int:
        applied = self._applied
        self._continue()
        return applied

    def keys_changed_since(self, batch: int) -> set[Key]:
        applied = self._applied
        self._continue()
        return {KEY} if any(self._at(one) != self._at(one - 1) for one in range(batch + 1, applied + 1)) else set()


def test_h3_h4_random_histories(seed: int) -> None:
    """A shard that follows is never called wrong; one that holds a value of its own never right, and wrong once its row
    rests."""
    chance = random.Random(seed)
    suspects = 0
    for _ in range(3000):
        values = [chance.randrange(2) for _ in range(chance.choice((2, 5, 20, 200)))]
        for stuck in (False, True):
            row = _Follower(chance, values, stuck=stuck)
            row.catch_up()
            first = row.look(OVER)
            if not first:
                continue
            suspects += 1
            stream = Watch(row.catch_up, row.last_batch, row.keys_changed_since)
            wrong, still_changing = recheck({OVER: first}, row.look, watch=stream, sleep=lambda _s: None)
            assert not (wrong and not stuck), values
            assert not stuck or wrong or still_changing == (KEY,), values
            assert not stuck or wrong or len(values) > 10, values
    assert suspects > 3000
