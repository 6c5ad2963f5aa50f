"""The steps of a cutover, and of a rollback, in their order: what each does, how it is undone, and what `--dry-run`
prints of it.

Used in the driver; steps write to the ledgers of both directions, the switch rows, counters, fences and triggers.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.cutover import turn
from shardwright.runtime.cutover.arm import prepare_ledgers
from shardwright.runtime.cutover.cutover import Cutover
from shardwright.runtime.cutover.fences.sessions import clients_ended
from shardwright.runtime.cutover.hooks import call_hook
from shardwright.runtime.cutover.procedure import Step, Steps
from shardwright.runtime.cutover.source_triggers import forget_triggers
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.events.cutover import CutoverProgress
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.batches import read_migration
from shardwright.runtime.ledger.cutover_state import state_at_rest, unix_now
from shardwright.runtime.ledger.dead_letters import count_quarantined
from shardwright.runtime.ledger.members import last_batch_with_work
from shardwright.runtime.ledger.switch_row import write_switch
from shardwright.runtime.mysql.all_shards import work_on_shards
from shardwright.runtime.mysql.transactions import in_transaction
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import has_reached, head_position, mark_position, sources_at
from shardwright.specs.direction import Side

_LOOK_EVERY: Final = 0.02


def _set_fence(cutover: Cutover) -> None:
    side, fence = cutover.current.side, cutover.fence(cutover.current)
    failpoint("before-fence")
    if side not in cutover.state.fences:
        undo = {**cutover.state.fences, side: fence.before()}
        cutover.remember(fences=undo, fenced_at=unix_now(cutover.home))
    failpoint("after-fence-recorded")
    before = clients_ended()
    fence.set(cutover.state.fences[side], drain_timeout=cutover.limits.drain_timeout)
    cutover.audit("fence set", f"{side}, {fence.kind}; {clients_ended() - before} connections of users ended")
    failpoint("after-fence")
    if cutover.state.state == "ready":
        cutover.enter("fenced")
    stopped = f"writes to {side} are stopped ({fence.kind}), open transactions have ended"
    cutover.emit(CutoverProgress("fenced", stopped))


def _lift_fence(cutover: Cutover) -> None:
    side = cutover.current.side
    if side in cutover.state.fences:
        cutover.lift_fence(side)
        failpoint("after-fence-lifted")
        cutover.forget_fence(side)


def _describe_fence(cutover: Cutover) -> Iterator[str]:
    current = cutover.current
    tables = sum(len(names) for databases in current.tables().values() for names in databases.values())
    servers = ", ".join(str(endpoint) for endpoint in current.servers.sources.values())
    yield (
        f"fence {tables} tables of the {current.side} ({cutover.fence(current).kind}) on {servers}; kill transactions "
        f"that are still open after {cutover.limits.drain_timeout:g} s"
    )


def _drain(cutover: Cutover) -> None:
    position = drain(cutover, cutover.current)
    cutover.emit(CutoverProgress("drained", f"everything up to {position} is applied", cutover.pause_seconds()))


def drain(cutover: Cutover, current: Way) -> StreamPosition:
    """The position of the direction's ledger, once it has passed the end that all logs have now, and no row waits to be
    read again. Raises StoppedPartWay (SW8913) where that takes longer than writers may wait."""
    with current.ledgers.at(0) as control:
        head: StreamPosition | None = None
        while True:
            state = read_migration(control, cutover.ways.migration)
            assert state is not None
            sources = sources_at(current.sources, state.position)
            head = head or mark_position(sources)
            if has_reached(sources, state.position, head):
                now = head_position(sources)
                if _servers(now) == _servers(head):
                    count_quarantined(control, cutover.ways.migration, within=cutover.seconds_left())
                    return state.position
                head = None  # another server holds a source by now: its log ends elsewhere
                continue
            cutover.require_in_time()
            time.sleep(_LOOK_EVERY)


def _servers(position: StreamPosition) -> set[tuple[int, str | None]]:
    """The servers that hold the sources, and how many have held each before."""
    return {(part.epoch, part.server) for part in position.logs.values()}


def _prove(cutover: Cutover) -> dict[str, Any]:
    current, compared = cutover.current, cutover.state.detail.compared
    with current.ledgers.at(0) as control:
        applied = last_batch_with_work(control, cutover.ways.migration)
    assert compared is not None
    found = cutover.proof.at_the_cut(current, after=compared)
    cutover.emit(CutoverProgress("proved", found["summary"], cutover.pause_seconds()))
    return {"proved": found, "applied": applied}


def _switch(cutover: Cutover) -> None:
    """The commit point."""
    migration, generation, to = cutover.ways.migration, cutover.state.generation + 1, cutover.next_way.side
    cutover.emit(CutoverProgress("armed", f"the {cutover.current.plan.direction} stream has ended"))
    cutover.require_in_time()
    cutover.write(
        state="switched",
        writes_to=to,
        generation=generation,
        detail=replace(cutover.state.detail, pause=round(cutover.pause_seconds(), 3)),
        also=lambda c: write_switch(c, migration, to, generation),
    )


def _describe_switch(cutover: Cutover) -> Iterator[str]:
    yield (
        f"switch: writes go to the {cutover.next_way.side}, generation {cutover.state.generation + 1}; if that takes "
        f"longer than {cutover.limits.max_pause:g} s from the fence on, lift the fence instead"
    )


# -- after the switch ----------------------------------------------------------------------------------------------


def _open_new_side(cutover: Cutover) -> None:
    side = cutover.state.writes_to
    if side in cutover.state.fences:
        cutover.lift_fence(side)
        failpoint("after-new-side-opened")
        cutover.forget_fence(side)


def _describe_opening(cutover: Cutover) -> Iterator[str]:
    side = cutover.next_way.side
    if side in cutover.state.fences:
        yield f"lift the fence of the {side}"


def _write_switch_rows(cutover: Cutover) -> None:
    """The new side's own rows first: its ledgers are those of the direction that has ended."""
    migration, side, generation = cutover.ways.migration, cutover.state.writes_to, cutover.state.generation

    def write(_shard: int, connection: Connection[Any]) -> None:
        in_transaction(connection, lambda c: write_switch(c, migration, side, generation))
        failpoint("after-switch-row")

    for way in (cutover.next_way, cutover.current):
        work_on_shards(way.servers, write)


def _describe_switch_rows(cutover: Cutover) -> Iterator[str]:
    shards, sources = (len(way.servers.databases) for way in (cutover.ways.forward, cutover.ways.backward))
    yield f"write the switch row on {shards} shards and beside {sources} source databases"


def _come_to_rest(cutover: Cutover) -> None:
    migration, side, generation = cutover.ways.migration, cutover.state.writes_to, cutover.state.generation
    hook = cutover.ways.environment.cutover.hooks.switched
    if hook is not None:
        call_hook(hook, {"migration": migration, "writes_to": side, "generation": generation})
        cutover.audit("hook called", f"switched: writes to {side}, generation {generation}")
    failpoint("before-switched-done")
    rest(cutover, side)
    cutover.emit(CutoverProgress("switched", f"writes go to {side}, generation {generation}", writes_to=side))


def _describe_hook(cutover: Cutover) -> Iterator[str]:
    hook = cutover.ways.environment.cutover.hooks.switched
    if hook is not None:
        yield f"call the hook: {hook}"


def rest(cutover: Cutover, side: Side, **found: Any) -> None:
    """Nothing is under way. While applications write to the source it has its own triggers."""
    if side == "source":
        forget_triggers(cutover.ways.backward)
    cutover.enter(state_at_rest(side), **found)


PREPARATION: Final[Steps] = (
    Step(
        "prepare-ledgers",
        lambda cutover: prepare_ledgers(cutover.next_way.plan, cutover.next_way.servers),
        describe=lambda cutover: [f"create what is missing of the {cutover.next_way.plan.direction} stream's ledgers"],
    ),
    Step(
        "compare-changes",
        lambda cutover: cutover.proof.prepare(cutover.current),
        describe=lambda cutover: [
            "compare what has changed since the last whole verify, while applications write to the "
            f"{cutover.current.side}"
        ],
    ),
)
"""While applications write."""

_PROOF: Final[Steps] = (
    Step(
        "fence",
        _set_fence,
        undo=_lift_fence,
        describe=_describe_fence,
        always=True,
        within=("before-fence", "after-fence-recorded", "after-fence"),
        within_undo=("after-fence-lifted",),
    ),
    Step(
        "drain",
        _drain,
        enters="drained",
        describe=lambda cutover: [
            f"wait until the {cutover.current.plan.direction} stream has applied everything up to the end of the logs"
        ],
    ),
    Step(
        "prove",
        _prove,
        enters="proved",
        describe=lambda _: ["compare the rows that changed last, and count the rows of all tables on both sides"],
    ),
)

REHEARSAL: Final[Steps] = (*_PROOF, Step("show-numbers", turn.show_numbers))
"""It is undone in any case."""

UP_TO_THE_SWITCH: Final[Steps] = (
    *_PROOF,
    Step("numbers", turn.set_numbers, describe=turn.describe_numbers, within=("after-ids-set", "after-ids-recorded")),
    Step(
        "triggers",
        turn.drop_source_triggers,
        undo=turn.restore_source_triggers,
        within=("after-triggers-recorded", "after-trigger-dropped"),
        within_undo=("after-trigger-created",),
    ),
    Step(
        "arm",
        turn.arm_following,
        undo=turn.undo_turn,
        describe=turn.describe_turn,
        within=("before-arm", "after-arm"),
        within_undo=("before-take-back", "after-take-back"),
    ),
    Step("end-stream", turn.end_current, holds=turn.has_ended, within=("before-stream-ends", "after-stream-ends")),
    Step(
        "create-triggers",
        turn.create_source_triggers,
        enters="armed",
        undo=turn.drop_created_triggers,
        holds=lambda cutover: cutover.state.state == "armed",
        within=("after-trigger-created",),
        within_undo=("after-trigger-dropped",),
    ),
    Step("switch", _switch, describe=_describe_switch),
)
"""Undone where one fails."""

COMPLETION: Final[Steps] = (
    Step("open", _open_new_side, describe=_describe_opening, within=("after-new-side-opened",)),
    Step("switch-rows", _write_switch_rows, describe=_describe_switch_rows, within=("after-switch-row",)),
    Step("rest", _come_to_rest, describe=_describe_hook, within=("before-switched-done",)),
)
"""After the switch nothing is undone; a repeated command takes them again."""
