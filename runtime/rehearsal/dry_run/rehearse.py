"""Does a plan's SQL survive random histories, and which shortest history shows a fault?

Runs in the driver, with Spark; touches no server.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shardwright.compiler.plan.plan import StepName, TablePlan
from shardwright.runtime.rehearsal.dry_run.batch import Event, MadeUpBatch
from shardwright.runtime.rehearsal.dry_run.chain import AnalysedTable, StatementFault, analyse, execute
from shardwright.runtime.rehearsal.dry_run.compare import Difference, first_difference
from shardwright.runtime.rehearsal.dry_run.history import events_of_key
from shardwright.runtime.rehearsal.dry_run.layout import Row
from shardwright.runtime.rehearsal.dry_run.rehearsal import Rehearsal, as_batch, make_rehearsals
from shardwright.runtime.rehearsal.dry_run.shrink import MOST_ROUNDS, shrunk
from shardwright.runtime.rehearsal.dry_run.trial import TRIED, Bench, Trial, compute_answers
from shardwright.runtime.rehearsal.dry_run.values import plain_value

_VISIBLE = (StepName.ROUTE, StepName.FILTER, StepName.BATCH)
"""The steps that show every fault that matters. The steps before are checked once one of these is wrong."""


@dataclass(frozen=True, slots=True)
class RehearsalOptions:
    """How many histories a table gets (`count`), from which seed, and in how many rounds a failing one is shortened."""

    seed: int = 1
    count: int = 40
    rounds: int = MOST_ROUNDS


DEFAULT_REHEARSING = RehearsalOptions()


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A fault and the shortest history that shows it. `number` is the rehearsal's; None for another origin."""

    bench: Bench
    step: StepName
    difference: Difference
    history: tuple[Event, ...]
    number: int | None


def rehearse(
    benches: Sequence[Bench], rehearsing: RehearsalOptions
) -> tuple[list[Counterexample], list[tuple[Bench, StatementFault]], int]:
    """Returns at most one fault for each table, the statements that fail altogether, and how many rehearsals there
    were."""
    made = [
        (bench, make_rehearsals(bench.model.layout, seed=rehearsing.seed, count=rehearsing.count)) for bench in benches
    ]
    waves = [(bench, wave) for bench, wave in made if wave]
    analysed = [_analyse(bench, wave, rehearsing) for bench, wave in waves]
    answers, failed = execute(analysed)
    shown: list[Counterexample] = []
    for bench, wave in waves:
        logical = bench.table.logical
        batch = as_batch(wave, seed=rehearsing.seed)
        events = batch.events
        expected = compute_answers(bench.model, events, bench.scenarios)
        for step in _VISIBLE:
            if any(name == logical for name, _ in failed):
                break
            got = answers.get((logical, step), [])
            found = first_difference(step, expected[step], got, model=bench.model, events=events)
            if found is not None:
                shown.append(_of_wave(bench, wave, batch, step, found, rounds=rehearsing.rounds))
                break
    by_name = {bench.table.logical: bench for bench in benches}
    return shown, [(by_name[name], fault) for name, fault in failed], sum(len(wave) for _, wave in waves)


def _analyse(bench: Bench, wave: Sequence[Rehearsal], rehearsing: RehearsalOptions) -> AnalysedTable:
    batch = as_batch(wave, seed=rehearsing.seed)
    whole = analyse(bench.spark, bench.plan, bench.table.logical, batch=batch, scenarios=bench.scenarios)
    return AnalysedTable(
        whole.logical, {step: whole.frames[step] for step in _VISIBLE if step in whole.frames}, whole.faults
    )


def _of_wave(
    bench: Bench, wave: Sequence[Rehearsal], batch: MadeUpBatch, step: StepName, found: Difference, *, rounds: int
) -> Counterexample:
    for rehearsal in wave:
        if found.key is not None and events_of_key(bench.table, found.key, rehearsal.events):
            own = set(rehearsal.events)
            twice = tuple(sorted((event for event in batch.events if event in own), key=lambda event: event.position))
            return show(bench, (rehearsal.events, twice), step, found=found, number=rehearsal.number, rounds=rounds)
    return Counterexample(bench, step, found, (), None)


def show(
    bench: Bench,
    histories: Sequence[tuple[Event, ...]],
    step: StepName,
    *,
    found: Difference,
    number: int | None = None,
    rounds: int = MOST_ROUNDS,
) -> Counterexample:
    """The fault, with the shortest form of the first history that shows it by itself.

    If no history shows it under other keys, the first history is returned unchanged.
    """
    trials = bench.try_all(histories)
    tried = next((each for each in zip(histories, trials, strict=True) if each[1].step is not None), None)
    if tried is None:
        alone = bench.try_alone(histories[0])
        return Counterexample(bench, alone.step or step, alone.difference or found, histories[0], number)
    history, first = tried
    assert first.step is not None
    best: dict[tuple[Event, ...], Trial] = {history: first}
    blamed = first.step

    def fails(candidates: Sequence[tuple[Event, ...]]) -> list[bool]:
        trials = bench.try_all(candidates, _up_to(blamed))
        best.update(zip(candidates, trials, strict=True))
        return [trial.step is blamed for trial in trials]

    shortest = shrunk(bench.table, history, fails, plain=_plain_row(bench.table), rounds=rounds)
    trial = best[shortest]
    assert trial.difference is not None
    return Counterexample(bench, blamed, trial.difference, trial.history, number)


def _up_to(step: StepName) -> tuple[StepName, ...]:
    """The steps that a trial checks. Those before `step` must stay right, or the history would show another fault."""
    return TRIED[: TRIED.index(step) + 1]


def _plain_row(table: TablePlan) -> Row:
    return tuple(None if column.nullable else plain_value(column.type) for column in table.source.columns)
