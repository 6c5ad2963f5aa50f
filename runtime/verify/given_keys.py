"""How single keys are now, at the source and on all shards, and which rows are asked for: those of a small key range, or those whose keys are
given. Runs in the driver; reads both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.verify.beside_stream import Moving, Watch, watch
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.keys import KeyState, faulty_keys
from shardwright.runtime.verify.sessions import Sessions
from shardwright.runtime.verify.settle import Faulty, settle
from shardwright.runtime.verify.shard_end import ShardEnd, shard_ends
from shardwright.runtime.verify.source_end import SourceEnd

_THESE = KeyRange(None, None)
"""In place of a range: the keys are given."""


@dataclass(frozen=True, slots=True)
class WrongKey:
    """`found` are the states that are wrong and where: one, or of a table that is copied whole one for each shard that differs."""

    key: Key
    found: tuple[tuple[KeyState, ShardEnd], ...]

    @property
    def states(self) -> tuple[KeyState, ...]:
        return tuple(state for state, _ in self.found)


@dataclass(frozen=True, slots=True)
class Standing:
    """Of the keys that were asked about."""

    right: int
    wrong: tuple[WrongKey, ...]
    unsettled: tuple[Key, ...]


def standing(
    plan: Plan, table: TablePlan, keys: Sequence[Key], sessions: Sessions, *, moving: Moving | None
) -> Standing:
    """Looked at again like a comparison's (`verify.settle`) while the stream moves them."""
    source = SourceEnd(plan, table, sessions)
    wrong: dict[Key, tuple[tuple[KeyState, ShardEnd], ...]] = {}
    restless: dict[Key, None] = {}
    for target in shard_ends(plan, table, sessions):
        found, unsettled = _settled(source, target, keys, watched=partial(watch, moving, table, source, target))
        for key, state in found.items():
            wrong[key] = (*wrong.get(key, ()), (state, target))
        restless |= dict.fromkeys(unsettled)
    settled = tuple(WrongKey(key, found) for key, found in wrong.items() if key not in restless)
    return Standing(len(keys) - len(settled) - len(restless), settled, tuple(restless))


def _settled(
    source: SourceEnd, target: ShardEnd, keys: Sequence[Key], *, watched: Callable[[], Watch | None]
) -> tuple[Faulty, tuple[Key, ...]]:
    """`watched` is asked once the keys were looked at. The server says which rows the keys name: it may spell one otherwise than it was asked for, and tells it so from then on."""
    left = keys

    def look(_over: KeyRange) -> Mapping[Key, KeyState]:
        nonlocal left
        faulty = faulty_keys(source, target, left)
        left = tuple(faulty)
        return faulty

    first = look(_THESE)
    return settle({_THESE: first}, look, watch=watched())
