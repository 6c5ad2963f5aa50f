"""Which of many histories does the plan's SQL get wrong? Each has keys of its own, so that all share one batch.

Runs in the driver; one Spark job for all histories; touches no server.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.runtime.rehearsal.dry_run.batch import Event, MadeUpBatch, distinct_keys
from shardwright.runtime.rehearsal.dry_run.chain import CHAIN, AnalysedTable, analyse, execute
from shardwright.runtime.rehearsal.dry_run.compare import Difference, first_difference
from shardwright.runtime.rehearsal.dry_run.layout import Row
from shardwright.runtime.rehearsal.dry_run.model import Answer, Model, Scenario, pads, row_identity
from shardwright.runtime.rehearsal.dry_run.values import distinct_values

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TRIED = (*CHAIN, StepName.BATCH)
"""The statements that a batch of the stream may pass, in the order in which they are blamed. The last one is another
way from events to decisions (`merges_packed`)."""

History = tuple[Event, ...]
_FRESH_KEYS = 900


@dataclass(frozen=True, slots=True)
class Trial:
    """A history as it was tried, and its first difference; None when everything is as the contract says."""

    history: History
    step: StepName | None
    difference: Difference | None


@dataclass(frozen=True, slots=True)
class Bench:
    """What is needed to try histories of one table."""

    spark: SparkSession
    plan: Plan
    model: Model
    scenarios: tuple[Scenario, ...]

    @property
    def table(self) -> TablePlan:
        return self.model.layout.table

    def try_alone(self, history: History) -> Trial:
        """Tries the history with its own keys, through the whole chain."""
        return self._try([history], TRIED)[0]

    def try_all(self, histories: Sequence[History], steps: Sequence[StepName] = TRIED) -> tuple[Trial, ...]:
        """The trials in order. A history for which no keys are left counts as right; if Spark fails, all do."""
        renamed: list[History] = []
        keys = distinct_keys([distinct_values(column.type, _FRESH_KEYS) for column in self.table.source_key_columns])
        for history in histories:
            own = _rename_keys(self.table, history, keys)
            if own is None:
                break
            renamed.append(own)
        tried = self._try(renamed, steps)
        return (*tried, *(Trial(history, None, None) for history in histories[len(tried) :]))

    def _try(self, histories: Sequence[History], steps: Sequence[StepName]) -> list[Trial]:
        events = tuple(event for history in histories for event in history)
        # They arrive from the last to the first, so that a statement that relies on the order of arrival is found.
        batch = MadeUpBatch(events[::-1], pairs=9, rows=())
        analysed = analyse(self.spark, self.plan, self.table.logical, batch=batch, scenarios=self.scenarios)
        wanted = {step: frame for step, frame in analysed.frames.items() if step in steps}
        answers, failed = execute([AnalysedTable(self.table.logical, wanted, ())])
        if failed or analysed.faults:
            return [Trial(history, None, None) for history in histories]
        expected = compute_answers(self.model, events, self.scenarios)
        got = {step: answers.get((self.table.logical, step), []) for step in steps}
        owners = {
            tuple(row_identity(self.table, image)): number
            for number, history in enumerate(histories)
            for event in history
            for image in (event.before, event.after)
            if image is not None
        }
        ours = {step: _by_owner(expected[step], owners) for step in steps}
        theirs = {step: _by_owner(got[step], owners) for step in steps}
        return [self._trial(history, number, ours, theirs) for number, history in enumerate(histories)]

    def _trial(self, history: History, number: int, ours: _ByOwner, theirs: _ByOwner) -> Trial:
        for step in ours:
            found = first_difference(step, ours[step][number], theirs[step][number], model=self.model, events=history)
            if found is not None:
                return Trial(history, step, found)
        return Trial(history, None, None)


_ByOwner = Mapping[StepName, Mapping[int, Sequence[Answer]]]


def compute_answers(
    model: Model, events: Sequence[Event], scenarios: Sequence[Scenario]
) -> Mapping[StepName, list[Answer]]:
    """The answers that the contract requires of every statement of the chain."""
    return {
        StepName.DECODE: model.decode(events),
        StepName.MERGE: model.merge(events),
        StepName.ROUTE: model.route(events),
        StepName.FILTER: model.decide(events, scenarios),
        StepName.BATCH: model.decide_packed(events),
    }


def _by_owner(answers: Iterable[Answer], owners: Mapping[tuple[str, ...], int]) -> Mapping[int, list[Answer]]:
    """The answers by history. A row with a key of no history counts as the first history's."""
    found: dict[int, list[Answer]] = defaultdict(list)
    for answer in answers:
        found[owners.get(tuple(answer["key"] or ()), 0)].append(answer)
    return found


def _rename_keys(table: TablePlan, history: History, keys: Iterable[tuple[str, ...]]) -> History | None:
    """The history with a fresh key for each of its keys; spaces at a key's end stay. None when no keys are left."""
    chosen: dict[tuple[str, ...], tuple[str, ...]] = {}
    keys = iter(keys)

    def image(row: Row | None) -> Row | None:
        if row is None:
            return None
        old = tuple(row_identity(table, row))
        if old not in chosen:
            chosen[old] = next(keys)
        values = list(row)
        for column, fresh in zip(table.source_key_columns, chosen[old], strict=True):
            text = row[column.position] or ""
            values[column.position] = fresh + text[len(text.rstrip(" ")) :] if pads(column.type) else fresh
        return tuple(values)

    try:
        return tuple(replace(event, before=image(event.before), after=image(event.after)) for event in history)
    except StopIteration:
        return None
