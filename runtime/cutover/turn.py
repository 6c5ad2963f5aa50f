"""What happens to both directions between the proof and the switch: counters and triggers of the new side are set, the
other direction is armed, and the stream of this one ends. The functions are those of the steps (`steps`).

Used in the driver; writes to the ledgers of both directions, counters, and the source's triggers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from shardwright.runtime.cutover.arm import arm
from shardwright.runtime.cutover.cutover import Cutover
from shardwright.runtime.cutover.hand_over import end_stream, take_back
from shardwright.runtime.cutover.next_ids import counter_name, seed, seeds
from shardwright.runtime.cutover.source_triggers import (
    create_triggers,
    drop_triggers,
    find_triggers,
    read_dropped_triggers,
    record_triggers,
    with_found,
)
from shardwright.runtime.events.cutover import NextNumber, TriggersDropped
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.batches import read_migration
from shardwright.runtime.ledger.comparison import ProvedEqual
from shardwright.runtime.ledger.cutover import live_directions
from shardwright.runtime.ledger.cutover_state import unix_now
from shardwright.runtime.sources.source import head_position, mark_position, sources_at


def show_numbers(cutover: Cutover) -> None:
    for found in seeds(cutover.current, cutover.next_way):
        cutover.emit(NextNumber(str(found), only_shown=True))


def set_numbers(cutover: Cutover) -> None:
    """Before the other direction begins: what this leaves in the logs of the new side is no change to follow."""
    cutover.require_in_time()
    if not cutover.current.plan.ids:
        return
    seeded = tuple(seed(cutover.current, cutover.next_way))
    failpoint("after-ids-set")
    cutover.write(
        detail=replace(cutover.state.detail, next_ids=seeded),
        also=lambda c: audit(c, cutover.ways.migration, "next ids", detail="; ".join(seeded)),
    )
    failpoint("after-ids-recorded")
    for line in seeded:
        cutover.emit(NextNumber(line))


def describe_numbers(cutover: Cutover) -> Iterator[str]:
    plan = cutover.current.plan
    for ids in plan.ids:
        yield f"set the next number of {ids.title}: {counter_name(plan, ids)}"


def drop_source_triggers(cutover: Cutover) -> None:
    """Before the run looks for triggers that would act on what it writes. What brings them back is recorded first."""
    back = cutover.next_way
    if cutover.current.side != "source":
        return
    triggers = with_found(read_dropped_triggers(back), find_triggers(back))
    if not triggers:
        return
    record_triggers(back, triggers)
    failpoint("after-triggers-recorded")
    drop_triggers(back, triggers)
    cutover.audit("triggers dropped", ", ".join(map(str, triggers)))
    cutover.emit(TriggersDropped(tuple(map(str, triggers))))


def restore_source_triggers(cutover: Cutover) -> None:
    if cutover.current.side == "source":
        _create(cutover)


def _create(cutover: Cutover) -> None:
    triggers = read_dropped_triggers(cutover.ways.backward)
    create_triggers(cutover.ways.backward, triggers)
    if triggers:
        cutover.audit("triggers created", ", ".join(map(str, triggers)))


def arm_following(cutover: Cutover) -> None:
    following, proved = cutover.next_way, cutover.state.detail.proved
    assert proved is not None
    verified = proved["verified"]
    since = datetime.fromisoformat(verified["began_at"]).replace(tzinfo=UTC).timestamp()
    equal = ProvedEqual(max(0.0, unix_now(cutover.home) - since), verified["compared_rows"])
    arm(following.plan, following.servers, following.sources, proved=equal)


def undo_turn(cutover: Cutover) -> None:
    if _may_be_armed(cutover):
        take_back(cutover.current, cutover.next_way)


def _may_be_armed(cutover: Cutover) -> bool:
    """By this command or by an earlier one: a command that resumes enters `drained` once more."""
    return cutover.state.detail.proved is not None


def end_current(cutover: Cutover) -> None:
    current, applied = cutover.current, cutover.state.detail.applied
    with current.ledgers.at(0) as control:
        state = read_migration(control, cutover.ways.migration)
    assert state is not None and applied is not None
    cutover.remember(cut=head_position(sources_at(current.logs, state.position)).to_text())
    behind = mark_position(sources_at(current.sources, state.position))
    end_stream(current, behind=behind, applied=applied, within=cutover.seconds_left())


def has_ended(cutover: Cutover) -> bool:
    """An earlier command has come so far that the stream has ended."""
    current = cutover.current
    with current.ledgers.at(0) as control:
        return current.plan.direction not in live_directions(control, cutover.ways.migration)


def describe_turn(cutover: Cutover) -> Iterator[str]:
    ended, begun = cutover.current.plan.direction, cutover.next_way.plan.direction
    yield f"record where the {begun} stream begins, and end the {ended} one"


def create_source_triggers(cutover: Cutover) -> None:
    """The way back has ended, and the source is still closed."""
    if cutover.current.side == "shards":
        _create(cutover)


def drop_created_triggers(cutover: Cutover) -> None:
    """The run of the way back would meet them."""
    if cutover.current.side == "shards" and _may_be_armed(cutover):
        drop_triggers(cutover.ways.backward, read_dropped_triggers(cutover.ways.backward))
