"""`cutover abort`, `finish` and `unfence`: what ends a cutover, or the migration.

Runs in the process of the command; the work is in `cutover.machine` and `cutover.finish`.
"""

from __future__ import annotations

import argparse

from shardwright.runtime.cli.consent import require_consent, require_final_consent
from shardwright.runtime.cli.cutover_at_work import cutover_at_work, ways_of
from shardwright.runtime.cutover.cutover import Cutover
from shardwright.runtime.cutover.finish import finish
from shardwright.runtime.cutover.machine import give_up, lift_last_fences
from shardwright.runtime.cutover.source_triggers import describe_triggers, read_dropped_triggers
from shardwright.runtime.events.cutover import MigrationFinished
from shardwright.runtime.ledger.cutover_state import State


def end(arguments: argparse.Namespace) -> int:
    with cutover_at_work(ways_of(arguments), arguments) as cutover:
        match arguments.action:
            case "abort":
                return _abort(cutover)
            case "finish":
                return _finish(cutover, arguments)
            case _:
                return _unfence(cutover, arguments)


def _abort(cutover: Cutover) -> int:
    if cutover.state.shares:
        return _abort_sharing(cutover)
    if cutover.state.at_rest:
        print(f"no cutover of {cutover.ways.migration} is in progress; writes go to the {cutover.state.writes_to}")
        return 0
    give_up(cutover, "aborted by an operator")
    print(f"writes go to the {cutover.state.writes_to}, as before")
    return 0


def _abort_sharing(cutover: Cutover) -> int:
    """Buckets that are on their way go back to the side that they came from; those that have moved stay."""
    if cutover.ways.forward.plan.both_write:
        from shardwright.runtime.cli.cutover_both import abort

        abort(cutover)
        return 0
    from shardwright.runtime.cutover.by_bucket.move import give_up_move
    from shardwright.runtime.cutover.by_bucket.share import share_no_more, sole_writer

    give_up_move(cutover, "aborted by an operator")
    if sole_writer(cutover) == "source":
        share_no_more(cutover)
        print("all writes go to the source, as before")
    else:
        print("no bucket is on its way; `cutover rollback --buckets LIST` brings back those that have moved")
    return 0


def _finish(cutover: Cutover, arguments: argparse.Namespace) -> int:
    _require_final(cutover, arguments, f"finish {cutover.ways.migration}", _describe_finish(cutover), when="reversing")
    finish(cutover)
    cutover.emit(MigrationFinished(cutover.state.writes_to))
    print(f"{cutover.ways.migration} is finished: writes go to the {cutover.state.writes_to}")
    if dropped := describe_triggers(cutover.ways.backward):
        names = ", ".join(f"{trigger['database']}.{trigger['name']}" for trigger in dropped)
        print(f"dropped at the source for good: {names}; `cutover status --format json` has their definitions")
    if cutover.state.fences:
        print(f"the fence of the {', '.join(cutover.state.fences)} stays: `shardwright cutover unfence` lifts it")
    return 0


def _require_final(cutover: Cutover, arguments: argparse.Namespace, what: str, lost: str, *, when: State) -> None:
    """In another state than `when` it is refused anyway, or decided already."""
    if cutover.state.state == when:
        require_final_consent(cutover.ways.environment, arguments, what, lost=lost)
    else:
        require_consent(cutover.ways.environment, arguments, what)


def _describe_finish(cutover: Cutover) -> str:
    forward, backward = cutover.ways.forward, cutover.ways.backward
    dropped = len(read_dropped_triggers(backward))
    gone = f"; {dropped} triggers of the source are not created again" if dropped else ""
    return (
        f"there is no rollback of {cutover.ways.migration} any more: nothing keeps the source up to date, and our "
        f"tables on {len(forward.servers.databases)} shards and beside {len(backward.servers.databases)} source "
        f"databases are dropped{gone}"
    )


def _unfence(cutover: Cutover, arguments: argparse.Namespace) -> int:
    ways, sides = cutover.ways, cutover.state.fences
    tables = sum(len(names) for side in sides for found in ways.way_of_writes(side).tables().values()
                 for names in found.values())  # fmt: skip
    if sides:
        lost = f"clients may write to {tables} old tables of the {', '.join(sides)} again, and no fence is set any more"
        _require_final(cutover, arguments, f"lift the last fence of {ways.migration}", lost, when="finished")
    lifted = lift_last_fences(cutover)
    print(f"lifted: the fence of the {', '.join(lifted)}" if lifted else "no fence is set")
    return 0
