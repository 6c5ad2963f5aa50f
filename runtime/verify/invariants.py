"""Do the spec's invariants hold alike on both sides? Both are asked; the plan's own SQL adds up the answers in Spark
and compares them.

Runs in the driver; Spark tasks read the source server and the shards.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shardwright.compiler.invariants.statements import LISTED
from shardwright.compiler.plan.invariant import Invariant
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.spark.failures import as_failure
from shardwright.runtime.verify.answers import RowHash
from shardwright.runtime.verify.barrier import Moving, Watch
from shardwright.runtime.verify.invariant_answers import Question, asker, of_shards, of_sources, schema_of
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.keys import KeyState
from shardwright.runtime.verify.recheck import Faulty, recheck
from shardwright.runtime.verify.result import InvariantDifference, InvariantResult

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ALL = KeyRange(None, None)
_AT_ONCE = 4
"""Questions in progress at the same time on each side; or as many as there are cores, if that is more."""


def compare_invariants(
    plan: Plan, servers: Servers, spark: SparkSession, *, moving: Moving | None
) -> tuple[InvariantResult, ...]:
    """Compares each invariant of the plan. While a stream moves rows, groups that differ are checked again as keys are
    (`recheck`)."""
    return tuple(_compare(_Looking(plan, servers, spark, one), moving) for one in plan.invariants)


@dataclass
class _Looking:
    """The comparison of one invariant, which may ask both sides several times."""

    plan: Plan
    """The compiled plan of the migration."""
    servers: Servers
    """The addresses of source servers and shards."""
    spark: SparkSession
    """The session; each call of `look` derives one of its own."""
    invariant: Invariant
    """The invariant that is compared."""
    found: dict[Key, InvariantDifference] = field(default_factory=dict)
    """Over all calls of `look`: what was found last of a group, by its values."""
    full: bool = False
    """Whether the last call of `look` listed as many differences as it may: there may be more."""

    def look(self, _over: KeyRange) -> Faulty:
        session = self.spark.newSession()
        self._ask(session, of_sources(self.plan, self.invariant)).createOrReplaceTempView("at_source")
        self._ask(session, of_shards(self.plan, self.invariant)).createOrReplaceTempView("on_shards")
        rows = _collect(session, self.invariant)
        self.full = len(rows) >= LISTED
        states: dict[Key, KeyState] = {}
        for row in rows:
            difference = _difference(row, self.invariant)
            key = tuple(map(_text, difference.group.values()))
            self.found[key] = difference
            states[key] = self._state(difference)
        return states

    def _ask(self, session: SparkSession, questions: Sequence[Question]) -> DataFrame:
        at_once = max(_AT_ONCE, session.sparkContext.defaultParallelism)
        numbers = session.range(0, len(questions), 1, min(len(questions), at_once))
        return numbers.mapInArrow(asker(self.servers, self.invariant, questions), schema_of(self.invariant))

    def _state(self, difference: InvariantDifference) -> KeyState:
        """A row that neither side should have is no value that the other side could take over."""
        sides = ((1, difference.source), (2, difference.shards))
        held = [
            () if values is None else (RowHash(side if self.invariant.must_be_empty else _hash(values), "", 0, ""),)
            for side, values in sides
        ]
        return KeyState(held[0], held[1])

    def watch(self, moving: Moving) -> Watch:
        """It is not known which groups a batch changed: a group is only proved wrong while no batch changes the
        tables."""

        def keys_changed_since(batch: int) -> Collection[Key] | None:
            changed = [moving.keys_changed_since(batch, table) for table in self.invariant.tables]
            return () if all(keys is not None and not keys for keys in changed) else None

        return Watch(moving.catch_up, moving.last_batch, keys_changed_since)


def _compare(looking: _Looking, moving: Moving | None) -> InvariantResult:
    started = time.monotonic()
    wrong: Faulty = {}
    still_changing: tuple[Key, ...] = ()
    problem = None
    try:
        first = looking.look(_ALL)
        watch = None if moving is None or moving.at_rest() else looking.watch(moving)
        wrong, still_changing = recheck({_ALL: first}, looking.look, watch=watch)
    except CouldNotCheck as failure:
        problem = str(failure)
    return InvariantResult(
        name=looking.invariant.name,
        must_be_empty=looking.invariant.must_be_empty,
        differences=tuple(looking.found[key] for key in wrong),
        still_changing=still_changing,
        problem=problem,
        seconds=time.monotonic() - started,
        more=looking.full,
    )


def _collect(session: SparkSession, invariant: Invariant) -> list[Any]:
    """Raises CouldNotCheck (SW8537)."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        return session.sql(invariant.compare).collect()
    except (PySparkException, Py4JJavaError) as error:
        reason = str(as_failure(error)).partition("\n")[0]
        raise CouldNotCheck("SW8537", f"{invariant.name} failed: {reason}") from None


def _difference(row: Sequence[Any], invariant: Invariant) -> InvariantDifference:
    """`row` has the columns of the plan's `compare` statement."""
    groups, values = invariant.groups, invariant.values
    source, shards = row[len(groups) : len(groups) + 1 + len(values)], row[len(groups) + 1 + len(values) :]

    def side(cells: Sequence[Any]) -> Mapping[str, str | None] | None:
        roles = [column.role for column in invariant.columns if column.role != "group"]
        shown = (_display(cell, role) for cell, role in zip(cells[1:], roles, strict=True))
        return dict(zip(values, shown, strict=True)) if cells[0] else None

    return InvariantDifference(dict(zip(groups, row, strict=False)), side(source), side(shards))


def _display(value: str | None, role: str) -> str | None:
    return value if value is None or role in ("earliest", "latest") else f"{Decimal(value).normalize():f}"


def _hash(values: Mapping[str, str | None]) -> int:
    return hash(tuple(values.values()))


def _text(value: str | None) -> str:
    return "NULL" if value is None else f"'{value}'" if value == "NULL" else value
