"""How do both sides begin to take writes, each those of its own buckets, and how does that end?

Used in the driver. `SHARING` begins it: the other direction is armed while triggers keep its applications out, and the
run goes on in both. `share_no_more` ends it once one side has all buckets, as a cutover or a rollback ends.
"""

from __future__ import annotations

from collections.abc import Set
from contextlib import closing
from dataclasses import replace
from typing import Final

from shardwright.compiler.steps.writers import bucket_digest
from shardwright.runtime.cutover.arm import arm
from shardwright.runtime.cutover.by_bucket.sides import begin_on_both_sides, owners_at_home, require_proved
from shardwright.runtime.cutover.by_bucket.writer_triggers import undo_of, writer_fence
from shardwright.runtime.cutover.cutover import Cutover
from shardwright.runtime.cutover.hand_over import end_stream, take_back
from shardwright.runtime.cutover.procedure import Step, Steps, execute_steps, undo_steps
from shardwright.runtime.cutover.steps import COMPLETION, drain
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.events.cutover import CutoverGivenUp, CutoverProgress
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.batches import read_migration
from shardwright.runtime.ledger.comparison import ProvedEqual
from shardwright.runtime.ledger.cutover import live_directions, make_live
from shardwright.runtime.ledger.cutover_state import unix_now
from shardwright.runtime.ledger.databases import create_ledger_databases
from shardwright.runtime.ledger.members import last_batch_with_work
from shardwright.runtime.ledger.same_buckets import require_same_buckets
from shardwright.runtime.ledger.switch_row import write_switch
from shardwright.runtime.ledger.takeover import cutover_name, take_over_everywhere
from shardwright.runtime.mysql.transactions import in_transaction
from shardwright.runtime.sources.source import head_position, mark_position, sources_at
from shardwright.specs.direction import Direction, Side

_BOTH: Final = frozenset(Direction)


def require_buckets(cutover: Cutover) -> int:
    """How many there are. Raises Refused (SW8932) for a plan without any."""
    plan = cutover.ways.forward.plan
    if not plan.buckets:
        raise Refused(
            "SW8932",
            f"the spec of {plan.migration} has no buckets: give each sharding rule `buckets: 1024`, compile, and run",
        )
    return plan.buckets


# -- both sides begin ----------------------------------------------------------------------------------------------


def _begin_rows(cutover: Cutover) -> None:
    """A ledger for the way back, and all buckets as they are."""
    count, owners = require_buckets(cutover), owners_at_home(cutover.home, cutover.ways.migration)
    newest = max((owner.generation for owner in owners.values()), default=-1)
    create_ledger_databases(cutover.ways.backward.servers)
    begin_on_both_sides(cutover.ways, count, cutover.state.writes_to, generation=newest + 1)
    digest = bucket_digest(cutover.ways.forward.plan)
    cutover.remember(move=None, moves_compared={}, buckets=digest)


def _close_shards(cutover: Cutover) -> None:
    _set_triggers(cutover, cutover.ways.backward)


def _close_source(cutover: Cutover) -> None:
    _set_triggers(cutover, cutover.ways.forward)


def _set_triggers(cutover: Cutover, way: Way) -> None:
    fence = writer_fence(cutover.ways, way)
    fence.set(undo_of(fence), drain_timeout=cutover.limits.drain_timeout)
    cutover.audit("triggers of buckets set", way.side)


def _drop_triggers(cutover: Cutover) -> None:
    for way in (cutover.ways.backward, cutover.ways.forward):
        fence = writer_fence(cutover.ways, way)
        fence.lift(undo_of(fence))
        cutover.audit("triggers of buckets dropped", way.side)


def arm_other(cutover: Cutover) -> None:
    """From the shards' logs of now: triggers keep applications from writing there."""
    other = cutover.next_way
    found = require_proved(cutover.current)
    proved = ProvedEqual(float(found.age), found.compared_rows)
    arm(other.plan, other.servers, other.sources, proved=proved, live=_BOTH)


def go_both_ways(cutover: Cutover) -> None:
    """The run ends at its next transaction, and begins again in both directions."""
    make_way_live(cutover, cutover.current, _BOTH)
    take_over_everywhere(cutover.current.servers, role="data", owner=cutover_name())
    whose = "all of them" if cutover.ways.forward.plan.both_write else "each those of its own buckets"
    cutover.emit(CutoverProgress("sharing", f"both sides take writes, {whose}"))


def _go_one_way(cutover: Cutover) -> None:
    """As before."""
    take_back(cutover.current, cutover.next_way)
    _drop_triggers(cutover)


def make_way_live(cutover: Cutover, way: Way, directions: Set[Direction]) -> None:
    with closing(way.control()) as control:
        in_transaction(control, lambda c: make_live(c, cutover.ways.migration, directions))


SHARING: Final[Steps] = (
    Step("bucket-rows", _begin_rows),
    Step("close-shards", _close_shards),
    Step("arm-other", arm_other),
    Step("close-source", _close_source),
    Step("share", go_both_ways, undo=_go_one_way),
)
"""Of a migration that follows its source. Undone where one fails."""


def share(cutover: Cutover) -> bool:
    """Both sides take writes from now on. Returns whether the run begins again for it. May be repeated. The state says
    so before anything is done, so that a command that was killed is completed, or taken back by `share_no_more`. Raises
    what a step raises, after all is as before."""
    if not cutover.state.shares:
        cutover.enter("sharing")
    if goes_both_ways(cutover):
        require_same_buckets(cutover.home, cutover.ways.forward.plan)
        return False
    try:
        execute_steps(SHARING, cutover)
    except BaseException as error:
        cutover.emit(CutoverGivenUp(cutover.state.writes_to, str(error) or type(error).__name__))
        share_no_more(cutover)
        raise
    return True


def goes_both_ways(cutover: Cutover) -> bool:
    return live_directions(cutover.home, cutover.ways.migration) == _BOTH


# -- one side has all ----------------------------------------------------------------------------------------------


def sole_writer(cutover: Cutover) -> Side | None:
    """The side that has every bucket; None while both have some, or some are on their way."""
    writers = {owner.writer for owner in owners_at_home(cutover.home, cutover.ways.migration).values()}
    match [*writers]:
        case ["source"]:
            return "source"
        case ["shards"]:
            return "shards"
    return None


def share_no_more(cutover: Cutover) -> None:
    """Ends what `share` began, where one side has all buckets. May be repeated, until the state is left."""
    side = sole_writer(cutover)
    if side == "shards":
        execute_steps((*AT_THE_SHARDS, *COMPLETION), cutover)
    elif side == "source" or not goes_both_ways(cutover):
        execute_steps(AT_THE_SOURCE, cutover)


def fence_side(cutover: Cutover, way: Way) -> None:
    """As behind a switch."""
    side, fence = way.side, cutover.fence(way)
    if side not in cutover.state.fences:
        cutover.remember(fences={**cutover.state.fences, side: fence.before()})
    fence.set(cutover.state.fences[side], drain_timeout=cutover.limits.drain_timeout)
    cutover.audit("fence set", f"{side}, {fence.kind}")


def end_forward(cutover: Cutover) -> None:
    _end(cutover, cutover.ways.forward)
    make_way_live(cutover, cutover.ways.backward, {Direction.BACKWARD})


def switch_all(cutover: Cutover) -> None:
    migration, generation = cutover.ways.migration, cutover.state.generation + 1
    cutover.write(
        state="switched",
        writes_to="shards",
        generation=generation,
        detail=replace(cutover.state.detail, move=None, to="shards", rehearsal=False),
        also=lambda c: write_switch(c, migration, "shards", generation),
    )


def end_backward(cutover: Cutover) -> None:
    if goes_both_ways(cutover):
        _end(cutover, cutover.ways.backward)
        make_way_live(cutover, cutover.ways.forward, {Direction.FORWARD})
    take_over_everywhere(cutover.ways.forward.servers, role="data", owner=cutover_name())


def _follow_source(cutover: Cutover) -> None:
    undo_steps(SHARING, cutover)
    cutover.enter("following", move=None, moves_compared={}, fenced_at=None)


AT_THE_SHARDS: Final[Steps] = (
    Step("fence-source", lambda cutover: fence_side(cutover, cutover.ways.forward)),
    Step("drop-bucket-triggers", _drop_triggers),
    Step("end-forward", end_forward),
    Step("switch-all", switch_all),
)
"""With COMPLETION behind them: as a cutover ends."""
AT_THE_SOURCE: Final[Steps] = (Step("end-backward", end_backward), Step("follow-source", _follow_source))
"""As before the first bucket moved."""


def _end(cutover: Cutover, way: Way) -> None:
    """The stream of `way` ends: nobody writes to what it reads any more."""
    migration = cutover.ways.migration
    with closing(way.control()) as control:
        if way.plan.direction not in live_directions(control, migration):
            return
    if cutover.state.detail.fenced_at is None:
        cutover.remember(fenced_at=unix_now(cutover.home))
    drain(cutover, way)
    with closing(way.control()) as control:
        applied, state = last_batch_with_work(control, migration), read_migration(control, migration)
    assert state is not None
    cutover.remember(cut=head_position(sources_at(way.logs, state.position)).to_text())
    behind = mark_position(sources_at(way.sources, state.position))
    end_stream(way, behind=behind, applied=applied, within=cutover.limits.max_pause)
