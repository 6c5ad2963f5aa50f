"""What is the shortest history that still shows a fault?

Runs in the driver; Spark runs in the function that tries candidates. A Spark job costs the same for one candidate as
for a hundred. So each round tries at once every way to leave out neighbouring events, instead of bisecting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.history import follows, relink
from shardwright.runtime.rehearsal.dry_run.layout import Row

History = tuple[Event, ...]
Fails = Callable[[Sequence[History]], Sequence[bool]]
"""Says which of the candidates show the fault; one Spark job."""

_MOST_CANDIDATES = 90
MOST_ROUNDS = 6
_SMALL = 6
"""A history of so many events has few enough subsets to try them all."""


def shrunk(table: TablePlan, history: History, fails: Fails, *, plain: Row, rounds: int = MOST_ROUNDS) -> History:
    """A failing history of which no shorter candidate fails, with the values of `plain` in as many columns as possible.

    `plain` is a row of the source table. `history` itself is known to fail. With 0 `rounds` it is returned unchanged.
    """
    if not rounds:
        return history
    history = _fewer_events(table, history, fails, rounds)
    return _plainer_values(table, history, fails, plain=plain)


def _fewer_events(table: TablePlan, history: History, fails: Fails, rounds: int) -> History:
    must_follow = follows(table, history)
    for _ in range(rounds):
        parts = (relink(table, part) for part in _parts(history)) if must_follow else _parts(history)
        candidates = [part for part in parts if not must_follow or follows(table, part)][:_MOST_CANDIDATES]
        failing = (
            [part for part, failed in zip(candidates, fails(candidates), strict=True) if failed] if candidates else []
        )
        if not failing:
            break
        small = len(history) <= _SMALL
        history = min(failing, key=len)
        if small:
            break  # every subset has been tried
    return history


def _parts(history: History) -> Iterator[History]:
    """Shorter histories, the shortest first: all subsets, or those that leave out neighbouring events."""
    count = len(history)
    if count <= _SMALL:
        for size in range(1, count):
            yield from combinations(history, size)
        return
    for left_out in range(count - 1, 0, -1):
        for start in range(count - left_out + 1):
            yield (*history[:start], *history[start + left_out :])


def _plainer_values(table: TablePlan, history: History, fails: Fails, *, plain: Row) -> History:
    fixed = {column.position for column in table.source_key_columns}
    columns = [
        index
        for index in range(len(plain))
        if index not in fixed and any(image[index] != plain[index] for event in history for image in _images(event))
    ]
    if not columns:
        return history
    tries = [_with_plain(history, columns, plain), *(_with_plain(history, (index,), plain) for index in columns)]
    all_plain, *results = fails(tries)
    if all_plain:
        return tries[0]
    free = [index for index, failed in zip(columns, results, strict=True) if failed]
    # Columns that do not matter alone may matter together: as many as possible are made plain.
    together = [_with_plain(history, free[:count], plain) for count in range(len(free), 0, -1)]
    outcomes = fails(together) if together else []
    return next((candidate for candidate, failed in zip(together, outcomes, strict=True) if failed), history)


def _with_plain(history: History, columns: Sequence[int], plain: Row) -> History:
    def image(row: Row | None) -> Row | None:
        if row is None:
            return None
        return tuple(plain[index] if index in columns else value for index, value in enumerate(row))

    return tuple(replace(event, before=image(event.before), after=image(event.after)) for event in history)


def _images(event: Event) -> Iterator[Row]:
    yield from (image for image in (event.before, event.after) if image is not None)
