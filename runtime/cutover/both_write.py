"""How do both sides begin to take all writes, and how does one of them stop?

Used in the driver. `begin_both` arms the way back from where the shards' logs end, while applications do not write
there yet, and the run goes on in both directions (`stream.rounds`). `end_at` closes one side, waits until nothing of
it is on its way, and ends its direction: a cutover, or a rollback.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import closing
from typing import Final

from shardwright.compiler.steps.writers import bucket_digest
from shardwright.runtime.cutover.arm import prepare_ledgers
from shardwright.runtime.cutover.by_bucket.share import (
    arm_other,
    end_backward,
    end_forward,
    fence_side,
    go_both_ways,
    goes_both_ways,
    switch_all,
)
from shardwright.runtime.cutover.cutover import Cutover
from shardwright.runtime.cutover.hand_over import take_back
from shardwright.runtime.cutover.procedure import Step, Steps, execute_steps
from shardwright.runtime.cutover.steps import COMPLETION, drain
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.events.cutover import CutoverGivenUp, CutoverIncomplete, CutoverProgress
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.conflicts import read_held_conflicts, read_round
from shardwright.runtime.ledger.cutover_state import unix_now
from shardwright.runtime.ledger.members import last_batch_with_work
from shardwright.specs.direction import Side

NOT_BOTH: Final = "SW8936"
HELD: Final = "SW8937"
_LOOK_EVERY: Final = 0.05


def require_both_write(cutover: Cutover) -> None:
    """Raises Refused (SW8936) for a plan of which each row has one writer."""
    plan = cutover.ways.forward.plan
    if not plan.both_write:
        raise Refused(
            NOT_BOTH,
            f"the spec of {plan.migration} does not say that both sides may write all rows: `two_way: {{writers: both, "
            "conflicts: hold}`, compile, and start the run again",
        )


def _open_shards(cutover: Cutover) -> None:
    """They are closed where a rollback was before."""
    _open(cutover, [side for side in cutover.state.fences if side == "shards"])


def _open(cutover: Cutover, sides: Collection[Side]) -> None:
    for side in sides:
        cutover.lift_fence(side)
        cutover.forget_fence(side)


BEGIN: Final[Steps] = (
    Step("prepare-ledgers", lambda cutover: prepare_ledgers(cutover.next_way.plan, cutover.next_way.servers)),
    Step("arm-other", arm_other),
    Step("share", go_both_ways),
    Step("open-shards", _open_shards),
)
"""Of a migration that follows its source. A command that was killed is repeated."""


def begin_both(cutover: Cutover) -> None:
    """Both sides take all writes from now on. May be repeated. Raises what a step raises, after all is as before."""
    if not cutover.state.shares:
        cutover.enter("sharing", buckets=bucket_digest(cutover.ways.forward.plan), move=None, given_up=None)
    if goes_both_ways(cutover):
        _open_shards(cutover)
        return
    try:
        execute_steps(BEGIN, cutover)
    except BaseException as error:
        give_up_both(cutover, str(error) or type(error).__name__)
        raise


def give_up_both(cutover: Cutover, reason: str) -> bool:
    """Takes back what has begun: the start of both, before both are live, or the end of one side. Returns whether there
    was something to take back. May be repeated."""
    if not goes_both_ways(cutover):
        if cutover.current.side != "source" or "source" in cutover.state.fences:
            raise Refused("SW8915", "one side has ended already: repeat the command, which completes the rest")
        take_back(cutover.current, cutover.next_way)
        cutover.enter("following", fenced_at=None, given_up=reason)
    else:
        if not cutover.state.fences:
            return False
        _open(cutover, [*cutover.state.fences])
        cutover.remember(fenced_at=None, given_up=reason)
    cutover.audit("cutover given up", reason)
    cutover.emit(CutoverGivenUp(cutover.state.writes_to, reason))
    return True


def end_at(cutover: Cutover, to: Side) -> float:
    """One side takes all writes from now on: `to`. Returns the seconds in which writers of the other one waited. May be
    repeated. Raises Refused or StoppedPartWay, after the other side is open again where its direction has not ended."""
    losing = cutover.ways.way_of_writes("source" if to == "shards" else "shards")
    if losing.side not in cutover.state.fences:
        _require_none_held(cutover)
    if cutover.ways.other(losing).side in cutover.state.fences:
        raise Refused("SW8915", f"the {to} is being closed: repeat that command, or `cutover abort`")
    if goes_both_ways(cutover):
        try:
            cutover.remember(fenced_at=unix_now(cutover.home))
            fence_side(cutover, losing)
            cutover.emit(CutoverProgress("fenced", f"writes to the {losing.side} are stopped"))
            _settle(cutover, losing)
            _require_none_held(cutover)
        except BaseException as error:
            _open_again(cutover, error)
            raise
    execute_steps(AT_THE_SHARDS if to == "shards" else AT_THE_SOURCE, cutover)
    return cutover.state.detail.pause or 0.0


def _settle(cutover: Cutover, losing: Way) -> None:
    """Until nothing of the closed side is on its way. What it has written last may have met a change of the other side
    that was not read yet: the next round finds that, and may write once more."""
    other, migration = cutover.ways.other(losing), cutover.ways.migration
    drain(cutover, losing)
    while True:
        before = _last_work(losing)
        drain(cutover, other)
        drain(cutover, losing)
        opened = read_round(cutover.home, migration)
        if _last_work(losing) == before and (opened is None or not opened.is_open):
            return
        cutover.require_in_time()
        time.sleep(_LOOK_EVERY)


def _last_work(way: Way) -> int:
    with closing(way.control()) as control:
        return last_batch_with_work(control, way.plan.migration)


def _require_none_held(cutover: Cutover) -> None:
    held = read_held_conflicts(cutover.home, cutover.ways.migration)
    if held:
        raise Refused(
            HELD,
            f"{len(held)} conflicts wait for a decision, the first is {held[0].id}: {held[0]}: `shardwright conflicts "
            "list`, then `conflicts resolve`",
        )


def _open_again(cutover: Cutover, error: BaseException) -> None:
    try:
        cutover.read()
        give_up_both(cutover, str(error) or type(error).__name__)
    except Exception as second:  # noqa: BLE001 whatever it is, the operator has to act
        cutover.emit(CutoverIncomplete(f"one side may still be closed ({second}): run `shardwright cutover abort`"))


def _follow_source(cutover: Cutover) -> None:
    pause = round(cutover.pause_seconds(), 3)
    take_back(cutover.ways.forward, cutover.ways.backward)
    cutover.enter("following", fenced_at=None, pause=pause)
    cutover.emit(CutoverProgress("switched", "writes go to source alone", writes_to="source"))


def _switch_all(cutover: Cutover) -> None:
    cutover.remember(pause=round(cutover.pause_seconds(), 3))
    switch_all(cutover)


AT_THE_SHARDS: Final[Steps] = (Step("end-forward", end_forward), Step("switch-all", _switch_all), *COMPLETION)
AT_THE_SOURCE: Final[Steps] = (Step("end-backward", end_backward), Step("follow-source", _follow_source))
