"""A run that dies at every place where it leaves something behind, and goes on from the books (C1, C3; A2, B3).

One migration is killed again and again: the source has changed before each new start, after each death the books are
sound, in the end the shards are equal.
"""

from __future__ import annotations

import signal

import pytest

from tests.interleavings.scenarios import rename
from tests.servers.fixtures import Some
from tests.support.job import kill_tree
from tests.support.lab import (
    SHARDS,
    Lab,
    Write,
    kill_server,
    log_head,
    move,
    new_family,
    rekey,
    remove,
)
from tests.support.ledger_state import require_sound
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

WHILE_BEGINNING = (
    "before-take-over",
    "after-take-over",
    "after-bookkeeping",
    "after-begin-on-shard",
    "before-begin",
    "after-begin",
)
FORGETTING_A_BATCH = ("after-stage-cleared", "before-discard", "after-discard")
FINISHING_A_BATCH = ("before-finish-batch", "after-finish-batch")
"""All of these are come by before Spark is started: a death there takes no time. So are the sub-steps of a staged
batch."""
COPY_TRANSACTIONS = (
    "before-chunk-planned",
    "after-chunk-planned",
    "before-weight",
    "after-weight",
    "before-chunk-done",
    "before-snapshot-done",
    "before-tombstones-dropped",
    "after-tombstones-dropped",
)
WHILE_COPYING = (
    "before-chunk-read",
    "after-chunk-read",
    "before-chunk-commit",
    "after-chunk-commit",
    "after-chunk-done",
    "after-snapshot-done",
)
WHILE_DECIDING = (
    "before-open-batch",
    "after-open-batch",
    "before-stage",
    "after-stage",
    "before-mark-staged",
    "before-close-batch",
    "after-close-batch",
)
BEGINNING_TO_APPLY = "after-mark-staged"
SUBSTEPS = tuple(
    f"{side}-{what}" for what in ("upsert", "deferred", "delete", "move-out") for side in ("before", "after")
)
IN_ORDER = (*SUBSTEPS[:2], *SUBSTEPS[:4], *SUBSTEPS[4:], *SUBSTEPS[4:])
"""Both weights' upserts, the heavy one's late rows, both weights' deletes and what is left behind."""


DIED_AT = frozenset(
    {
        *WHILE_BEGINNING,
        *COPY_TRANSACTIONS,
        *WHILE_COPYING,
        *WHILE_DECIDING,
        BEGINNING_TO_APPLY,
        *SUBSTEPS,
        *FORGETTING_A_BATCH,
        *FINISHING_A_BATCH,
    }
)


def test_a1_killed_while_beginning(lab: Lab) -> None:
    """Each death leaves what the next start begins with; what happens meanwhile is in the copy or in the stream."""
    _fill(lab)
    for number, name in enumerate(WHILE_BEGINNING):
        _die_before_spark(lab, name)
        lab.write_all(happenings(number))
    _in_the_end_all_is_equal(lab)


@pytest.mark.long
def test_a1_b3_killed_between_the_ledger_transactions_of_the_copy(lab: Lab) -> None:
    _fill(lab)
    for number, name in enumerate(COPY_TRANSACTIONS):
        _die_at(lab, name)
        lab.write_all(happenings(number))
    _in_the_end_all_is_equal(lab)


@pytest.mark.long
def test_a1_b3_killed_while_copying(lab: Lab, some: Some) -> None:
    _fill(lab)
    for number, name in enumerate(some(WHILE_COPYING, 2)):
        _die_at(lab, name)
        lab.write_all(happenings(number))
    _in_the_end_all_is_equal(lab)


@pytest.mark.long
def test_a1_a2_killed_while_deciding(lab: Lab, some: Some) -> None:
    _begin(lab)
    for number, name in enumerate(some(WHILE_DECIDING, 2)):
        lab.write_all(happenings(number))
        _die_at(lab, name)
        if name == "after-open-batch":
            for forgetting in FORGETTING_A_BATCH:
                _die_before_spark(lab, forgetting)
    _in_the_end_all_is_equal(lab)


def test_a1_a2_killed_between_all_substeps(lab: Lab) -> None:
    """The books go forward, and the staged batch stays as it is until its last sub-step is done."""
    _begin(lab)
    with lab.run() as run:
        lab.gather(run, *happenings(0))
        lab.gates.hold(BEGINNING_TO_APPLY)
        lab.gates.open("before-open-batch")
        lab.reach(run, BEGINNING_TO_APPLY)
    staged = lab.ledger_state()
    assert staged.open_state == "staged"
    for name in IN_ORDER:
        before = lab.ledger_state()
        _die_before_spark(lab, name)
        after = lab.ledger_state()
        assert (after.open_batch, after.open_state) == (staged.open_batch, "staged")
        assert all(before.steps[shard] <= after.steps[shard] for shard in SHARDS), "a step was forgotten"
    for name in FINISHING_A_BATCH:
        _die_before_spark(lab, name)
    _in_the_end_all_is_equal(lab)


def test_a18_shard_killed_between_two_substeps(lab: Lab) -> None:
    """The stream waits as a whole, and goes on when the shard is back: nobody has to start the run again."""
    _begin(lab)
    lab.gates.hold("before-delete")
    with lab.run() as run:
        lab.write_all(happenings(0))
        lab.reach(run, "before-delete")
        kill_server(lab.arena.placement[SHARDS[1]])
        try:
            lab.gates.open_all()
            lab.until(run, "the run says so", lambda: "retrying" in lab.job.end_of_log())
        finally:
            lab.arena.placement[SHARDS[1]].start()
        lab.drain(run)
    require_sound(lab.arena, lab.ledger_state())
    _in_the_end_all_is_equal(lab)


@pytest.mark.long
def test_a14_temporary_files_deleted(lab: Lab) -> None:
    """No place is kept on the driver's disk: the next run needs nothing of what a killed one left there."""
    _begin(lab)
    lab.gates.hold("after-upsert")
    with lab.run() as run:
        lab.write_all(happenings(0))
        lab.reach(run, "after-upsert")
    assert lab.delete_temporary_files() > 0
    lab.gates.open_all()
    require_sound(lab.arena, lab.ledger_state())
    lab.write_all(happenings(1))
    _in_the_end_all_is_equal(lab)


def happenings(number: int) -> list[Write]:
    """Work for every sub-step at every place: rows come, change, move, change keys, hand over names and go."""
    base, first = 2000 + 100 * number, 100 + 8 * (number % 4)
    done: list[Write] = []
    for place in range(4):
        done += [
            new_family(base + place, place),
            new_family(base + 10 + place, place),
            rekey(base + 10 + place, base + 20 + place),
        ]
        done += [remove(first + place), move(first + 4 + place, place, note=str(number))]
    # In one table of each shard a row leaves, and another one takes its name.
    one, two, three, four = range(140 + 4 * number, 144 + 4 * number)
    done += [[*rename((one, f"left{one}"), (two, f"n{one}")), *move(one, 3)]]
    done += [[*rename((three, f"left{three}"), (four, f"n{three}")), *move(three, 2)]]
    return done


def _fill(lab: Lab) -> None:
    lab.fill({id_: id_ % 4 for id_ in range(100, 132)} | {id_: id_ // 2 % 2 for id_ in range(140, 180)})


def _begin(lab: Lab) -> None:
    _fill(lab)
    lab.finish()


def _die_at(lab: Lab, name: str) -> None:
    """Run until somebody comes to `name`, and kill everything there."""
    lab.gates.open_all()
    lab.gates.forget()
    lab.gates.hold(name)
    with lab.run() as run:
        lab.reach(run, name)
    require_sound(lab.arena, lab.ledger_state())


def _die_before_spark(lab: Lab, name: str) -> None:
    """Start a run that kills itself at `name`, which it comes by at once."""
    process = lab.start(gated=False, until="snapshot", failpoints=f"{name}=kill")
    code = process.wait(timeout=PATIENCE)
    kill_tree(process)
    assert code == -signal.SIGKILL, f"{name} is not come by: run ended with {code}\n{lab.job.end_of_log()}"
    require_sound(lab.arena, lab.ledger_state())


def _in_the_end_all_is_equal(lab: Lab) -> None:
    lab.finish()
    ledger_state = lab.ledger_state()
    assert ledger_state.open_batch is None and ledger_state.position is not None
    assert ledger_state.position >= log_head(lab.arena.source)
    lab.require_equal()
