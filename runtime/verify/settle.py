"""Keys that looked wrong while the tables were written to: wrong for certain, right after all, or never at rest (hazards H3, H4).

Between two looks the shards take over everything that the source had at the first one. So a key that stands as it stood, on
both sides and more than once, is wrong; one that agrees is right. A key that is written all the time need never agree when it is looked at,
since the two sides are not read at one moment: it is right as well when its shard has taken over a state in which the source was
seen. One that does none of this is unsettled, which is never reported as different.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.keys import KeyState

Faulty = Mapping[Key, KeyState]

_LOOKS = 12
_CONFIRMATIONS = 2
"""Looks in a row at which a wrong key has to stand as before. One could meet a row that goes to and fro at the same point twice."""
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
    catch_up: Callable[[], bool] | None,
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[Faulty, tuple[Key, ...]]:
    """The keys that are wrong, and those that would not come to rest. `suspects`: small ranges and the keys in them that are faulty now;
    `look` says which are. `catch_up` as `compare.WaitCaughtUp`; without it, what is faulty now is wrong."""
    wrong = {key: state for faulty in suspects.values() for key, state in faulty.items()}
    if catch_up is None or not wrong:
        return wrong, ()
    order, wrong = list(wrong), {}
    left = {over: {key: _Suspect(state) for key, state in faulty.items()} for over, faulty in suspects.items()}
    pause = _PAUSE_SECONDS
    for number in range(_LOOKS):
        if number:
            sleep(pause)
            pause = min(_LONGEST_PAUSE, 1.5 * pause)
        moving = catch_up()
        for over in [over for over, some in left.items() if some]:
            now = look(over)
            left[over] = {key: suspect for key, suspect in left[over].items() if not _is_right(suspect, now.get(key))}
            for key, suspect in left[over].items():
                suspect.look(now[key])
                if not moving or suspect.stood >= _CONFIRMATIONS:
                    wrong[key] = suspect.state
            left[over] = {key: suspect for key, suspect in left[over].items() if key not in wrong}
        if not any(left.values()):
            break
    unsettled = tuple(key for some in left.values() for key in some)
    return {key: wrong[key] for key in order if key in wrong}, unsettled


def _is_right(suspect: _Suspect, now: KeyState | None) -> bool:
    return now is None or suspect.follows(now)
