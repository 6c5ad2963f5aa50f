"""Is a key that seemed wrong while the tables were written to wrong for certain, right after all, or never at rest
(hazards H3, H4)?

Runs in the driver; reads nothing itself, and waits between checks.

Between two checks of a key the shards apply everything that the source had at the first one. A key that agrees is
right. A key that is written all the time need never agree at a check, since the two sides are not read at one moment.
It is right as well when its shard has reached a state in which the source was seen.

A key is wrong when two checks in a row find it as the check before did, and no batch between them changed it. Then its
row was one and the same at the source all the while, and its shard had the whole time to get it. To find it unchanged
is not enough: a row that goes to and fro may be met at the same point again and again. Where the batches' keys are not
remembered, more checks in a row have to find it unchanged.

A key that does none of this is still changing, which is never reported as different.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from shardwright.runtime.verify.barrier import Watch
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.keys import KeyState

Faulty = Mapping[Key, KeyState]

_LOOKS = 12
_UNPROVEN_LOOKS = 7
"""Checks in a row that have to find a key unchanged, where no batch's keys prove it wrong."""
_PAUSE_SECONDS = 0.2
_LONGEST_PAUSE = 1.5


@dataclass(slots=True)
class _Candidate:
    """A key that may be wrong."""

    state: KeyState
    alike: int = 0
    """How many checks in a row found it unchanged."""
    seen: set[int] = field(default_factory=set)
    """Hashes that the source was seen to hold."""

    def __post_init__(self) -> None:
        self._remember(self.state)

    def follows(self, now: KeyState) -> bool:
        """Whether its only row on the shards has become one that the source was seen to hold."""
        if now.target == self.state.target or len(now.target) != 1 or now.target[0].misplaced:
            return False
        return len(now.source) <= 1 and now.target[0].hash in self.seen

    def look(self, now: KeyState) -> None:
        self.alike = self.alike + 1 if now == self.state else 0
        self.state = now
        self._remember(now)

    def _remember(self, state: KeyState) -> None:
        self.seen |= {held.hash for held in state.source}


def recheck(
    candidates: Mapping[KeyRange, Faulty],
    look: Callable[[KeyRange], Faulty],
    *,
    watch: Watch | None,
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[Faulty, tuple[Key, ...]]:
    """The keys that are wrong, and those that did not come to rest. `candidates`: small ranges and the keys in them
    that are faulty now; `look` returns those that are faulty at its call. Without `watch` nothing moves: what is faulty
    now is wrong."""
    wrong = {key: state for faulty in candidates.values() for key, state in faulty.items()}
    if watch is None or not wrong:
        return wrong, ()
    order, wrong = list(wrong), {}
    left = {over: {key: _Candidate(state) for key, state in faulty.items()} for over, faulty in candidates.items()}
    pause = _PAUSE_SECONDS
    before: list[int] = []
    """The last batch before each check."""
    for number in range(_LOOKS):
        if number:
            sleep(pause)
            pause = min(_LONGEST_PAUSE, 1.5 * pause)
        watch.catch_up()
        if len(before) > 1:
            wrong |= _find_proven(left, watch, since=before[-2])
            left = _without(left, wrong)
        if not left:
            break
        before.append(watch.last_batch())
        for over in list(left):
            now = look(over)
            left[over] = {
                key: candidate for key, candidate in left[over].items() if not _is_right(candidate, now.get(key))
            }
            for key, candidate in left[over].items():
                candidate.look(now[key])
        left = _without(left, wrong)
        if not left:
            break
    still_changing = tuple(key for some in left.values() for key in some)
    return {key: wrong[key] for key in order if key in wrong}, still_changing


def _find_proven(left: Mapping[KeyRange, Mapping[Key, _Candidate]], watch: Watch, *, since: int) -> dict[Key, KeyState]:
    """Of the keys that were unchanged at the last two checks. `since`: the last batch before the first of the two."""
    stable = {key: candidate for some in left.values() for key, candidate in some.items() if candidate.alike}
    if not stable:
        return {}
    changed = watch.changed_since(since)
    if changed is None:
        return {key: candidate.state for key, candidate in stable.items() if candidate.alike >= _UNPROVEN_LOOKS - 1}
    return {key: candidate.state for key, candidate in stable.items() if key not in changed}


def _without(
    left: Mapping[KeyRange, Mapping[Key, _Candidate]], wrong: Mapping[Key, KeyState]
) -> dict[KeyRange, dict[Key, _Candidate]]:
    kept = {
        over: {key: candidate for key, candidate in some.items() if key not in wrong} for over, some in left.items()
    }
    return {over: some for over, some in kept.items() if some}


def _is_right(candidate: _Candidate, now: KeyState | None) -> bool:
    return now is None or candidate.follows(now)
