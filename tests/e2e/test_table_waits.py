"""A table that DDL keeps writers out of holds its own changes back, not those of the others; afterwards it takes
them, nothing lost and nothing twice, whatever is killed meanwhile.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
from pathlib import Path

import pytest

from tests.binlog.replicas import replica_of
from tests.e2e.depot_job import Depot
from tests.e2e.driver import wait_for
from tests.servers.fixtures import FAST
from tests.servers.testbed import Arena
from tests.workload.job import kill_tree

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

BEGINNING = ("before-table-waits", "after-table-waits")
LET_IN = ("before-table-let-in", "after-table-let-in")
DIED_AT = frozenset(BEGINNING + LET_IN)


def test_e18_g1_other_tables_go_on_while_ddl_keeps_writers_out_of_one(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    depot = Depot(arena, tmp_path, dice)
    with depot.job.running() as run:
        wait_for(depot.job, run, "all is copied", lambda told: bool(told["caught_up"]))
        with depot.written_to():
            with depot.read_by_somebody("depot_1", "parcel_1") as reader, depot.ddl_under_way() as ddl:
                depot.wait_until("parcels wait", depot.waits)
                parcel, note = depot.new("parcel"), depot.new("note")
                depot.wait_until("a new note is there", lambda: depot.is_there("note", note))
                assert not depot.is_there("parcel", parcel) and ddl.poll() is None
                code, told = depot.verified("--table", "parcel")
                assert code == 8 and "SW8538" in str(told["tables"]), told
                assert depot.verified("--table", "note")[0] == 0
                reader.rollback()
                assert ddl.wait(timeout=90) == 0
                # What waited is waited for: DDL is over, and the run is about to take it.
                assert depot.verified("--table", "parcel")[0] == 0
            assert depot.is_there("parcel", parcel)
            assert not depot.waits()
            assert depot.verified()[0] == 0
        wait_for(depot.job, run, "the stream has drained", lambda told: bool(told["caught_up"]))
        assert depot.is_equal()
    assert "read again, as one batch" in depot.job.log.read_text(encoding="utf-8")


@pytest.mark.long
def test_e18_ddl_apply_is_killed_while_a_table_waits(arena: Arena, tmp_path: Path, dice: random.Random) -> None:
    """The lock that it held says that nobody needs the table to wait any more."""
    depot = Depot(arena, tmp_path, dice)
    with depot.job.running() as run, depot.written_to():
        wait_for(depot.job, run, "all is copied", lambda told: bool(told["snapshot_complete"]))
        with depot.read_by_somebody("depot_0", "parcel_1") as reader, depot.ddl_under_way() as ddl:
            depot.wait_until("parcels wait", depot.waits)
            parcel = depot.new("parcel")
            run.send_signal(signal.SIGSTOP)
            ddl.kill()
            ddl.wait(timeout=60)
            code, told = depot.verified("--table", "parcel", "--timeout", "2")
            assert code == 8 and "in 2 s no run has applied them" in str(told["tables"]), told
            run.send_signal(signal.SIGCONT)
            depot.wait_until("no table waits", lambda: not depot.waits())
            reader.rollback()
        depot.wait_until("the parcel is there", lambda: depot.is_there("parcel", parcel))
    _equal_in_the_end(depot)


@pytest.mark.long
def test_e14_a_table_of_the_source_changes_while_another_one_waits(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    """What waits is taken first: a range that is read again must not have a change of tables in its midst."""
    depot = Depot(arena, tmp_path, dice)
    with depot.job.running() as run:
        wait_for(depot.job, run, "all is copied", lambda told: bool(told["caught_up"]))
        with depot.read_by_somebody("depot_0", "parcel_0") as reader, depot.ddl_under_way() as ddl:
            depot.wait_until("parcels wait", depot.waits)
            with depot.written_to():
                note = depot.new("note")
                depot.wait_until("a new note is there", lambda: depot.is_there("note", note))
            arena.source.query("ALTER TABLE note ADD INDEX by_owner (owner)", database="depot")
            note = depot.new("note")
            depot.wait_until("no table waits", lambda: not depot.waits())
            reader.rollback()
            assert ddl.wait(timeout=90) == 0
        depot.wait_until("the note behind it is there", lambda: depot.is_there("note", note))
        with arena.shard("depot_1") as shard, shard.cursor() as cursor:
            cursor.execute("SHOW CREATE TABLE note_0")
            assert "by_owner" in str(cursor.fetchone())
    _equal_in_the_end(depot)


@pytest.mark.long
def test_e5_the_source_goes_over_to_another_server_while_a_table_waits(
    arena: Arena, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, dice: random.Random
) -> None:
    """Where the table began to wait is found in the new server's log, too."""
    logged = {"log-slave-updates": "ON", "slave-net-timeout": "5", **FAST}
    with replica_of(arena.source, tmp_path_factory.mktemp("replica"), 208, logged) as replica:
        depot = Depot(arena, tmp_path, dice)
        with depot.job.running() as run:
            wait_for(depot.job, run, "all is copied", lambda told: bool(told["caught_up"]))
            with depot.read_by_somebody("depot_0", "parcel_0") as reader, depot.ddl_under_way() as ddl:
                depot.wait_until("parcels wait", depot.waits)
                with depot.written_to():
                    note = depot.new("note")
                    depot.wait_until("a new note is there", lambda: depot.is_there("note", note))
                parcel = depot.new("parcel")
                depot.wait_until("the replica has it", lambda: (parcel,) in replica.run("SELECT id FROM depot.parcel"))
                assert arena.source.sandbox.pid is not None
                os.kill(arena.source.sandbox.pid, signal.SIGKILL)
                replica.stop_copying()
                replica.stop()
                replica.start(port=arena.source.port)
                depot.source = replica.server
                with depot.written_to():
                    note = depot.new("note")
                    depot.wait_until("the next note is there", lambda: depot.is_there("note", note))
                assert depot.waits() and not depot.is_there("parcel", parcel) and ddl.poll() is None
                reader.rollback()
                assert ddl.wait(timeout=90) == 0
                # What waited is waited for: DDL is over, and the run is about to take it.
                assert depot.verified("--table", "parcel")[0] == 0
            assert depot.is_there("parcel", parcel)
        _equal_in_the_end(depot)


@pytest.mark.long
@pytest.mark.parametrize("place", BEGINNING)
def test_a1_a_run_is_killed_as_a_table_begins_to_wait(
    arena: Arena, tmp_path: Path, dice: random.Random, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    depot = Depot(arena, tmp_path, dice)
    with depot.job.running() as run:
        wait_for(depot.job, run, "all is copied", lambda told: bool(told["caught_up"]))
    with depot.written_to(), depot.read_by_somebody("depot_0", "parcel_0"), depot.ddl_under_way() as ddl:
        _killed_at(depot, place, monkeypatch)
        with depot.job.running() as run:
            wait_for(depot.job, run, "parcels wait", lambda told: bool(told["waiting"]))
            note = depot.new("note")
            depot.wait_until("a new note is there", lambda: depot.is_there("note", note))
            assert ddl.poll() is None
    _equal_in_the_end(depot)


@pytest.mark.long
@pytest.mark.parametrize("place", [*LET_IN, "before-mark-staged", "before-close-batch"])
def test_a1_a_run_is_killed_as_a_table_takes_its_changes(
    arena: Arena, tmp_path: Path, dice: random.Random, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    depot = Depot(arena, tmp_path, dice)
    with depot.written_to():
        run = depot.job.start_run()
        try:
            wait_for(depot.job, run, "all is copied", lambda told: bool(told["snapshot_complete"]))
            with depot.read_by_somebody("depot_0", "parcel_0") as reader, depot.ddl_under_way() as ddl:
                depot.wait_until("parcels wait", depot.waits)
                note = depot.new("note")
                depot.wait_until("a new note is there", lambda: depot.is_there("note", note))
                run.send_signal(signal.SIGSTOP)  # it does not see that DDL has ended
                reader.rollback()
                assert ddl.wait(timeout=90) == 0
        finally:
            kill_tree(run)
        assert depot.waits()
        _killed_at(depot, place, monkeypatch)
    _equal_in_the_end(depot)


def _killed_at(depot: Depot, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("SHARDWRIGHT_FAILPOINTS", f"{place}=kill")
        process = depot.job.start_run()
    try:
        process.wait(timeout=120)
    except subprocess.TimeoutExpired:
        pytest.fail(f"{place} was not reached:\n{depot.job.end_of_log()}")
    finally:
        kill_tree(process)
    assert process.returncode == -signal.SIGKILL, depot.job.end_of_log()


def _equal_in_the_end(depot: Depot) -> None:
    depot.calls("ddl", "apply", "--env", "test", "--allow", "SW8421,SW8422").require(0)
    depot.job.run_until_caught_up()
    assert depot.is_equal(), depot.job.end_of_log()
    assert depot.verified()[0] == 0
    assert not depot.waits()
