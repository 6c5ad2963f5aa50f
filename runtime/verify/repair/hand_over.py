"""Handing rows to the run that follows the stream, and waiting for it.

A repair is what `dead-letters retry` is for a row that was refused: the run reads the row again at the source, in a snapshot whose
position it knows, brings it to its place and empties every other one, as a batch of its own in the books; older events of the key are
passed over, newer ones applied. So a repair cannot overwrite anything newer, and can be killed at any moment (contract C1).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.failures import StoppedPartWay
from shardwright.runtime.ledger.batches import audit
from shardwright.runtime.ledger.dead_letters import HeldKey, create_letters, order_reread, read_letters
from shardwright.runtime.verify.repair.plan_repairs import NotRepaired, Repair

CODE = "SW8522"
_LOOK_EVERY = 0.5


def hand_over(control: Connection[Any], migration: str, repairs: Sequence[Repair]) -> None:
    """Done again, it changes nothing."""
    create_letters(control)
    standing = {letter.held: letter for letter in read_letters(control, migration)}
    for repair in repairs:
        known = standing.get(repair.held)
        places = repair.places | (known.places if known else frozenset())
        kinds = " and ".join(repair.kinds)
        order_reread(control, migration, repair.held, code=CODE, reason=f"verify: {kinds}", places=places)
        audit(control, migration, "row to be repaired", detail=f"{repair.held}: {kinds}")


def wait_for_answers(
    control: Connection[Any],
    migration: str,
    repairs: Sequence[Repair],
    *,
    patience: float,
    on_progress: Callable[[int], None] = lambda _done: None,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[NotRepaired, ...]:
    """Those that a target has refused. Raises StoppedPartWay (SW8523) when for `patience` seconds no row is answered."""
    left, moved = {repair.held for repair in repairs}, now()
    refused: list[NotRepaired] = []
    while left:
        letters = {letter.held: letter for letter in read_letters(control, migration)}
        done = {held for held in left if held not in letters or letters[held].state != "retry"}
        refused += [_refused(held, letters[held].reason) for held in done if _is_held(held, letters)]
        if done:
            left, moved = left - done, now()
            on_progress(len(repairs) - len(left))
        elif now() - moved >= patience:
            raise StoppedPartWay(
                "SW8523",
                f"{len(left)} of {len(repairs)} rows wait for a run, and for {patience:g} s none was taken: start `shardwright run`, "
                "which repairs them as soon as it has passed the copy, or take them back with `shardwright dead-letters discard`",
            )
        if left:
            sleep(_LOOK_EVERY)
    return tuple(refused)


def _is_held(held: HeldKey, letters: Any) -> bool:
    return held in letters and letters[held].state == "held"


def _refused(held: HeldKey, reason: str) -> NotRepaired:
    return NotRepaired(held.logical, held.key, f"{reason}; it is a dead letter now: shardwright dead-letters list")
