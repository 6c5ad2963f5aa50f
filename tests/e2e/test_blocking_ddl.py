"""`ddl apply` keeps writers out of a table, for longer than any statement of a run waits for a lock: the stream waits as
a whole, and then has everything.
"""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import pytest

from tests.e2e.depot_job import Depot
from tests.servers.testbed import Arena
from tests.support.commands import wait_for
from tests.support.job import kill_tree

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

SAID = "the stream waits: DDL by "
BLOCKED_SECONDS = 40.0
"""More than a run waits for an answer, and then tries again without progress."""


@pytest.mark.long
def test_e18_g1_the_stream_waits_as_long_as_ddl_keeps_writers_out_of_a_table(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    depot = Depot(arena, tmp_path, dice)
    with depot.job.run() as run:
        wait_for(depot.job, run, "all is copied", lambda reported: bool(reported["caught_up"]))
        with depot.write_to():
            with depot.read_by_somebody("depot_1", "parcel_1") as reader, depot.ddl_under_way() as ddl:
                depot.wait_until("the stream waits", lambda: depot.waits_for("depot_1.parcel_1"))
                began = time.monotonic()
                parcel, note = depot.new("parcel"), depot.new("note")
                _cannot_be_compared(depot)
                time.sleep(max(0.0, began + BLOCKED_SECONDS - time.monotonic()))
                assert ddl.poll() is None and run.poll() is None, depot.job.end_of_log()
                assert depot.waits_for("depot_1.parcel_1")
                reader.rollback()
                assert ddl.wait(timeout=90) == 0
            depot.wait_until("the parcel is there", lambda: depot.is_there("parcel", parcel))
            depot.wait_until("the note is there", lambda: depot.is_there("note", note))
            assert not depot.waits_for("depot_1.parcel_1")
            assert depot.verify()[0] == 0
        wait_for(depot.job, run, "the stream has drained", lambda reported: bool(reported["caught_up"]))
        assert depot.is_equal()
    log = depot.job.log.read_text(encoding="utf-8")
    assert SAID in log and "retrying in " in log, log


@pytest.mark.long
def test_e18_g1_rows_are_inserted_while_ddl_keeps_writers_out(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    """New rows go straight into their tables, so it is a Spark task that waits."""
    depot = Depot(arena, tmp_path, dice)
    with depot.job.run() as run:
        wait_for(depot.job, run, "all is copied", lambda reported: bool(reported["caught_up"]))
        first = depot.new("parcel")
        depot.wait_until("a parcel is there", lambda: depot.is_there("parcel", first))
        with depot.read_by_somebody("depot_1", "parcel_1") as reader, depot.ddl_under_way() as ddl:
            depot.wait_until("the stream waits", lambda: depot.waits_for("depot_1.parcel_1"))
            parcel = depot.new("parcel")
            time.sleep(BLOCKED_SECONDS)
            assert ddl.poll() is None and run.poll() is None, depot.job.end_of_log()
            reader.rollback()
            assert ddl.wait(timeout=90) == 0
        depot.wait_until("the parcel is there", lambda: depot.is_there("parcel", parcel))
        wait_for(depot.job, run, "the stream has drained", lambda reported: bool(reported["caught_up"]))
        assert depot.is_equal()


@pytest.mark.long
def test_e18_g1_rows_are_copied_while_ddl_keeps_writers_out(
    arena: Arena, tmp_path: Path, dice: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run began before, and was killed before it had copied anything."""
    depot = Depot(arena, tmp_path, dice)
    with monkeypatch.context() as patch:
        patch.setenv("SHARDWRIGHT_FAILPOINTS", "before-chunk-planned=kill")
        killed = depot.job.start_run()
    assert killed.wait(timeout=120) == -signal.SIGKILL, depot.job.end_of_log()
    kill_tree(killed)
    with depot.read_by_somebody("depot_1", "parcel_1") as reader, depot.ddl_under_way() as ddl:
        depot.wait_until("writers wait", lambda: depot.waits_for("depot_1.parcel_1"))
        with depot.job.run() as run, depot.write_to():
            depot.wait_until("the run says so", lambda: SAID in depot.job.log.read_text(encoding="utf-8"), seconds=180)
            time.sleep(BLOCKED_SECONDS)
            assert ddl.poll() is None and run.poll() is None, depot.job.end_of_log()
            reader.rollback()
            assert ddl.wait(timeout=90) == 0
            wait_for(depot.job, run, "all is copied", lambda reported: bool(reported["snapshot_complete"]))
    depot.job.run_until_caught_up()
    assert depot.is_equal()


def _cannot_be_compared(depot: Depot) -> None:
    """Nobody reads the table before DDL ends; the other one can be read, and the stream has not brought its changes."""
    code, reported = depot.verify("--timeout", "2")
    problems = {table["table"]: str(table["problem"]) for table in reported["tables"]}
    assert code == 8, reported
    assert "SW8501" in problems["parcel"] and "compare again when it has ended" in problems["parcel"], problems
    assert "SW8507" in problems["note"] and "The stream waits: DDL by " in problems["note"], problems
