"""How do applications' writes go from one side to the other? By steps, whose states are entered in one transaction of
the first shard's ledger. A command that was killed is repeated and resumes, or opens the old side again.

Runs in the driver; writes ledgers and switch rows on both sides, and sets and lifts fences.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from shardwright.runtime.cutover.cutover import Cutover
from shardwright.runtime.cutover.procedure import execute_steps, undo_steps
from shardwright.runtime.cutover.steps import COMPLETION, REHEARSAL, UP_TO_THE_SWITCH, rest
from shardwright.runtime.events.cutover import CutoverGivenUp, CutoverIncomplete
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.cutover_state import CutoverDetail, CutoverState
from shardwright.specs.direction import Side


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a cutover has done."""

    state: CutoverState
    pause: float
    """Seconds in which neither side took writes."""
    proved: Mapping[str, Any]
    """What the final compare covered, for the report."""
    rehearsal: bool = False


def cut_over(cutover: Cutover, to: Side, *, rehearsal: bool = False) -> Outcome:
    """From the gates, which hold, to the switch; or from where another process was stopped. Within `begun`.

    Raises StoppedPartWay or Refused after it has lifted the fence again; what was found is in the message.
    """
    if cutover.state.state != "switched":
        _enter_ready(cutover, to, rehearsal=rehearsal)
        rehearses = cutover.state.detail.rehearsal
        cutover.current.ledgers.warm()
        try:
            execute_steps(REHEARSAL if rehearses else UP_TO_THE_SWITCH, cutover)
        except BaseException as error:
            _open_again(cutover, error)
            raise
        if rehearses:
            pause = cutover.pause_seconds()
            cutover.remember(rehearsed={"to": to, "pause": round(pause, 3)})
            give_up(cutover, "rehearsed")
            return Outcome(cutover.state, pause, cutover.state.detail.proved or {}, rehearsal=True)
    try:
        execute_steps(COMPLETION, cutover)
    except BaseException:
        _report_switched(cutover)
        raise
    detail = cutover.state.detail
    assert detail.pause is not None and detail.proved is not None
    return Outcome(cutover.state, detail.pause, detail.proved)


def _enter_ready(cutover: Cutover, to: Side, *, rehearsal: bool) -> None:
    """What an earlier cutover has found is forgotten, but for its last fences and its rehearsal."""
    if not cutover.state.is_fenced:
        kept = CutoverDetail(fences=cutover.state.fences, rehearsed=cutover.state.detail.rehearsed)
        compared = cutover.proof.last_proof_batch
        cutover.write(state="ready", detail=replace(kept, compared=compared, to=to, rehearsal=rehearsal))


def give_up(cutover: Cutover, reason: str) -> None:
    """The old side takes writes again, and its stream continues. Within `begun`; may be repeated.

    Raises Refused (SW8915) behind the switch, where only a cutover in the other direction leads back.
    """
    state = cutover.state
    if state.state in ("switched", "finishing", "finished"):
        raise Refused(
            "SW8915",
            f"{cutover.ways.migration} has switched (state {state.state}): nothing is aborted any more, only `cutover "
            "rollback` leads back",
        )
    if state.at_rest:
        return
    side = cutover.current.side
    failpoint("before-give-up")
    undo_steps(UP_TO_THE_SWITCH, cutover)
    failpoint("before-opened")
    rest(cutover, state.writes_to, given_up=reason)
    cutover.audit("cutover given up", reason)
    cutover.emit(CutoverGivenUp(side, reason))


def lift_last_fences(cutover: Cutover) -> tuple[Side, ...]:
    """After `finish`: clients may write to the old tables again. Within `begun`. Returns the sides that were fenced.
    Raises Refused (SW8915) before, while such writes would be lost or come back."""
    if cutover.state.state != "finished":
        raise Refused(
            "SW8915",
            f"{cutover.ways.migration} is not finished (state {cutover.state.state}): `cutover abort` opens the side "
            "again before the switch, `cutover rollback` leads back after it",
        )
    lifted = tuple(cutover.state.fences)
    for side in lifted:
        cutover.lift_fence(side)
        cutover.forget_fence(side)
    return lifted


def _open_again(cutover: Cutover, error: BaseException) -> None:
    """Gives up after `error`. What prevents that is said, and does not hide the error. Where the connection to the
    first shard is lost, its lock is, too: both are taken again."""
    try:
        with nullcontext() if cutover.home.open else cutover.at_home():
            cutover.read()
            if cutover.state.state != "switched":
                give_up(cutover, str(error) or type(error).__name__)
            else:  # the answer to that transaction was lost
                _report_switched(cutover)
    except Exception as second:  # noqa: BLE001 whatever it is, the operator has to act
        cutover.emit(CutoverIncomplete(f"the fence may still be set ({second}): run `shardwright cutover abort`"))


def _report_switched(cutover: Cutover) -> None:
    side = cutover.state.writes_to
    cutover.emit(CutoverIncomplete(f"writes go to {side} already: repeat the command, which completes the rest"))
