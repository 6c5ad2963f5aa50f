"""A procedure is a tuple of steps. Their one order is what a command follows, what `--dry-run` prints, and what tests
kill at.

Used in the driver. Each step writes what it says; the state that it enters is recorded in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from shardwright.runtime.cutover.cutover import Cutover
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.cutover_state import State


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a procedure. A kill may end it anywhere, and it may be repeated."""

    name: str
    """As its failpoints before-NAME and after-NAME have it."""
    do: Callable[[Cutover], Mapping[str, Any] | None]
    """Returns what is recorded with the state that the step enters."""
    enters: State | None = None
    """The state that is recorded after `do`. Its failpoint, in place of those of the name, is before-STATE."""
    undo: Callable[[Cutover], None] | None = None
    """Takes back what there is of it, which may be nothing."""
    describe: Callable[[Cutover], Iterable[str]] = lambda _: ()
    """Returns what it would do, in sentences. Writes nothing."""
    holds: Callable[[Cutover], bool] = lambda _: False
    """Whether it is done, and all before it: a repeated command resumes after it."""
    always: bool = False
    """A command that resumes after it repeats it nevertheless."""
    within: tuple[str, ...] = ()
    """The failpoints that `do` has itself, in order, in place of those of the name."""
    within_undo: tuple[str, ...] = ()
    """The failpoints of `undo`, in order."""

    @property
    def failpoints(self) -> tuple[str, ...]:
        """Those of the way forward, in order."""
        if self.enters:
            return (*self.within, f"before-{self.enters}")
        return self.within or (f"before-{self.name}", f"after-{self.name}")

    def take(self, cutover: Cutover) -> None:
        placed = [name for name in self.failpoints if name not in self.within]
        if not self.enters and placed:
            failpoint(placed[0])
        found = self.do(cutover) or {}
        if placed:
            failpoint(placed[-1])
        if self.enters:
            cutover.enter(self.enters, **found)


Steps = tuple[Step, ...]


def execute_steps(steps: Steps, cutover: Cutover) -> None:
    """Takes the steps in order, from after the last one that holds. Raises what a step raises."""
    done = max((number for number, step in enumerate(steps) if step.holds(cutover)), default=-1)
    for number, step in enumerate(steps):
        if number > done or step.always:
            step.take(cutover)


def undo_steps(steps: Steps, cutover: Cutover) -> None:
    """Undoes the steps, the last one first. Raises what a step raises."""
    for step in reversed(steps):
        if step.undo:
            step.undo(cutover)


def describe_steps(steps: Steps, cutover: Cutover) -> list[str]:
    """What the steps would do, in order."""
    return [sentence for step in steps for sentence in step.describe(cutover)]
