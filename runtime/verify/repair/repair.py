"""How are wrong rows repaired? Each is enqueued as a dead letter to be retried, so that the stream brings it back, or
removes it where the source has no such row.

Runs in the driver; writes the dead letters' table and the audit on the first shard, and waits for a run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.events.compare import KeysCompared, RepairsEnqueued
from shardwright.runtime.events.event import Emit, ignore
from shardwright.runtime.failures import Refused, StoppedPartWay
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.dead_letters import Place, QuarantinedKey, order_reread, read_dead_letters
from shardwright.runtime.ledger.tables import create_ledger
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import in_transaction
from shardwright.runtime.verify.barrier import ReplicationBarrier
from shardwright.runtime.verify.given_keys import KeyCheck, check_keys
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.repair.plan_repairs import NotRepaired, Repair, plan_repair
from shardwright.runtime.verify.repair.statements import FIRST, statements
from shardwright.runtime.verify.sessions import Sessions
from shardwright.specs.findings.remedies import RECOPY

CODE = "SW8522"
_LOOK_EVERY = 0.5
_REPORT_EVERY = 5.0


def hand_over(control: Connection[Any], migration: str, repairs: Sequence[Repair]) -> None:
    """Enqueues the repairs. Repeating it changes nothing."""
    create_ledger(control, first=True)
    places = {dead_letter.held: dead_letter.places for dead_letter in read_dead_letters(control, migration)}
    for repair in repairs:
        kinds = " and ".join(repair.kinds)
        # One row may be wrong in two ways: itself, and its entry in a lookup table.
        places |= {held: repair.places | places.get(held, frozenset()) for held in repair.held}

        reason = f"verify: {kinds}"
        in_transaction(control, partial(_order, migration=migration, repair=repair, reason=reason, places=places))
        audit(control, migration, "row to be repaired", detail=f"{repair.held[0]}: {kinds}")


def _order(
    connection: Connection[Any],
    *,
    migration: str,
    repair: Repair,
    reason: str,
    places: Mapping[QuarantinedKey, frozenset[Place]],
) -> None:
    """Of all source tables at once: what is staged of the row is of all of them, or of none."""
    for held in repair.held:
        order_reread(connection, migration, held, code=CODE, reason=reason, places=places[held])


def wait_for_answers(
    control: Connection[Any],
    migration: str,
    repairs: Sequence[Repair],
    *,
    patience: float,
    on_progress: Callable[[int], None] = lambda _done: None,
) -> tuple[NotRepaired, ...]:
    """Waits until a run has processed all repairs. Returns those that a target has refused. Raises StoppedPartWay
    (SW8523) when for `patience` seconds no row is processed."""
    left, moved = {held for repair in repairs for held in repair.held}, time.monotonic()
    reported = moved
    refused: dict[tuple[str, Key], NotRepaired] = {}
    while left:
        dead_letters = {dead_letter.held: dead_letter for dead_letter in read_dead_letters(control, migration)}
        done = {held for held in left if held not in dead_letters or dead_letters[held].state != "retry"}
        refused |= {
            (held.logical, held.key): _not_repaired(held, dead_letters[held].reason)
            for held in done
            if _is_quarantined(held, dead_letters)
        }
        if done:
            left, moved = left - done, time.monotonic()
        if done or time.monotonic() - reported >= _REPORT_EVERY:
            reported = time.monotonic()
            on_progress(sum(left.isdisjoint(repair.held) for repair in repairs))
        if not done and time.monotonic() - moved >= patience:
            waiting = sum(not left.isdisjoint(repair.held) for repair in repairs)
            raise StoppedPartWay(
                "SW8523",
                f"{waiting} of {len(repairs)} rows wait for a run, and for {patience:g} s none was taken: start "
                "`shardwright run`, which repairs them as soon as it has passed the copy, or take them back with "
                "`shardwright dead-letters discard`",
            )
        if left:
            time.sleep(_LOOK_EVERY)
    return tuple(refused.values())


def _is_quarantined(held: QuarantinedKey, dead_letters: Any) -> bool:
    return held in dead_letters and dead_letters[held].state == "held"


def _not_repaired(held: QuarantinedKey, reason: str) -> NotRepaired:
    return NotRepaired(held.logical, held.key, f"{reason}; it is a dead letter now: shardwright dead-letters list")


def _no_key(logical: str) -> str:
    return f"its table has no key, by which the source could be asked for it: {RECOPY} {logical} brings the whole table"


_STILL_CHANGING = "it kept changing while it was looked at: verify again"


@dataclass(frozen=True, slots=True)
class RepairPlan:
    """What would be done."""

    repairs: tuple[Repair, ...]
    left: tuple[NotRepaired, ...]
    """Keys that remain wrong."""
    right: int
    """How many keys are no longer wrong."""


@dataclass(frozen=True, slots=True)
class RepairResult:
    """What was done."""

    rows: int
    left: tuple[NotRepaired, ...]
    """Keys that remain wrong."""
    right: int
    """How many keys were no longer wrong before."""


@dataclass(frozen=True)
class Repairer:
    plan: Plan
    servers: Servers
    beside: ReplicationBarrier
    sessions: Sessions
    emit: Emit = ignore
    """Gets events about what takes long."""

    def make_plan(
        self, keys: Mapping[str, Sequence[Key]], *, delete_extra: bool, at_most: int, stream_runs: bool
    ) -> RepairPlan:
        """While the stream runs, this waits for rows that are only in flight; otherwise they are read again, which does
        no harm. Raises Refused (SW8524) when more than `at_most` rows would be touched."""
        repairs: list[Repair] = []
        left: list[NotRepaired] = []
        right = 0
        for logical, some in keys.items():
            if self.plan.table(logical).identity.counts_rows:
                left += [NotRepaired(logical, key, _no_key(logical)) for key in some]
                continue
            self.emit(KeysCompared(logical, len(some), repaired=False))
            found = self._check_keys(logical, some, waiting=stream_runs)
            right += found.right
            left += [NotRepaired(logical, key, _STILL_CHANGING) for key in found.still_changing]
            for wrong in found.wrong:
                one = plan_repair(self.plan, self.plan.table(logical), wrong, delete_extra=delete_extra)
                (repairs if isinstance(one, Repair) else left).append(one)  # type: ignore[arg-type]
        if len(repairs) > at_most:
            raise Refused(
                "SW8524", f"{len(repairs)} rows are to be repaired, and --max-rows allows {at_most}: nothing was done"
            )
        return RepairPlan(tuple(repairs), tuple(left), right)

    def statements(self, planned: RepairPlan) -> Sequence[str]:
        """For review."""
        made = [
            line
            for repair in planned.repairs
            for line in statements(self.plan, self.plan.table(repair.compared), repair, self.sessions)
        ]
        return [FIRST, *made] if made else []

    def count_waiting(self, planned: RepairPlan) -> int:
        """How many of the rows wait for a run."""
        with closing(self.servers.connect_shard(0)) as control:
            letters = read_dead_letters(control, self.plan.migration)
        left = {letter.held for letter in letters if letter.state == "retry"}
        return sum(not left.isdisjoint(repair.held) for repair in planned.repairs)

    def hand_over(self, planned: RepairPlan) -> None:
        with closing(self.servers.connect_shard(0)) as control:
            hand_over(control, self.plan.migration, planned.repairs)
        self.emit(RepairsEnqueued(len(planned.repairs)))

    def finish(self, planned: RepairPlan, *, patience: float, on_progress: Callable[[int], None]) -> RepairResult:
        """Waits for the run, and compares the keys again."""
        with closing(self.servers.connect_shard(0)) as control:
            refused = wait_for_answers(
                control, self.plan.migration, planned.repairs, patience=patience, on_progress=on_progress
            )
        left = [*planned.left, *refused]
        named = {(one.logical, one.key) for one in refused}
        for logical in dict.fromkeys(repair.compared for repair in planned.repairs):
            keys = [one.wrong.key for one in planned.repairs if one.compared == logical]
            self.emit(KeysCompared(logical, len(keys), repaired=True))
            found = self._check_keys(logical, keys, waiting=True)
            still = {wrong.key: "it is wrong still" for wrong in found.wrong} | dict.fromkeys(
                found.still_changing, _STILL_CHANGING
            )
            left += [NotRepaired(logical, key, why) for key, why in still.items() if (logical, key) not in named]
        return RepairResult(len(planned.repairs) - (len(left) - len(planned.left)), tuple(left), planned.right)

    def _check_keys(self, logical: str, keys: Sequence[Key], *, waiting: bool) -> KeyCheck:
        moving = self.beside if waiting else None
        return check_keys(self.plan, self.plan.table(logical), keys, self.sessions, moving=moving)
