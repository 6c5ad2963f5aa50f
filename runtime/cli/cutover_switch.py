"""`cutover` and `cutover rollback`: what must hold, what would be done, and what is printed of it?

Runs in the process of the command; the work is in `cutover.machine`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

from shardwright.runtime.cli import next_commands
from shardwright.runtime.cli.cutover_at_work import cutover_at_work, limits_of, ways_of
from shardwright.runtime.cli.next_commands import CutoverFacts, GateFacts
from shardwright.runtime.cutover.cutover import Cutover, Limits
from shardwright.runtime.cutover.fencing import fence_checks
from shardwright.runtime.cutover.gates import gates
from shardwright.runtime.cutover.ids_checks import check_uncounted, ids_checks
from shardwright.runtime.cutover.machine import Outcome, cut_over
from shardwright.runtime.cutover.procedure import describe_steps, execute_steps
from shardwright.runtime.cutover.proof import Proof
from shardwright.runtime.cutover.rollback_checks import rollback_checks
from shardwright.runtime.cutover.source_trigger_checks import source_trigger_checks
from shardwright.runtime.cutover.source_triggers import read_dropped_triggers
from shardwright.runtime.cutover.steps import COMPLETION, PREPARATION, UP_TO_THE_SWITCH
from shardwright.runtime.cutover.ways import Ways
from shardwright.runtime.events.cutover import CutoverResumed
from shardwright.runtime.events.run import CheckWarning
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.cutover_state import CutoverState, read_cutover
from shardwright.runtime.mysql.check import Check, Verdict, warn
from shardwright.runtime.run.preflight.preflight import require
from shardwright.runtime.run.preflight.table import as_json, as_text, exit_code
from shardwright.specs.direction import Side


def switch(arguments: argparse.Namespace, to: Side, allowed: frozenset[str]) -> int:
    """`allowed`: codes of checks that the operator answers for."""
    ways = ways_of(arguments)
    if arguments.dry_run:
        return _show_steps(ways, arguments, to, allowed)
    with cutover_at_work(ways, arguments) as cutover:
        outcome = _switch(cutover, arguments, to, allowed)
    if arguments.format == "json":
        state = outcome.state
        facts = CutoverFacts(state.state, None, tuple(state.fences))
        print(json.dumps({**_outcome(outcome), "next": next_commands.as_json(facts, arguments)}, indent=2))
    else:
        print(_sentence(outcome))
    return 0


def _switch(cutover: Cutover, arguments: argparse.Namespace, to: Side, allowed: frozenset[str]) -> Outcome:
    state, emit = cutover.state, cutover.emit
    if state.shares and cutover.ways.forward.plan.both_write and not arguments.rehearse:
        from shardwright.runtime.cli.cutover_both import end

        pause = end(cutover, to, allowed)
        return Outcome(cutover.state, pause, {})
    _require_fitting(state, to, rehearse=arguments.rehearse)
    cutover.proof = proof = Proof(emit)
    if not state.is_fenced:
        found = _checks(cutover, proof, arguments, to, allowed)
        require(found)
        for check in found:
            if check.verdict is Verdict.WARNING:
                emit(CheckWarning(check.name, check.where, check.message))
        execute_steps(PREPARATION, cutover)
    else:
        emit(CutoverResumed(state.state))
    return cut_over(cutover, to, rehearsal=arguments.rehearse)


def _require_fitting(state: CutoverState, to: Side, *, rehearse: bool) -> None:
    """Raises Refused (SW8915) for an action that does not go with the state."""
    reason = None
    if state.state == "switched":
        if state.writes_to != to or rehearse:
            reason = (
                f"the switch to the {state.writes_to} is made, but not all switch rows are written: repeat that command"
            )
    elif state.state in ("finishing", "finished"):
        reason = "the migration is finished"
    elif state.is_fenced and state.detail.to != to:
        reason = f"a cutover to the {state.detail.to} is in progress: repeat that command, or `cutover abort`"
    elif state.is_fenced and state.detail.rehearsal != rehearse:
        reason = "a rehearsal and a cutover are not the same: `cutover abort` first"
    elif state.shares:
        reason = "both sides take writes: `--buckets all` moves the rest, or a cutover without options ends it"
    elif state.writes_to == to:
        reason = f"writes go to the {to} already"
    if reason:
        raise Refused("SW8915", f"cutover: {reason}")


def _checks(
    cutover: Cutover, proof: Proof, arguments: argparse.Namespace, to: Side, allowed: frozenset[str]
) -> Sequence[Check]:
    ways, current, following, state = cutover.ways, cutover.current, cutover.next_way, cutover.state
    back: Sequence[Check] = ()
    if to == "shards":
        given_up = arguments.no_rollback
        back = list(rollback_checks(current, following, state.generation, given_up=given_up, allowed=allowed))
    return (
        *gates(ways, current, dry_run=arguments.dry_run),
        *source_trigger_checks(ways.backward, read_dropped_triggers(ways.backward)),
        *ids_checks(current, following),
        *check_uncounted(current),
        *fence_checks(current, following, state.generation, allowed=allowed),
        *back,
        *_pause(state, to, cutover.limits),
        *proof.checks(current),
    )


def _pause(state: CutoverState, to: Side, limits: Limits) -> Iterator[Check]:
    """Is the pause long enough, as the last rehearsal measured it?"""
    measured = state.detail.rehearsed
    if measured.get("to") != to:
        return
    found, most = f"{measured['pause']:g} s in the last rehearsal", limits.max_pause
    short = f"{found}, and writers may wait for {most:g} s: a cutover would be lifted (SW8913)"
    yield warn(
        "pause", "", warning=short if measured["pause"] >= most else None,
        way_out="allow more with --max-pause or cutover.max_pause", otherwise=f"{found}, below {most:g} s",
    )  # fmt: skip


def _show_steps(ways: Ways, arguments: argparse.Namespace, to: Side, allowed: frozenset[str]) -> int:
    with closing(ways.home()) as home:
        state = read_cutover(home, ways.migration)
    _require_fitting(state, to, rehearse=False)
    cutover = Cutover(ways, limits_of(ways.environment, arguments), state=state)
    found = _checks(cutover, Proof(), arguments, to, allowed)
    planned = describe_steps((*PREPARATION, *UP_TO_THE_SWITCH, *COMPLETION), cutover)
    if arguments.format == "json":
        facts = GateFacts(tuple(check.code for check in found if check.verdict is Verdict.REFUSED), to)
        answer = {**as_json(found), "steps": planned, "next": next_commands.as_json(facts, arguments)}
        print(json.dumps(answer, indent=2, ensure_ascii=False))
    else:
        numbered = "\n".join(f"{number}. {step}" for number, step in enumerate(planned, 1))
        print(f"{as_text(found)}\n\nThe cutover would\n{numbered}")
    return exit_code(found)


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "writes_to": outcome.state.writes_to,
        "generation": outcome.state.generation,
        "rehearsal": outcome.rehearsal,
        "pause_seconds": round(outcome.pause, 3),
        "proved": outcome.proved,
    }


def _sentence(outcome: Outcome) -> str:
    side = outcome.state.writes_to
    if outcome.rehearsal:
        return (
            f"rehearsed: writers would have waited for about {outcome.pause:.2f} s; writes go to the {side} as before"
        )
    return f"writes go to the {side} (generation {outcome.state.generation}); writers waited for {outcome.pause:.2f} s"
