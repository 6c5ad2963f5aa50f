"""Steps are taken, resumed, undone and described in their one order."""

from __future__ import annotations

from typing import Any

import pytest

from shardwright.runtime.cutover import procedure
from shardwright.runtime.cutover.procedure import Step, Steps, describe_steps, execute_steps, undo_steps
from shardwright.runtime.cutover.steps import COMPLETION, PREPARATION, UP_TO_THE_SWITCH


class _Record:
    """In place of a cutover."""

    def __init__(self, *done: str) -> None:
        self.done = done
        self.seen: list[Any] = []

    def enter(self, state: str, **found: Any) -> None:
        self.seen.append((state, found))


def _step(name: str, **more: Any) -> Step:
    def do(record: Any) -> dict[str, Any] | None:
        record.seen.append(name)
        return {"found": name} if more.get("enters") else None

    def undo(record: Any) -> None:
        record.seen.append(f"not {name}")

    def describe(record: Any) -> list[str]:
        return [f"would {name}"]

    return Step(name, do, undo=undo, describe=describe, holds=lambda record: name in _steps_done(record), **more)


def _steps_done(record: Any) -> tuple[str, ...]:
    done: tuple[str, ...] = record.done
    return done


STEPS: Steps = (
    _step("fence", always=True, within=("after-fence-recorded",)),
    _step("drain", enters="drained"),
    _step("arm"),
    _step("switch"),
)


@pytest.fixture
def passed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The failpoints that were passed."""
    names: list[str] = []
    monkeypatch.setattr(procedure, "failpoint", names.append)
    return names


def test_steps_are_taken_in_order_between_their_failpoints(passed: list[str]) -> None:
    record: Any = _Record()
    execute_steps(STEPS, record)
    assert record.seen == ["fence", "drain", ("drained", {"found": "drain"}), "arm", "switch"]
    assert passed == ["before-drained", "before-arm", "after-arm", "before-switch", "after-switch"]
    assert [name for step in STEPS for name in step.failpoints] == ["after-fence-recorded", *passed]


@pytest.mark.parametrize(
    ("done", "taken"),
    [
        (("drain",), ["fence", "arm", "switch"]),
        (("arm",), ["fence", "switch"]),  # the last one that holds counts
        (("switch",), ["fence"]),
    ],
)
def test_a_repeated_command_resumes_after_the_last_step_that_holds(done: tuple[str, ...], taken: list[str]) -> None:
    record: Any = _Record(*done)
    execute_steps(STEPS, record)
    assert record.seen == taken


def test_steps_are_undone_backwards() -> None:
    record: Any = _Record()
    undo_steps(STEPS, record)
    assert record.seen == ["not switch", "not arm", "not drain", "not fence"]


def test_steps_are_described_without_being_taken() -> None:
    record: Any = _Record()
    assert describe_steps(STEPS, record) == ["would fence", "would drain", "would arm", "would switch"]
    assert record.seen == []


def test_every_step_of_a_cutover_has_a_name_and_failpoints_of_its_own() -> None:
    steps = (*PREPARATION, *UP_TO_THE_SWITCH, *COMPLETION)
    names = [step.name for step in steps]
    assert len(names) == len(set(names))
    assert all(step.failpoints for step in steps)
