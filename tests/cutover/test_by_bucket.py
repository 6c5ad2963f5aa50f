"""Writes go to the shards bucket by bucket, and back, while the application writes on both sides."""

from __future__ import annotations

import json
import os
import random
import re
import secrets
import shutil
import statistics
import subprocess
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pymysql
import pytest
from pymysql.connections import Connection

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cutover.by_bucket.move import BucketMove, Move
from shardwright.runtime.cutover.by_bucket.share import AT_THE_SHARDS, AT_THE_SOURCE, SHARING
from shardwright.runtime.cutover.cutover import Cutover
from shardwright.runtime.ledger.orders import read_order
from shardwright.runtime.mysql.servers import connect, ledger_database_of
from shardwright.runtime.rehearsal.sandbox.accounts import APPLICATION_USER
from shardwright.runtime.stream.stage.foreign_rows import NOT_OWNED
from tests.cutover.application import Application, Layers
from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.lab import PROJECT
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.server, pytest.mark.spark]

SEED = int(os.environ.get("SHARDWRIGHT_SEED") or secrets.randbits(32))
MOVES = int(os.environ.get("SHARDWRIGHT_MOVES") or 100)
_OWNERS = "SELECT bucket, writer, generation FROM `_shardwright_bucket` WHERE migration = 'lab'"


@dataclass
class BucketLayers(Layers):
    """Each place of the lab is a bucket. A row that says `none`, or an older generation, changes nothing."""

    owners: dict[int, tuple[str, int]] = field(default_factory=dict)

    def side_of(self, place: int) -> str:
        return self.owners.get(place, (self.writes_to, -1))[0]

    def ask(self, *, every: float = 0.0) -> None:
        super().ask(every=every)
        for database in (ledger_database_of("lab"), *self.application.databases):
            try:
                rows = self._query(database, _OWNERS)
            except pymysql.err.MySQLError:
                self._close(database)
                continue
            for bucket, writer, generation in rows:
                if writer != "none" and int(generation) > self.owners.get(int(bucket), ("", -1))[1]:
                    self.owners[int(bucket)] = (str(writer), int(generation))


def add_buckets(project: Path) -> Path:
    """One for each place."""
    rewrite(project, "table: (place div 2) % 2", "table: (place div 2) % 2\n    buckets: place % 4")
    return project


def rewrite(project: Path, before: str, after: str) -> None:
    spec = project / "specs" / "lab.yaml"
    spec.write_text(spec.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")


def make_lab(arena: Arena, folder: Path, *, buckets: bool = True, begun: bool = True) -> CutoverLab:
    own = shutil.copytree(PROJECT, folder / "by-bucket")
    lab = CutoverLab(arena, folder, example=add_buckets(own) if buckets else own)
    lab.application = Application(arena, lab.shards, layers=BucketLayers)
    if begun:
        lab.begin()
    return lab


def owners(lab: CutoverLab, side: str) -> dict[int, str]:
    """As the first ledger of the side has it."""
    server, database = (
        (lab.arena.source, ledger_database_of("lab"))
        if side == "source"
        else (lab.arena.placement[lab.shards[0]], lab.shards[0])
    )
    return {int(bucket): str(writer) for bucket, writer, _ in server.query(_OWNERS, database=database)}


MOVE = BucketMove(cast(Cutover, None), Move("shards", (0,), 1))
STEPS = (*MOVE.up_to_the_commit(), *MOVE.completion(), *SHARING, *AT_THE_SOURCE, *AT_THE_SHARDS)
OF_MOVES = tuple(point for step in (*MOVE.up_to_the_commit(), *MOVE.completion()) for point in step.failpoints)
OF_SHARING = tuple(point for step in SHARING for point in step.failpoints)
AT_THE_END = tuple(point for step in (*AT_THE_SOURCE, *AT_THE_SHARDS) for point in step.failpoints)
DIED_AT = {*OF_MOVES, *OF_SHARING, *AT_THE_END}


@pytest.mark.long
def test_h8_killed_at_every_point_of_a_move(arena: Arena, tmp_path: Path) -> None:
    """Every second time the move is taken back instead of repeated. Bucket 3 stays at the shards meanwhile."""
    lab = make_lab(arena, tmp_path)
    with lab.live() as run:
        lab.cutover("--buckets", "3")
        for number, point in enumerate(OF_MOVES):
            for action in ((), ("rollback",)):
                lab.expect_kill(*action, "--buckets", "1-2", failpoints=f"{point}=kill")
                if number % 2 and "commit" not in point and number < OF_MOVES.index("after-move-commit"):
                    lab.cutover("abort")
                    assert owners(lab, "source") == owners(lab, "shards")
                    lab.writes_on(run)
                lab.cutover(*action, "--buckets", "1-2")
                assert owners(lab, "source") == owners(lab, "shards")
                lab.writes_on(run)
        _require_equal_at_the_end(lab, run)


@pytest.mark.long
def test_h8_killed_where_both_sides_begin_and_end_to_write(arena: Arena, tmp_path: Path) -> None:
    lab = make_lab(arena, tmp_path)
    with lab.live() as run:
        for number, point in enumerate(OF_SHARING):
            lab.expect_kill("--buckets", "0", failpoints=f"{point}=kill")
            if number % 2:
                lab.cutover("abort")
                assert lab.state().state == "following"
                lab.writes_on(run)
            lab.cutover("--buckets", "0")
            lab.writes_on(run)
            for end in (one for one in AT_THE_END[:4] if number == 0):
                lab.expect_kill("rollback", "--buckets", "0", failpoints=f"{end}=kill")
                lab.cutover("--buckets", "0")
                lab.writes_on(run)
            lab.cutover("rollback", "--buckets", "0")
            assert lab.state().state == "following"
        for end in AT_THE_END[4:]:
            lab.expect_kill("--buckets", "all", failpoints=f"{end}=kill")
            if lab.state().state == "sharing":
                lab.cutover("--buckets", "all")
            else:
                lab.cutover()
            lab.writes_on(run)
            lab.follow_to_end(run)
            lab.cutover("rollback")
            lab.writes_on(run)
            lab.follow_to_end(run)
        _require_equal_at_the_end(lab, run)


@pytest.mark.long
def test_h8_a_hundred_moves_with_random_kills(arena: Arena, tmp_path: Path) -> None:
    """The application knows each of its writes, reads each row before it changes it, and notices two writers."""
    print(f"seed {SEED}, {MOVES} moves")
    dice = random.Random(SEED)
    lab = make_lab(arena, tmp_path)
    pauses: list[float] = []
    with lab.live() as run:
        for _ in range(MOVES):
            names = ",".join(str(bucket) for bucket in sorted(dice.sample(range(4), dice.randint(1, 2))))
            action = dice.choice(((), ("rollback",))) if lab.state().state == "sharing" else ()
            if dice.random() < 0.3:
                point = dice.choice(OF_MOVES)
                lab.start_cutover(*action, "--buckets", names, failpoints=f"{point}=kill").wait(timeout=120)
                lab.cutover("abort") if dice.random() < 0.3 and not _is_committed(lab) else None
            if lab.state().state == "following" and action:
                continue
            lab.cutover(*action, "--buckets", names)
            assert owners(lab, "source") == owners(lab, "shards")
            pauses.append(lab.state().detail.pause or 0.0)
        print(f"pause of a move: median {statistics.median(pauses):.2f} s, longest {max(pauses):.2f} s")
        _require_equal_at_the_end(lab, run)


@pytest.mark.long
def test_h8_buckets_are_added_to_a_migration_that_runs(arena: Arena, tmp_path: Path) -> None:
    """While some have moved, no table is copied again, and the expression stays as it is."""
    lab = make_lab(arena, tmp_path, buckets=False)
    again = ("run", "--env", ENVIRONMENT, "--until", "caught-up", "--recopy", "child", "--allow", "SW8147")
    with lab.run(gated=False) as run:
        lab.drain_forward(run)
        assert "SW8932" in lab.expect_refusal("--buckets", "1", code=Exit.REFUSED)
    add_buckets(lab.job.project)
    lab.job.call("compile")
    with lab.live() as run:
        lab.cutover("--buckets", "1")
        lab.writes_on(run)
        lab.job.call(*again, expect=Exit.REFUSED)
        assert "SW8933" in lab.job.end_of_log()
        rewrite(lab.job.project, "buckets: place % 4", "buckets: (place + 1) % 4")
        lab.job.call("compile")
        for command in (("cutover", "--buckets", "2"), ("verify",)):
            lab.job.call(*command, "--env", ENVIRONMENT, expect=Exit.REFUSED)
            assert "SW8934" in lab.job.end_of_log()
        rewrite(lab.job.project, "buckets: (place + 1) % 4", "buckets: place % 4")
        lab.job.call("compile")
        lab.cutover("rollback", "--buckets", "all")
        lab.writes_on(run)
    lab.job.call(*again)
    lab.equal()


def _is_committed(lab: CutoverLab) -> bool:
    """Whether the buckets of a move that was killed are there already."""
    move = lab.state().detail.move
    return move is not None and all(owners(lab, "shards")[bucket] == move["to"] for bucket in move["buckets"])


def _require_equal_at_the_end(lab: CutoverLab, run: subprocess.Popen[bytes]) -> None:
    lab.application.stop()
    if lab.state().state == "sharing":
        lab.cutover("--buckets", "all")
    lab.follow_to_end(run)
    lab.equal()


def _watch_both(lab: CutoverLab) -> None:
    """Metrics have the logs of both sides, and who writes how many buckets."""
    found = lab.job.call("exporter", "--env", ENVIRONMENT, "--once")
    for direction in ("forward", "backward"):
        assert f'shardwright_direction{{direction="{direction}",migration="lab"}} 1.0' in found, found
    for source in ("source", lab.shards[0]):
        assert re.search(rf'source_lag_bytes{{migration="lab",source="{source}"}} \d', found), found
    for writer, count in (("shards", 1), ("source", 4), ("none", 0)):
        assert f'shardwright_buckets{{migration="lab",writer="{writer}"}} {count}.0' in found, found


def _pause_both(lab: CutoverLab) -> None:
    """And back: an order is for both directions."""
    for action, paused in (("pause", True), ("resume", False)):
        lab.job.call("control", action, "--env", ENVIRONMENT)
        for deployed in lab.deploy().live_deployments():
            with closing(deployed.servers.connect_shard(0)) as control:
                assert read_order(control, "lab").paused is paused


def _repair_at_the_source(lab: CutoverLab, report: Path) -> None:
    """A row of a bucket that the shards write is wrong at the source: the shards' row is the right one."""
    source = lab.deploy().servers.sources["source"]
    binlog = "BINLOG ADMIN" if lab.arena.source.sandbox.kind == "mariadb" else "SYSTEM_VARIABLES_ADMIN"
    lab.arena.source.query(f"GRANT {binlog} ON *.* TO shardwright@'{lab.arena.source.sandbox.account_host}'")
    unlogged = ("SET SESSION sql_log_bin = 0", "UPDATE parent SET note = 'wrong' WHERE id = 2")
    _write_past_triggers(source, "lab", *unlogged)
    verify = ("verify", "--env", ENVIRONMENT, "--report", f"json={report}")
    lab.job.call(*verify, expect=1)
    lab.job.call("repair", str(report), "--env", ENVIRONMENT)
    [(note,)] = lab.arena.source.query("SELECT note FROM parent WHERE id = 2", database="lab")
    assert note != "wrong"


def _keep_foreign_changes_out(lab: CutoverLab) -> None:
    """Triggers let our own account pass, like a cascade or a replica. What it writes on the wrong side is listed, and
    replaces nothing."""
    deployed = lab.deploy()
    _write_past_triggers(deployed.servers.sources["source"], "lab", "UPDATE parent SET note = 'foreign' WHERE id = 2")
    [letter] = _wait_for_foreign_rows(lab)
    assert (letter["direction"], letter["table"], letter["key"]) == ("forward", "parent", ["2"]), letter
    assert letter["image"]["note"] == "foreign" and "bucket 1" in letter["reason"], letter
    assert "foreign" not in _notes(lab, lab.arena.placement[lab.shards[0]], lab.shards[0], "parent_0")
    lab.job.call("dead-letters", "discard", "--env", ENVIRONMENT, "--key", "2", "--reason", "the shards are right")

    shard = deployed.servers.shards[0]
    insert = "INSERT INTO parent_0 (id, place, name, note) VALUES (990000, 0, 'foreign', 'foreign')"
    _write_past_triggers(shard, lab.shards[0], insert)
    [letter] = _wait_for_foreign_rows(lab)
    assert (letter["direction"], letter["key"], letter["image"]["name"]) == ("backward", ["990000"], "foreign"), letter
    assert "foreign" not in _notes(lab, lab.arena.source, "lab", "parent", "id = 990000")
    lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT, "--table", "parent")
    wait_until("it is taken", lambda: "foreign" in _notes(lab, lab.arena.source, "lab", "parent", "id = 990000"))
    write_as_application(lab, "lab", "DELETE FROM parent WHERE id = 990000")


def _write_past_triggers(server: Any, database: str, *statements: str) -> None:
    with closing(connect(server, database)) as ours, ours.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        ours.commit()


def _wait_for_foreign_rows(lab: CutoverLab) -> list[dict[str, Any]]:
    def listed() -> list[dict[str, Any]]:
        found = json.loads(lab.job.call("dead-letters", "list", "--env", ENVIRONMENT, "--format", "json"))
        return [one for one in found["dead_letters"] if one["code"] == NOT_OWNED and one["events"]]

    return wait_until("the change is kept out", listed)


def _notes(lab: CutoverLab, server: Any, database: str, table: str, which: str = "TRUE") -> set[str]:
    return {str(note) for (note,) in server.query(f"SELECT note FROM {table} WHERE {which}", database=database)}


def connect_application(lab: CutoverLab, database: str) -> AbstractContextManager[Connection[Any]]:
    server = lab.arena.placement.get(database, lab.arena.source)
    password = lab.arena.application_password_file().read_text(encoding="utf-8")
    return server.connect(database, user=APPLICATION_USER, password=password)


def write_as_application(lab: CutoverLab, database: str, statement: str) -> None:
    with connect_application(lab, database) as connection, connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.in_turn
def test_h8_one_bucket_there_and_back_and_then_all(arena: Arena, tmp_path: Path) -> None:
    lab = make_lab(arena, tmp_path)
    tenants = tmp_path / "tenants.csv"
    tenants.write_text("place\n1\n", encoding="utf-8")
    with lab.live() as run:
        print(lab.cutover("--keys", f"parent={tenants}"))
        assert owners(lab, "source") == owners(lab, "shards")
        assert owners(lab, "shards") == {0: "source", 1: "shards", 2: "source", 3: "source", 4: "source"}
        lab.writes_on(run, more=60)
        assert lab.status()["buckets"] == {"shards": "1", "source": "0,2-4"}
        status = json.loads(lab.job.call("status", "--env", ENVIRONMENT, "--format", "json"))
        assert (status["direction"], [one["direction"] for one in status["beside"]]) == ("forward", ["backward"])
        assert status["live"] and status["beside"][0]["live"]
        _watch_both(lab)
        _pause_both(lab)
        _keep_foreign_changes_out(lab)
        _repair_at_the_source(lab, tmp_path / "wrong.json")
        assert "equal" in lab.verify()
        for refused in ("UPDATE parent SET note = 'x' WHERE place = 1", "DELETE FROM child WHERE place = 1",
                        "UPDATE parent SET place = 1 WHERE id = 1"):  # fmt: skip
            with pytest.raises(pymysql.err.OperationalError, match="bucket of the other side"):
                write_as_application(lab, "lab", refused)
        with pytest.raises(pymysql.err.OperationalError, match="bucket of the other side"):
            write_as_application(lab, lab.shards[0], "UPDATE parent_0 SET note = 'x' WHERE place = 0")
        with lab.arena.source.connect("lab", autocommit=False) as stuck, stuck.cursor() as cursor:
            cursor.execute("UPDATE parent SET note = 'open' WHERE id = 1")
            lab.expect_refusal("--buckets", "0", "--drain-timeout", "2", code=Exit.REFUSED)
            assert "SW8903" in lab.job.end_of_log() and lab.status()["buckets"]["shards"] == "1"
            stuck.rollback()
        print(lab.cutover("rollback", "--buckets", "1"))
        lab.writes_on(run)
        assert lab.status()["state"] == "following"
        print(lab.cutover("--percent", "50"))
        lab.writes_on(run, more=60)
        print(lab.cutover("--buckets", "all"))
        assert lab.status()["state"] == "reversing"
        lab.writes_on(run)
        lab.application.stop()
        lab.follow_to_end(run)
        lab.equal()
        lab.cutover("finish")
        assert run.wait(timeout=60) == 0, lab.job.end_of_log()
