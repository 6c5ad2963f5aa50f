"""The command is killed at every step, and given again, or given up: the application never loses a write of its own."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cutover.steps import COMPLETION, PREPARATION, REHEARSAL, UP_TO_THE_SWITCH
from shardwright.runtime.ledger.cutover import live_directions
from shardwright.specs.direction import Direction
from tests.cutover import test_next_ids as next_ids
from tests.cutover import test_source_triggers as source_triggers
from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena

pytestmark = [pytest.mark.server, pytest.mark.spark]

ELSEWHERE = next_ids.DIED_AT | source_triggers.DIED_AT
"""These need more than this lab has."""
THERE = tuple(
    point
    for step in (*PREPARATION, *UP_TO_THE_SWITCH, *COMPLETION)
    for point in step.failpoints
    if point not in ELSEWHERE
)
UNDONE = tuple(point for step in reversed(UP_TO_THE_SWITCH) for point in step.within_undo if point not in ELSEWHERE)
BACK = (*REHEARSAL[-1].failpoints, "before-give-up", *UNDONE, "before-opened")
DIED_AT = {*THERE, *BACK}

SOME = ("after-fence-recorded", "after-stream-ends", "after-switch")


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> CutoverLab:
    made = CutoverLab(arena, tmp_path, max_pause="60s")
    made.begin()
    return made


@pytest.mark.long
def test_h8_killed_and_given_again_or_given_up(lab: CutoverLab) -> None:
    """The points that leave the most behind, and those of giving up."""
    _kill_at(lab, SOME, ("after-take-back",))


@pytest.mark.long
def test_h8_killed_at_every_point(lab: CutoverLab) -> None:
    _kill_at(lab, THERE, BACK)


@pytest.mark.long
def test_h8_given_up_by_a_command_that_resumes(lab: CutoverLab) -> None:
    """The first command has armed the way back. The second one drains again, fails, and takes that back, too."""
    with lab.live() as run:
        lab.expect_kill("begin", failpoints="after-arm=kill")
        process = lab.start_cutover("begin", failpoints="before-proved=error")
        assert process.wait(timeout=120) == Exit.STOPPED_PART_WAY, lab.job.end_of_log()
        assert (lab.state().state, lab.state().fences) == ("following", {})
        with closing(lab.deploy().reverse_deployment().servers.connect_shard(0)) as ledger:
            assert live_directions(ledger, "lab") == {Direction.FORWARD}
        lab.writes_on(run)


def _kill_at(lab: CutoverLab, points: tuple[str, ...], back: tuple[str, ...]) -> None:
    with lab.live() as run:
        for number, point in enumerate(back):
            rehearses = not point.endswith("take-back")
            before = "" if rehearses else ";before-armed=error"
            lab.expect_kill("--rehearse" if rehearses else "begin", failpoints=f"{point}=kill{before}")
            lab.cutover("abort")
            assert (lab.state().state, lab.state().fences) == ("following", {}), (number, point)
            lab.writes_on(run)
        for point in points:
            there = lab.state().writes_to == "source"
            action = "begin" if there else "rollback"
            lab.follow_to_end(run)
            if point == "after-new-side-opened" and not lab.state().fences:
                lab.cutover(action)  # only a second cutover opens a side that was closed
                lab.writes_on(run)
                lab.follow_to_end(run)
                action = "rollback" if there else "begin"
            lab.expect_kill(action, failpoints=f"{point}=kill")
            if THERE.index(point) <= THERE.index("before-switch") and point.startswith("before"):
                lab.cutover("abort")
                lab.follow_to_end(run)
            lab.cutover(action)
            lab.writes_on(run)
        lab.follow_to_end(run)
        lab.application.stop()
        lab.follow_to_end(run)
        lab.equal()
