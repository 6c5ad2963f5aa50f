"""In which state are single keys now, at the source and on all shards?

Runs in the driver; reads both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.verify.barrier import Moving, Watch, watch
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.keys import KeyState, find_mismatches
from shardwright.runtime.verify.recheck import Faulty, recheck
from shardwright.runtime.verify.sessions import Sessions
from shardwright.runtime.verify.shard_end import ShardEnd, shard_ends
from shardwright.runtime.verify.source_end import SourceEnd

_THESE = KeyRange(None, None)
"""Takes the place of a range: the keys are given."""


@dataclass(frozen=True, slots=True)
class WrongKey:
    """A key that is wrong."""

    key: Key
    found: tuple[tuple[KeyState, ShardEnd], ...]
    """The states that are wrong, each with its shards: one, or for a table that is copied whole one for each shard that
    differs."""

    @property
    def states(self) -> tuple[KeyState, ...]:
        return tuple(state for state, _ in self.found)


@dataclass(frozen=True, slots=True)
class KeyCheck:
    """The state of the keys that were given."""

    right: int
    """How many keys are right."""
    wrong: tuple[WrongKey, ...]
    still_changing: tuple[Key, ...]
    """Keys that kept changing while they were checked."""

    def plus(self, other: KeyCheck) -> KeyCheck:
        """Of the keys of both."""
        return KeyCheck(
            self.right + other.right, (*self.wrong, *other.wrong), (*self.still_changing, *other.still_changing)
        )


def check_keys(
    plan: Plan, table: TablePlan, keys: Sequence[Key], sessions: Sessions, *, moving: Moving | None
) -> KeyCheck:
    """Keys that seem wrong are checked again like those of a comparison (`verify.recheck`) while the stream moves
    them."""
    source = SourceEnd(plan, table, sessions)
    wrong: dict[Key, tuple[tuple[KeyState, ShardEnd], ...]] = {}
    restless: dict[Key, None] = {}
    for target in shard_ends(plan, table, sessions):
        found, still_changing = _recheck(source, target, keys, watched=partial(watch, moving, table, source, target))
        for key, state in found.items():
            wrong[key] = (*wrong.get(key, ()), (state, target))
        restless |= dict.fromkeys(still_changing)
    settled = tuple(WrongKey(key, found) for key, found in wrong.items() if key not in restless)
    return KeyCheck(len(keys) - len(settled) - len(restless), settled, tuple(restless))


def _recheck(
    source: SourceEnd, target: ShardEnd, keys: Sequence[Key], *, watched: Callable[[], Watch | None]
) -> tuple[Faulty, tuple[Key, ...]]:
    """`watched` is called once the keys were read. The server decides which rows the keys name: it may spell a key in
    another way than it was given, and from then on the answer has that spelling."""
    left = keys

    def look(_over: KeyRange) -> Mapping[Key, KeyState]:
        nonlocal left
        faulty = find_mismatches(source, target, left)
        left = tuple(faulty)
        return faulty

    first = look(_THESE)
    return recheck({_THESE: first}, look, watch=watched())
