"""Keys that looked wrong while the tables were written to: wrong for certain, right after all, or never at rest (hazards H3, H4).

Between two looks the shards take over everything that the source had at the first one. A key that agrees is right. A key that is
written all the time need never agree when it is looked at, since the two sides are not read at one moment: it is right as well when its
shard has taken over a state in which the source was seen.

A key is wrong when it stands at two looks as it stood, and no batch that came between changed it: then its row was one and the
same at the source all the while, and its shard had the whole time to have it. That it stands is not enough: a row that goes to and fro
may be met at the same point again and again. Where the batches' keys are not remembered, it has to stand for longer.

One that does none of this is unsettled, which is never reported as different.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from shardwright.runtime.verify.beside_stream import Watch
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.keys import KeyState

Faulty = Mapping[Key, KeyState]

_LOOKS = 12
_UNPROVEN_LOOKS = 7
"""Looks in a row at which a key has to stand as before, where nothing proves it wrong."""
_PAUSE_SECONDS = 0.2
_LONGEST_PAUSE = 1.5


@dataclass(slots=True)
class _Suspect:
    state: KeyState
    stood: int = 0
    seen: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._remember(self.state)

    def follows(self, now: KeyState) -> bool:
        """Whether its only row on the shards has become one that the source was seen to hold."""
        if now.target == self.state.target or len(now.target) != 1 or now.target[0].misplaced:
            return False
        return len(now.source) <= 1 and now.target[0].hash in self.seen

    def look(self, now: KeyState) -> None:
        self.stood = self.stood + 1 if now == self.state else 0
        self.state = now
        self._remember(now)

    def _remember(self, state: KeyState) -> None:
        self.seen |= {held.hash for held in state.source}


def settle(
    suspects: Mapping[KeyRange, Faulty],
    look: Callable[[KeyRange], Faulty],
    *,
    watch: Watch | None,
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[Faulty, tuple[Key, ...]]:
    """The keys that are wrong, and those that would not come to rest. `suspects`: small ranges and the keys in them that are faulty now;
    `look` says which are. Without `watch` nothing moves: what is faulty now is wrong."""
    wrong = {key: state for faulty in suspects.values() for key, state in faulty.items()}
    if watch is None or not wrong:
        return wrong, ()
    order, wrong = list(wrong), {}
    left = {over: {key: _Suspect(state) for key, state in faulty.items()} for over, faulty in suspects.items()}
    pause = _PAUSE_SECONDS
    before: list[int] = []
    """The last batch before each look."""
    for number in range(_LOOKS):
        if number:
            sleep(pause)
            pause = min(_LONGEST_PAUSE, 1.5 * pause)
        watch.catch_up()
        if len(before) > 1:
            wrong |= _proven(left, watch, since=before[-2])
            left = _without(left, wrong)
        if not left:
            break
        before.append(watch.last_batch())
        for over in list(left):
            now = look(over)
            left[over] = {key: suspect for key, suspect in left[over].items() if not _is_right(suspect, now.get(key))}
            for key, suspect in left[over].items():
                suspect.look(now[key])
        left = _without(left, wrong)
        if not left:
            break
    unsettled = tuple(key for some in left.values() for key in some)
    return {key: wrong[key] for key in order if key in wrong}, unsettled


def _proven(left: Mapping[KeyRange, Mapping[Key, _Suspect]], watch: Watch, *, since: int) -> dict[Key, KeyState]:
    """Of those that stood at the last two looks. `since`: the last batch before the first of the two."""
    stand = {key: suspect for some in left.values() for key, suspect in some.items() if suspect.stood}
    if not stand:
        return {}
    changed = watch.changed_since(since)
    if changed is None:
        return {key: suspect.state for key, suspect in stand.items() if suspect.stood >= _UNPROVEN_LOOKS - 1}
    return {key: suspect.state for key, suspect in stand.items() if key not in changed}


def _without(
    left: Mapping[KeyRange, Mapping[Key, _Suspect]], wrong: Mapping[Key, KeyState]
) -> dict[KeyRange, dict[Key, _Suspect]]:
    kept = {over: {key: suspect for key, suspect in some.items() if key not in wrong} for over, some in left.items()}
    return {over: some for over, some in kept.items() if some}


def _is_right(suspect: _Suspect, now: KeyState | None) -> bool:
    return now is None or suspect.follows(now)
