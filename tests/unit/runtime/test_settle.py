"""Keys that looked wrong: what a second and a third look make of them, against scripted histories of one key."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from shardwright.runtime.verify.answers import Held
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.keys import KeyState
from shardwright.runtime.verify.settle import settle

KEY: Key = ("7",)
OVER = KeyRange(None, None)


def _state(source: int | None, *targets: int, misplaced: bool = False) -> KeyState:
    held = () if source is None else (Held(source, "shop.t", "shop", ""),)
    return KeyState(held, tuple(Held(value, f"db.t_{n}", 0, "", misplaced) for n, value in enumerate(targets)))


def _looks(*states: KeyState) -> Callable[[KeyRange], dict[Key, KeyState]]:
    """One look after the other; the last one lasts."""
    rest: Iterator[KeyState] = iter(states)
    last = states[-1]

    def look(_over: KeyRange) -> dict[Key, KeyState]:
        state = next(rest, last)
        return {KEY: state} if state.fault else {}

    return look


def _settle(first: KeyState, *later: KeyState, moving: bool = True) -> tuple[list[Key], tuple[Key, ...]]:
    wrong, unsettled = settle({OVER: {KEY: first}}, _looks(*later), catch_up=lambda: moving, sleep=lambda _s: None)
    return list(wrong), unsettled


def test_h3_in_flight_is_right_at_the_second_look() -> None:
    assert _settle(_state(1), _state(1, 1)) == ([], ())


@pytest.mark.parametrize(
    "wrong", [_state(1), _state(1, 2), _state(None, 2), _state(1, 1, 1), _state(1, 1, misplaced=True)]
)
def test_h4_what_stands_as_it_stood_is_wrong(wrong: KeyState) -> None:
    assert _settle(wrong, wrong) == ([KEY], ())


def test_h3_a_row_that_goes_to_and_fro_is_not_wrong_for_being_met_twice_at_one_point() -> None:
    assert _settle(_state(1, 2), _state(1, 2), _state(2, 1), _state(1, 1)) == ([], ())


def test_h3_a_hot_row_is_right_when_its_shard_follows() -> None:
    assert _settle(_state(5, 3), _state(8, 5)) == ([], ())


def test_h4_a_shard_that_does_not_follow_a_hot_row_is_never_called_right() -> None:
    behind = [_state(number, 3) for number in range(10, 40)]
    assert _settle(_state(9, 3), *behind) == ([], (KEY,))


def test_h4_a_shard_that_stands_at_a_value_which_the_source_had_is_not_following() -> None:
    assert _settle(_state(5, 3), _state(8, 3), _state(3, 3)) == ([], ())
    assert _settle(_state(3, 2), _state(5, 2), _state(5, 2), _state(5, 2)) == ([KEY], ())


def test_h4_with_nothing_to_come_one_look_is_enough() -> None:
    assert _settle(_state(1, 2), _state(3, 2), moving=False) == ([KEY], ())


def test_h3_h4_random_histories(seed: int) -> None:
    """A shard that follows at a distance is never called wrong; one that is stuck on a value of its own never right."""
    chance = random.Random(seed)
    for _ in range(300):
        values = [chance.randrange(4) for _ in range(60)]
        lag = chance.randrange(3)
        following = [_state(values[at], values[max(0, at - lag)]) for at in range(3, 60, chance.randrange(1, 4))]
        wrong, _ = _settle(following[0], *following[1:])
        assert not wrong or lag == 0 or _stood_three_times(following)
        stuck = [_state(value, 99) for value in values]
        wrong, unsettled = _settle(stuck[0], *stuck[1:])
        assert wrong == [KEY] or unsettled == (KEY,)


def _stood_three_times(states: list[KeyState]) -> bool:
    return any(
        one == two == three and one.fault for one, two, three in zip(states, states[1:], states[2:], strict=False)
    )
