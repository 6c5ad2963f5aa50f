"""Both sides begin to take all writes, and one of them stops: a cutover, a rollback, and commands that are killed."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pymysql
import pytest

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cutover.both_write import AT_THE_SHARDS, AT_THE_SOURCE, BEGIN
from tests.both_sides.lab import BothLab
from tests.servers.testbed import Arena

pytestmark = [pytest.mark.server, pytest.mark.spark]

POINTS = {
    ("--both",): [point for step in BEGIN for point in step.failpoints],
    (): [point for step in AT_THE_SHARDS for point in step.failpoints],
    ("rollback",): [point for step in AT_THE_SOURCE for point in step.failpoints],
}


def _state(lab: BothLab) -> tuple[str, str]:
    found = json.loads(lab.cutover("status", "--format", "json"))
    return found["state"], found["writes_to"]


def _write_both(lab: BothLab, value: int) -> None:
    lab.write_source(f"UPDATE purse SET value = {value} WHERE owner_id = 1 AND id = 1")
    lab.write_shards("purse", (2, 2), f"UPDATE {{t}} SET value = {value} WHERE {{k}}")
    lab.until_equal()
    assert {lab.at_source("purse")[key] for key in ((1, 1), (2, 2))} == {(value,)}


@pytest.mark.in_turn
def test_both_sides_begin_and_one_of_them_stops(arena: Arena, tmp_path: Path) -> None:
    lab = BothLab(arena, tmp_path)
    lab.begin()
    lab.cutover("--buckets", "1", expect=Exit.REFUSED)
    with lab.both():
        assert _state(lab) == ("sharing", "source")
        _write_both(lab, 11)
        lab.cutover("--rehearse", expect=Exit.REFUSED)
        lab.verify()
        lab.cutover()
        assert _state(lab) == ("reversing", "shards")
        with pytest.raises(pymysql.err.MySQLError):
            _write_as_application(lab)
        lab.write_shards("purse", (3, 3), "UPDATE {t} SET value = 12 WHERE {k}")
        lab.until_equal()
        lab.verify()
        lab.cutover("rollback")
        assert _state(lab) == ("following", "source")
        lab.cutover("--both")
        _write_both(lab, 13)
        lab.verify()
        lab.cutover("rollback")
        assert _state(lab) == ("following", "source")
        lab.write_source("UPDATE purse SET value = 14 WHERE owner_id = 3 AND id = 3")
        lab.until_equal()


def _write_as_application(lab: BothLab) -> None:
    lab.write_source("UPDATE purse SET value = 15 WHERE owner_id = 3 AND id = 3")


def _expect_kill(lab: BothLab, *action: str, point: str) -> None:
    process = lab.start("cutover", *action, failpoints=f"{point}=kill")
    assert process.wait(timeout=120) == -signal.SIGKILL, f"{point}\n{lab.job.end_of_log()}"


@pytest.mark.in_turn
def test_the_source_has_to_leave_numbers_for_the_shards(arena: Arena, tmp_path: Path) -> None:
    lab = BothLab(arena, tmp_path)
    schema = lab.job.project / "schema" / "pair.sql"
    tables = schema.read_text("utf-8").partition("CREATE TABLE seat")
    counted = tables[0].replace("  id INT UNSIGNED NOT NULL", "  id INT UNSIGNED NOT NULL AUTO_INCREMENT")
    counted = counted.replace("(owner_id, id)", "(owner_id, id),\n  KEY by_id (id)")
    schema.write_text("".join((counted, *tables[1:])), "utf-8")
    counts = "ALTER TABLE purse MODIFY id INT UNSIGNED NOT NULL AUTO_INCREMENT, ADD KEY by_id (id)"
    lab.begin(only_source=["DELETE FROM purse WHERE id = 0", counts])
    with lab.job.run() as run:
        lab.settle_forward()
        lab.cutover("--both", expect=Exit.REFUSED)
        assert "SW8939" in lab.job.log.read_text("utf-8")
        with _numbers_left(lab):
            lab.cutover("--both")
            with lab.freeze(run):
                lab.write_source("INSERT INTO purse (owner_id, value) VALUES (1, 1)")
                [(number,)] = lab.arena.source.query("SELECT MAX(id) FROM purse", database="pair")
                lab.write_shards("purse", (1, number), f"INSERT INTO {{t}} VALUES (1, {number}, 2)")
            [found] = lab.until_decided(1)
    assert (found["kind"], found["decision"]) == ("insert_insert", "hold"), "two things, whatever the policy is"


@contextmanager
def _numbers_left(lab: BothLab) -> Iterator[None]:
    lab.arena.source.query("SET GLOBAL auto_increment_increment = 2")
    try:
        yield
    finally:
        lab.arena.source.query("SET GLOBAL auto_increment_increment = 1")


@pytest.mark.long
def test_commands_are_killed_at_every_point(arena: Arena, tmp_path: Path) -> None:
    """Each is repeated; every second start of both is taken back first. The shards are not closed, so that none is
    opened."""
    lab = BothLab(arena, tmp_path)
    lab.begin()
    value = 100
    with lab.job.run():
        lab.settle_forward()
        for number, point in enumerate(POINTS["--both",]):
            _expect_kill(lab, "--both", point=point)
            if number % 2:
                lab.cutover("abort")
            lab.cutover("--both")
            value += 1
            _write_both(lab, value)
            lab.verify()
            lab.cutover("rollback")
            lab.verify()
        for action in ((), ("rollback",)):
            for point in [point for point in POINTS[action] if point != "after-new-side-opened"]:
                lab.cutover("--both")
                value += 1
                _write_both(lab, value)
                lab.verify()
                _expect_kill(lab, *action, point=point)
                if point != "after-follow-source":  # all was done
                    lab.cutover(*action)
                assert _state(lab)[1] == ("source" if action else "shards"), point
                lab.verify()
                if not action:
                    lab.cutover("rollback")
                    lab.verify()
        lab.write_source("UPDATE purse SET value = 1 WHERE owner_id = 3 AND id = 3")
        lab.until_equal()
