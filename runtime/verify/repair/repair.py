"""`repair`: keys that a comparison named are looked at again, read again at the source by the run, and compared once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.verify.beside_stream import BesideStream
from shardwright.runtime.verify.given_keys import Standing, standing
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.repair.hand_over import hand_over, wait_for_answers
from shardwright.runtime.verify.repair.plan_repairs import NotRepaired, Repair, plan_repair
from shardwright.runtime.verify.repair.statements import statements
from shardwright.runtime.verify.sessions import Sessions

_UNSETTLED = "it kept changing while it was looked at: verify again"


@dataclass(frozen=True, slots=True)
class Planned:
    """`right`: keys that are no longer wrong."""

    repairs: tuple[Repair, ...]
    left: tuple[NotRepaired, ...]
    right: int


@dataclass(frozen=True, slots=True)
class Repaired:
    """`left` stay wrong."""

    rows: int
    left: tuple[NotRepaired, ...]
    right: int


@dataclass(frozen=True)
class Repairing:
    plan: Plan
    servers: Servers
    beside: BesideStream
    sessions: Sessions

    def planned(
        self, keys: Mapping[str, Sequence[Key]], *, delete_extra: bool, at_most: int, stream_runs: bool
    ) -> Planned:
        """While the stream runs, rows that are only on their way are waited for; otherwise they are read again, which does no harm.
        Raises Refused (SW8524) when more than `at_most` rows would be touched."""
        repairs: list[Repair] = []
        left: list[NotRepaired] = []
        right = 0
        for logical, some in keys.items():
            found = self._standing(logical, some, waiting=stream_runs)
            right += found.right
            left += [NotRepaired(logical, key, _UNSETTLED) for key in found.unsettled]
            for wrong in found.wrong:
                one = plan_repair(self.plan, self.plan.table(logical), wrong, delete_extra=delete_extra)
                (repairs if isinstance(one, Repair) else left).append(one)  # type: ignore[arg-type]
        if len(repairs) > at_most:
            raise Refused(
                "SW8524", f"{len(repairs)} rows are to be repaired, and --at-most allows {at_most}: nothing was done"
            )
        return Planned(tuple(repairs), tuple(left), right)

    def statements(self, planned: Planned) -> Sequence[str]:
        """For review."""
        return [
            line
            for repair in planned.repairs
            for line in statements(self.plan.table(repair.held.logical), repair, self.sessions)
        ]

    def hand_over(self, planned: Planned) -> None:
        with closing(self.servers.connect_shard(0)) as control:
            hand_over(control, self.plan.migration, planned.repairs)

    def finish(self, planned: Planned, *, patience: float, on_progress: Callable[[int], None]) -> Repaired:
        """Wait for the run, and compare the keys again."""
        with closing(self.servers.connect_shard(0)) as control:
            refused = wait_for_answers(
                control, self.plan.migration, planned.repairs, patience=patience, on_progress=on_progress
            )
        left = [*planned.left, *refused]
        told = {(one.logical, one.key) for one in refused}
        for logical in dict.fromkeys(repair.held.logical for repair in planned.repairs):
            keys = [one.wrong.key for one in planned.repairs if one.held.logical == logical]
            found = self._standing(logical, keys, waiting=True)
            still = {wrong.key: "it is wrong still" for wrong in found.wrong} | dict.fromkeys(
                found.unsettled, _UNSETTLED
            )
            left += [NotRepaired(logical, key, why) for key, why in still.items() if (logical, key) not in told]
        return Repaired(len(planned.repairs) - (len(left) - len(planned.left)), tuple(left), planned.right)

    def _standing(self, logical: str, keys: Sequence[Key], *, waiting: bool) -> Standing:
        moving = self.beside if waiting else None
        return standing(self.plan, self.plan.table(logical), keys, self.sessions, moving=moving)
