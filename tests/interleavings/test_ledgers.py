"""Ledgers that were lost, exchanged or taken back between two runs: each is noticed before anything is written
(A13)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.servers.testbed import Arena, Server
from tests.support.commands import shardwright
from tests.support.job import ENVIRONMENT
from tests.support.lab import Lab, contents

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

FIRST, SECOND = 0, 1


@pytest.fixture(scope="module")
def copied(source_server: Server, target_servers: tuple[Server, ...], tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """A lab that has copied its snapshot and applied some batches with work for both shards, and does not run."""
    folder = tmp_path_factory.mktemp("ledgers")
    for server in (source_server, *target_servers):
        server.make_empty()
    lab = Lab(Arena(source_server, target_servers, folder), folder, flat=True)
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    with lab.run(gated=False) as run:
        lab.until(run, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        for number in range(2):
            lab.fill({10 + number: 0, 20 + number: 1})
            lab.drain(run)
    lab.finish()
    return lab


@contextmanager
def change_ledger(lab: Lab, shard: int, table: str, *statements: str) -> Iterator[None]:
    """Within, a ledger table of a shard is as the statements make it."""
    lab.at(shard, f"CREATE TABLE kept AS SELECT * FROM `{table}`")
    try:
        for statement in statements:
            lab.at(shard, statement)
        yield
    finally:
        lab.at(shard, f"DELETE FROM `{table}`")
        lab.at(shard, f"INSERT INTO `{table}` SELECT * FROM kept")
        lab.at(shard, "DROP TABLE kept")


def expect_refusal(lab: Lab, code: str) -> str:
    """A run stops with `code` and has written no row of a table of ours."""
    before = _rows(lab)
    outcome = shardwright(lab.job.project, "run", "--env", ENVIRONMENT, "--until", "caught-up")
    assert outcome.code == 6, outcome
    assert code in outcome.err, outcome
    assert _rows(lab) == before
    return outcome.err


def _rows(lab: Lab) -> dict[str, object]:
    return {name: rows for name, rows in contents(lab).items() if not name[2:].startswith("_shardwright_")}


def test_a13_a_lost_ledger_is_named(copied: Lab) -> None:
    with change_ledger(copied, SECOND, "_shardwright_shard", "DELETE FROM _shardwright_shard"):
        assert "lab_1 has lost its ledger" in expect_refusal(copied, "SW8207")


def test_a13_exchanged_ledgers_are_named(copied: Lab) -> None:
    [(first,)], [(second,)] = (copied.at(shard, "SELECT ledger FROM _shardwright_ledger") for shard in (FIRST, SECOND))
    assert first != second
    take = "UPDATE _shardwright_ledger SET ledger = '{}'"
    with (
        change_ledger(copied, FIRST, "_shardwright_ledger", take.format(second)),
        change_ledger(copied, SECOND, "_shardwright_ledger", take.format(first)),
    ):
        reported = expect_refusal(copied, "SW8208")
    assert "lab_0 has another ledger" in reported
    assert "lab_1 has another ledger" in reported
    copied.finish()  # with the right servers again


def test_a13_a_shard_restored_to_an_older_batch_is_named_with_what_it_lacks(copied: Lab) -> None:
    [(batch,)] = copied.at(SECOND, "SELECT batch FROM _shardwright_shard")
    assert batch >= 2
    older = "UPDATE _shardwright_shard SET batch = batch - 1"
    with change_ledger(copied, SECOND, "_shardwright_shard", older):
        assert f"lab_1 was restored from a backup: its ledger lacks batches {batch} to {batch}" in expect_refusal(
            copied, "SW8209"
        )


def test_a13_a_shard_that_lacks_a_chunk_is_named(copied: Lab) -> None:
    with change_ledger(copied, SECOND, "_shardwright_chunk_done", "DELETE FROM _shardwright_chunk_done LIMIT 1"):
        assert "lab_1 was restored from a backup: its ledger lacks 1 of the " in expect_refusal(copied, "SW8209")


def test_a13_a_first_shard_restored_is_named(copied: Lab) -> None:
    older = "UPDATE _shardwright_member SET batch = batch - 1 WHERE shard = 'lab_1'"
    with change_ledger(copied, FIRST, "_shardwright_member", older):
        assert "the first shard was restored from a backup" in expect_refusal(copied, "SW8209")


def test_a13_a_lost_ledger_of_the_first_shard_is_no_new_beginning(copied: Lab) -> None:
    with change_ledger(copied, FIRST, "_shardwright_migration", "DELETE FROM _shardwright_migration"):
        assert "the first shard's ledger does not know it" in expect_refusal(copied, "SW8210")


def test_s8_rows_of_a_lost_home_are_never_to_be_emptied(copied: Lab) -> None:
    """All that is ours on the first shard is gone, and the rows are there."""
    names = [str(name) for (name,) in copied.at(FIRST, "SHOW TABLES") if str(name).startswith("_s")]
    for name in names:
        copied.at(FIRST, f"ALTER TABLE `{name}` RENAME `kept{name}`")
    try:
        for verb in (("preflight",), ("run", "--until", "caught-up")):
            reported = _expect_refusal_of(copied, *verb)
            assert "SW8210: lab_1 holds what migration" in reported, reported
            assert "SW8130" not in reported and "empty it" not in reported, reported
        copied.at(
            SECOND, f"INSERT INTO _shardwright_switch VALUES ('{copied.job.spec.migration}', 'shards', 1, NOW(6))"
        )
        reported = _expect_refusal_of(copied, "preflight")
        assert "whose rows are the only copy" in reported and "start the migration over" not in reported, reported
    finally:
        copied.at(SECOND, "DELETE FROM _shardwright_switch")
        for name in names:
            copied.at(FIRST, f"DROP TABLE IF EXISTS `{name}`")
            copied.at(FIRST, f"ALTER TABLE `kept{name}` RENAME `{name}`")


def test_s9_s14_preflight_status_and_verify_see_a_restored_shard(copied: Lab) -> None:
    older = "UPDATE _shardwright_shard SET batch = batch - 1"
    with change_ledger(copied, SECOND, "_shardwright_shard", older):
        assert "SW8209" in _expect_refusal_of(copied, "preflight")
        status = shardwright(copied.job.project, "status", "--env", ENVIRONMENT).require(0)
        assert "it was restored from a backup (SW8209)" in status.out, status
        copied.write("UPDATE parent SET note = 'newer'")  # nothing would bring it
        began = time.monotonic()
        assert "SW8209" in _expect_refusal_of(copied, "verify")
        assert time.monotonic() - began < 30
    copied.finish()


@pytest.mark.parametrize(
    "table", ["_shardwright_ledger", "_shardwright_shard", "_shardwright_chunk_done", "_shardwright_connection"]
)
def test_s12_a_ledger_that_is_partly_lost_is_named(copied: Lab, table: str) -> None:
    copied.at(SECOND, f"RENAME TABLE `{table}` TO `kept{table}`")
    try:
        reported = _expect_refusal_of(copied, "run", "--until", "caught-up")
        assert "SW8207" in reported or "SW8209" in reported, reported
        assert "lab_1" in reported and "SW8151" not in reported, reported
    finally:
        copied.at(SECOND, f"DROP TABLE IF EXISTS `{table}`")
        copied.at(SECOND, f"RENAME TABLE `kept{table}` TO `{table}`")


def _expect_refusal_of(lab: Lab, *verb: str) -> str:
    outcome = shardwright(lab.job.project, *verb, "--env", ENVIRONMENT)
    assert outcome.code == 6, outcome
    return outcome.out + outcome.err


def test_j7_a_ledger_of_another_format_is_refused(copied: Lab) -> None:
    with change_ledger(copied, SECOND, "_shardwright_ledger", "UPDATE _shardwright_ledger SET format = 2"):
        assert "the ledger in lab_1 has format 2, and this version writes format 1" in expect_refusal(copied, "SW8211")


def test_a13_whole_ledgers_continue(copied: Lab) -> None:
    """After all of the above the same migration resumes and ends equal."""
    copied.fill({30: 0, 31: 1})
    copied.finish()
    copied.require_equal()


def test_a1_a_first_run_that_was_killed_between_two_tables_of_its_ledger_is_started_again(
    arena: Arena, tmp_path: Path
) -> None:
    lab = Lab(arena, tmp_path, flat=True)
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    lab.finish()
    for place, database in enumerate(lab.shards):
        for (table,) in lab.at(place, f"SHOW TABLES FROM {database}"):
            if (place, table) != (FIRST, "_shardwright_ledger"):
                lab.at(place, f"DROP TABLE `{table}`")
    lab.at(FIRST, "DELETE FROM _shardwright_ledger")  # its row comes last
    lab.finish()
    lab.require_equal()
