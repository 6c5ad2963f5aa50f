"""What is done twice, out of time, or without its scratch files comes out the same (A4, A9, A11,
A12, A14, A18, G1)."""

from __future__ import annotations

import os
import time

import pytest

from tests.faults.conftest import Wired
from tests.faults.locks import count, shard_of_lock, somebody_at_work
from tests.faults.work import work
from tests.interleavings.scenarios import rename
from tests.servers.proxy import Fault
from tests.support.lab import move, new_family, rekey, remove

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]


def test_a4_tasks_fail_after_their_commit_and_are_run_again(wired: Wired) -> None:
    """One that wrote a chunk, while the lab was set up, and one that staged a batch."""
    assert not (wired.wires / "after-chunk-commit").exists()
    wire = wired.wires / "after-stage"
    wire.touch()
    work(wired)
    wired.lab.until(wired.run, "a task has failed", lambda: not wire.exists())
    wired.lab.drain(wired.run)
    assert "retrying" not in wired.news(), "Spark repeats the task, not we the batch"


def test_a9_a10_a_range_is_applied_two_and_three_times(wired: Wired) -> None:
    """Also after later batches. What the range left behind stands there when it comes again: deletes, moves, swapped
    names."""
    lab, database = wired.lab, wired.lab.shards[0]
    first = work(wired)
    lab.drain(wired.run)
    ((position,),) = lab.arena.placement[database].query(
        "SELECT position FROM _shardwright_migration", database=database
    )
    one, two, three, four = range(first, first + 4)
    for _ in range(2):
        lab.write(*rename((one, f"n{two}"), (two, f"n{one}")))
        lab.write(*move(one, 2), *rekey(two, two + 10))
        lab.write(*remove(three))
        lab.write(*new_family(three, 1), *move(four, 0))
        lab.write(*remove(three), *rename((one, f"n{one}"), (two + 10, f"n{two}")))
        lab.write(*rekey(two + 10, two), *new_family(three, 3, note="again"))
        lab.drain(wired.run)
        _rewind(wired, position)
        lab.drain(wired.run)
        lab.require_equal()
    lab.write(*remove(three))
    lab.drain(wired.run)
    _rewind(wired, position)
    lab.drain(wired.run)
    assert lab.places(three) == []


def test_a11_a_thousand_changes_of_one_row_in_a_second(wired: Wired) -> None:
    first = work(wired)
    for number in range(20):
        changes = [f"UPDATE parent SET note = '{number}-{k}' WHERE id = {first}" for k in range(50)]
        wired.lab.write(*changes)
    wired.lab.drain(wired.run)
    wired.lab.require_equal()


def test_a12_the_sources_clock_goes_back(wired: Wired) -> None:
    """Two hours, and forward again: the log's order counts."""
    first = work(wired)
    for number, clock in enumerate(("DEFAULT", "UNIX_TIMESTAMP() - 7200", "UNIX_TIMESTAMP() - 3600", "DEFAULT")):
        place = (number + 2) % 4
        wired.lab.write(f"SET timestamp = {clock}", *move(first, place, note=f"{number}"))
        wired.lab.write(f"SET timestamp = {clock}", *remove(first + 1), *new_family(first + 1, place, note=f"{number}"))
    wired.lab.drain(wired.run)
    wired.lab.require_equal()


def test_a14_the_runs_own_files_are_emptied(wired: Wired) -> None:
    """There is no checkpoint: what a run leaves in its temporary folder tells nothing that it needs. (Libraries that
    Java runs are no such files.)"""
    work(wired)
    wired.lab.drain(wired.run)
    files = [file for file in wired.lab.scratch.glob("shardwright-*/**/*") if file.is_file() and file.suffix != ".so"]
    for file in files:
        os.truncate(file, 0)
    work(wired)
    wired.lab.drain(wired.run)
    assert files and not any("offset" in str(file) or "checkpoint" in str(file) for file in files)


@pytest.mark.long
def test_a18_one_shard_is_down_while_a_backlog_grows(wired: Wired) -> None:
    """The stream waits; then batches of the usual size drain the backlog in order: no parent is seen before its
    details."""
    lab = wired.lab
    server = lab.arena.placement[lab.shards[1]]
    work(wired)
    lab.drain(wired.run)
    server.stop()
    try:
        for start in range(50_000, 50_300, 20):
            lab.write(*(line for id_ in range(start, start + 20) for line in new_family(id_, id_ % 4, lines=3)))
        wired.wait_for_report("retrying")
        time.sleep(3)
        before = lab.arena.placement[lab.shards[0]].query(
            "SELECT batch, position FROM _shardwright_migration", database=lab.shards[0]
        )
        for start in range(50_000, 50_300, 20):
            lab.write(*(line for id_ in range(start, start + 20) for line in move(id_, (id_ + 1) % 4)))
        assert before == lab.arena.placement[lab.shards[0]].query(
            "SELECT batch, position FROM _shardwright_migration", database=lab.shards[0]
        )
    finally:
        server.start()
    with lab.observe():
        lab.drain(wired.run)
    assert lab.ledger_state().batch >= before[0][0] + 2, "the backlog was to take several batches"


def test_g1_a_lock_wait_ends_and_the_transaction_is_tried_again(wired: Wired) -> None:
    """The server rolls back only the statement that waited: what came before it must go, too."""
    first = work(wired)
    wired.lab.drain(wired.run)
    server, timeouts = shard_of_lock(wired), count(shard_of_lock(wired), "lock_timeouts")
    with somebody_at_work(wired) as somebody, somebody.cursor() as cursor:
        cursor.execute(f"SELECT * FROM parent_1 WHERE id = {first + 1} FOR UPDATE")  # work has put it at place 2
        for id_ in (first + 1, first + 3):  # place 0 before place 2, in one transaction of the shard
            wired.lab.write(f"UPDATE parent SET note = 'late' WHERE id = {id_}")
        seen: set[str] = set()

        def tried_again() -> bool:
            seen.update(server.waiting_transactions())
            return len(seen) > 1

        wired.lab.until(wired.run, "a second transaction waits for the lock", tried_again)
        assert count(server, "lock_timeouts") > timeouts
        somebody.rollback()
    wired.lab.drain(wired.run)
    assert "retrying" not in wired.news(), "the transaction is tried again, not the batch"


def test_g1_of_two_that_wait_for_each_other_the_stream_yields_and_tries_again(wired: Wired) -> None:
    first = work(wired)
    wired.lab.drain(wired.run)
    server, deadlocks = shard_of_lock(wired), count(shard_of_lock(wired), "lock_deadlocks")
    with somebody_at_work(wired) as somebody, somebody.cursor() as cursor:
        # The server ends the transaction that has done less.
        cursor.execute("UPDATE burden SET n = n + 1")
        cursor.execute(f"SELECT * FROM parent_1 WHERE id = {first + 1} FOR UPDATE")
        lines = [f"UPDATE parent SET note = 'both' WHERE id = {id_}" for id_ in (first + 1, first + 3)]
        wired.lab.write(*lines, *move(first, 3))
        wired.lab.until(wired.run, "the stream waits for the lock", lambda: bool(server.waiting_transactions()))
        cursor.execute(f"SELECT * FROM parent_0 WHERE id = {first + 3} FOR UPDATE")
        somebody.rollback()
    assert count(server, "lock_deadlocks") == deadlocks + 1
    wired.lab.drain(wired.run)
    assert "retrying" not in wired.news(), "the transaction is tried again, not the batch"


def _rewind(wired: Wired, position: str) -> None:
    """The ledger's position goes back, as one of a backup; then the run starts over from it."""
    database = wired.lab.shards[0]
    wired.heard = wired.lab.job.log.stat().st_size
    wired.lab.arena.placement[database].query(
        "UPDATE _shardwright_migration SET position = %s", (position,), database=database
    )
    with wired.network.source.fail(Fault.REFUSE):  # a cut alone costs a run at rest nothing: it connects again
        wired.network.source.cut()
        wired.wait_for_report("retrying")
    wired.wait_for_report("resuming")
