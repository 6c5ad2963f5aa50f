"""`cutover`: applications' writes go from the source to the shards, and back. Which action is asked for, and what is
printed?

Runs in the process of the command; the work is in `cutover.machine`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, Final

from shardwright.runtime.cli.attempts import recorded
from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.consent import require_consent, require_final_consent
from shardwright.runtime.cli.signals import end_on_signals
from shardwright.runtime.cli.terminal import stderr_lines
from shardwright.runtime.cutover.cutover import Cutover, Limits
from shardwright.runtime.cutover.fences.outside_writers import ALLOWABLE
from shardwright.runtime.cutover.fencing import fence_checks
from shardwright.runtime.cutover.gates import gates, require_way_back
from shardwright.runtime.cutover.ids_checks import ids_checks, uncounted
from shardwright.runtime.cutover.machine import Outcome, cut_over, give_up, lift_last_fences
from shardwright.runtime.cutover.procedure import describe_steps, execute_steps
from shardwright.runtime.cutover.proof import Proof
from shardwright.runtime.cutover.rollback_checks import rollback_checks
from shardwright.runtime.cutover.source_trigger_checks import source_trigger_checks
from shardwright.runtime.cutover.source_triggers import dropped_triggers, shown_triggers
from shardwright.runtime.cutover.status import read_status, status_lines
from shardwright.runtime.cutover.steps import COMPLETION, PREPARATION, UP_TO_THE_SWITCH
from shardwright.runtime.cutover.ways import Way, Ways
from shardwright.runtime.events.cutover import CutoverResumed
from shardwright.runtime.events.run import CheckWarning
from shardwright.runtime.failures import InputAtFault, Refused
from shardwright.runtime.ledger.cutover_state import CutoverState, State, read_cutover
from shardwright.runtime.mysql.check import Check, Verdict, warned
from shardwright.runtime.run.preflight.preflight import require
from shardwright.runtime.run.preflight.table import as_json, as_text, exit_code
from shardwright.specs.direction import Side
from shardwright.specs.environment.environment import Environment

_TO: dict[str, Side] = {"begin": "shards", "rollback": "source"}
_SHORTEST_ANSWER: Final = 30.0
"""Seconds that a statement may take, also where writers may wait for less: those of the gates take a while."""


def execute(arguments: argparse.Namespace) -> int:
    if arguments.action not in _TO and (arguments.dry_run or arguments.rehearse):
        raise InputAtFault("SW8007", "--dry-run and --rehearse go with `cutover` and `cutover rollback`")
    if arguments.no_rollback and arguments.action != "begin":
        raise InputAtFault("SW8007", "--no-rollback goes with `cutover`")
    _allowed(arguments)
    if arguments.dry_run and arguments.rehearse:
        raise InputAtFault("SW8007", "--dry-run changes nothing, --rehearse sets the fence: choose one")
    ways = _ways(deployment(arguments), arguments)
    if arguments.action == "status":
        return _show_status(ways, arguments)
    if arguments.action in _TO and arguments.dry_run:
        return _show_steps(ways, arguments)
    with recorded(ways.forward.servers, ways.migration, arguments):
        return _carry_out(ways, arguments)


def _carry_out(ways: Ways, arguments: argparse.Namespace) -> int:
    if arguments.action not in ("finish", "unfence"):  # these ask once it is known what is lost
        require_consent(ways.environment, arguments, f"{arguments.action} a cutover of {ways.migration}")
    emit = stderr_lines(quiet=arguments.quiet)
    cutover = Cutover(ways, _limits(ways.environment, arguments), emit, Proof(emit))
    end_on_signals()  # a lost terminal is no reason to leave the fence set
    with cutover.begun() as state:
        match arguments.action:
            case "abort":
                return _abort(cutover, state)
            case "finish":
                return _finish(cutover, arguments)
            case "unfence":
                return _unfence(cutover, arguments)
            case _:
                outcome = _switch(cutover, state, arguments)
    print(json.dumps(_outcome(outcome), indent=2) if arguments.format == "json" else _sentence(outcome))
    return 0


def _ways(deployed: Deployment, arguments: argparse.Namespace) -> Ways:
    """A network that falls silent must not keep writers out for `answer_timeout`, which is for long statements."""
    require_way_back(deployed.plan)
    seconds = max(_SHORTEST_ANSWER, _limits(deployed.environment, arguments).max_pause)
    forward, backward = (
        Way(one.plan, one.servers.waiting_at_most(seconds), one.environment) for one in (deployed, deployed.turned())
    )
    return Ways(forward, backward)


def _limits(environment: Environment, arguments: argparse.Namespace) -> Limits:
    settings = environment.cutover
    return Limits(
        arguments.max_pause or settings.max_pause_seconds, arguments.drain_timeout or settings.drain_timeout_seconds
    )


def _switch(cutover: Cutover, state: CutoverState, arguments: argparse.Namespace) -> Outcome:
    to, emit = _TO[arguments.action], cutover.emit
    _require_fitting(state, to, rehearse=arguments.rehearse)
    if not state.is_fenced:
        found = _checks(cutover, arguments)
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
    elif state.writes_to == to:
        reason = f"writes go to the {to} already"
    if reason:
        raise Refused("SW8915", f"cutover: {reason}")


def _checks(cutover: Cutover, arguments: argparse.Namespace) -> Sequence[Check]:
    ways, current, following, state = cutover.ways, cutover.current, cutover.following, cutover.state
    allowed = _allowed(arguments)
    back: Sequence[Check] = ()
    if arguments.action == "begin":
        given_up = arguments.no_rollback
        back = list(rollback_checks(current, following, state.generation, given_up=given_up, allowed=allowed))
    return (
        *gates(ways, current, dry_run=arguments.dry_run),
        *source_trigger_checks(ways.backward, dropped_triggers(ways.backward)),
        *ids_checks(current, following),
        *uncounted(current),
        *fence_checks(current, following, state.generation, allowed=allowed),
        *back,
        *_pause(state, _TO[arguments.action], cutover.limits),
        *cutover.proof.checks(current),
    )


def _pause(state: CutoverState, to: Side, limits: Limits) -> Iterator[Check]:
    """Is the pause long enough, as the last rehearsal measured it?"""
    measured = state.detail.rehearsed
    if measured.get("to") != to:
        return
    found, most = f"{measured['pause']:g} s in the last rehearsal", limits.max_pause
    short = f"{found}, and writers may wait for {most:g} s: a cutover would be lifted (SW8913)"
    yield warned(
        "pause", "", warning=short if measured["pause"] >= most else None,
        way_out="allow more with --max-pause or cutover.max_pause", otherwise=f"{found}, below {most:g} s",
    )  # fmt: skip


def _allowed(arguments: argparse.Namespace) -> frozenset[str]:
    """Codes that the operator answers for. Raises InputAtFault for another one."""
    given = frozenset(item.strip().upper() for item in arguments.allow.split(",") if item.strip())
    if unknown := sorted(given - ALLOWABLE):
        raise InputAtFault("SW8007", f"--allow {unknown[0]}: {', '.join(sorted(ALLOWABLE))} can be allowed")
    if given and arguments.action not in _TO:
        raise InputAtFault("SW8007", "--allow goes with `cutover` and `cutover rollback`")
    return given


def _show_steps(ways: Ways, arguments: argparse.Namespace) -> int:
    with closing(ways.home()) as home:
        state = read_cutover(home, ways.migration)
    _require_fitting(state, _TO[arguments.action], rehearse=False)
    cutover = Cutover(ways, _limits(ways.environment, arguments), state=state)
    found = _checks(cutover, arguments)
    planned = describe_steps((*PREPARATION, *UP_TO_THE_SWITCH, *COMPLETION), cutover)
    if arguments.format == "json":
        print(json.dumps({**as_json(found), "steps": planned}, indent=2, ensure_ascii=False))
    else:
        numbered = "\n".join(f"{number}. {step}" for number, step in enumerate(planned, 1))
        print(f"{as_text(found)}\n\nThe cutover would\n{numbered}")
    return exit_code(found)


def _show_status(ways: Ways, arguments: argparse.Namespace) -> int:
    status = read_status(ways)
    print(json.dumps(status, indent=2) if arguments.format == "json" else status_lines(status))
    return 0


def _abort(cutover: Cutover, state: CutoverState) -> int:
    if state.at_rest:
        print(f"no cutover of {cutover.ways.migration} is in progress; writes go to the {state.writes_to}")
        return 0
    give_up(cutover, "aborted by an operator")
    print(f"writes go to the {cutover.state.writes_to}, as before")
    return 0


def _finish(cutover: Cutover, arguments: argparse.Namespace) -> int:
    from shardwright.runtime.cutover.finish import finish  # loads sqlglot

    _require_final(cutover, arguments, f"finish {cutover.ways.migration}", _lost_by_finish(cutover), when="reversing")
    finish(cutover)
    print(f"{cutover.ways.migration} is finished: writes go to the {cutover.state.writes_to}")
    if dropped := shown_triggers(cutover.ways.backward):
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


def _lost_by_finish(cutover: Cutover) -> str:
    forward, backward = cutover.ways.forward, cutover.ways.backward
    dropped = len(dropped_triggers(backward))
    gone = f"; {dropped} triggers of the source are not created again" if dropped else ""
    return (
        f"there is no rollback of {cutover.ways.migration} any more: nothing keeps the source up to date, and our "
        f"tables on {len(forward.servers.databases)} shards and beside {len(backward.servers.databases)} source "
        f"databases are dropped{gone}"
    )


def _unfence(cutover: Cutover, arguments: argparse.Namespace) -> int:
    ways, sides = cutover.ways, cutover.state.fences
    tables = sum(len(names) for side in sides for found in ways.written(side).tables().values()
                 for names in found.values())  # fmt: skip
    if sides:
        lost = f"clients may write to {tables} old tables of the {', '.join(sides)} again, and no fence is set any more"
        _require_final(cutover, arguments, f"lift the last fence of {ways.migration}", lost, when="finished")
    lifted = lift_last_fences(cutover)
    print(f"lifted: the fence of the {', '.join(lifted)}" if lifted else "no fence is set")
    return 0


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
