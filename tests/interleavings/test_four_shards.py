"""One batch with work for four shards dies after every single commit (A2): what is done stays done, what is owed
follows.
"""

from __future__ import annotations

import shutil
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest
from pymysql.connections import Connection
from pymysql.cursors import Cursor

from tests.interleavings.scenarios import rename
from tests.oracle.tables import Table
from tests.servers.testbed import Arena
from tests.support.job import kill_tree
from tests.support.lab import PROJECT, SUFFIXES, Lab, Write, move, new_family, remove
from tests.support.ledger_state import LedgerState, require_sound

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.long]
FOUR = ("lab_0", "lab_1", "lab_2", "lab_3")
ACTIONS = ("upsert", "deferred", "delete", "move-out")
SUBSTEPS = 7
"""Both weights' upserts, the heavy one's late rows, both weights' deletes and what is left behind."""


def place_of(values: tuple[bytes | None, ...]) -> tuple[str, str]:
    (value,) = values
    assert value is not None
    return FOUR[int(value) % 4], SUFFIXES[int(value) // 4 % 2]


class FourShards(Lab):
    def __init__(self, arena: Arena, folder: Path) -> None:
        project = shutil.copytree(PROJECT, folder / "four")
        spec = project / "specs" / "lab.yaml"
        text = spec.read_text(encoding="utf-8").replace("place % 2", "place % 4")
        spec.write_text(text.replace("(place div 2) % 2", "(place div 4) % 2"), encoding="utf-8")
        super().__init__(arena, folder, shards=FOUR, example=project)

    def tables(self, source: Connection[Cursor]) -> Sequence[Table]:
        return (
            Table("parent", ("lab.parent",), ("id",), FOUR, SUFFIXES, ("place",), place_of),
            Table("child", ("lab.child",), ("id", "line"), FOUR, SUFFIXES, ("place",), place_of),
        )


def happenings() -> list[Write]:
    """Every shard has work in every sub-step."""
    done: list[Write] = []
    for shard in range(4):
        leaving, taking = 140 + 2 * shard, 141 + 2 * shard
        done += [new_family(200 + shard, shard), remove(100 + shard), move(110 + shard, (shard + 1) % 4)]
        # A row takes the name of one that leaves its table.
        done += [[*rename((leaving, f"left{leaving}"), (taking, f"n{leaving}")), *move(leaving, (shard + 1) % 4)]]
    return done


def test_a1_a2_killed_after_every_single_commit_of_four_shards(arena: Arena, tmp_path: Path) -> None:
    lab = FourShards(arena, tmp_path)
    lab.create_source()
    lab.fill({first + shard: shard for first in (100, 110) for shard in range(4)})
    lab.fill({140 + number: number // 2 for number in range(8)})
    lab.finish()
    with lab.run() as run:
        lab.gather(run, *happenings())
        lab.gates.hold("after-mark-staged")
        lab.gates.open("before-open-batch")
        lab.reach(run, "after-mark-staged")
    staged = lab.ledger_state()
    assert staged.open_state == "staged" and set(staged.owed) == {"0", "1", "2", "3"}
    for substep in range(1, SUBSTEPS + 1):
        for number in range(len(FOUR)):
            before = lab.ledger_state()
            _die_after_the_commit_of(lab, number)
            after = lab.ledger_state()
            require_sound(arena, after)
            assert (after.open_batch, after.open_state) == (staged.open_batch, "staged")
            assert after.position == staged.position
            expected = [substep if other <= number else substep - 1 for other in range(len(FOUR))]
            assert _count_done(after) == expected, f"{before.steps} -> {after.steps}"
    lab.finish()
    assert lab.ledger_state().open_batch is None
    lab.require_equal()


def _die_after_the_commit_of(lab: Lab, number: int) -> None:
    """A run that finishes the staged batch and dies when the shard has committed its next sub-step; those behind it
    wait."""
    never = lab.scratch / "never"
    points = [
        f"before-{action}@{database}=wait:{never}-{action}-{database}"
        for action in ACTIONS
        for database in FOUR[number + 1 :]
    ]
    points += [f"after-{action}@{FOUR[number]}=kill" for action in ACTIONS]
    process = lab.start(gated=False, until="snapshot", failpoints=";".join(points))
    code = process.wait(timeout=200)
    kill_tree(process)
    assert code == -signal.SIGKILL, f"run ended with {code}\n{lab.job.end_of_log()}"


def _count_done(ledger_state: LedgerState) -> list[int]:
    """By shard: how many sub-steps of the open batch it has committed."""
    return [
        sum(batch == ledger_state.open_batch and step != "stage" for batch, step in ledger_state.steps[database])
        for database in FOUR
    ]
