"""Rows of the shards that cannot be at the source together while the logs of the shards are read to different moments
(field case H1, hazard D7 of the contract): unique values that change hands inside a shard and between shards, rows that
move in any order, values and rows that two shards do have. The table's spec has no `errors`: nothing of this may stop
a run, and only what the shards keep is a dead letter.
"""

from __future__ import annotations

import json
import random
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from subprocess import Popen
from typing import Any

import pytest

from tests.backward.lab import BackLab
from tests.interleavings.driver import SUFFIXES
from tests.servers.testbed import Arena, Server
from tests.workload.job import ENVIRONMENT, kill_tree

pytestmark = [pytest.mark.server, pytest.mark.spark]

FEW = {"batch": {"max_rows": 12}}
BUSY = 100
"""Rows BUSY to BUSY + 3 make the log of their place longer."""


@dataclass
class Live:
    lab: BackLab
    run: Popen[bytes]

    def start_again(self) -> None:
        self.run = self.lab.start()

    def lengthen(self, place: int, *, batches: int = 2) -> None:
        """The log of a place gets events of so many batches."""
        for number in range(batches * FEW["batch"]["max_rows"]):
            self.lab.on(place, f"UPDATE {table(place)} SET note = 'busy {number}' WHERE id = {BUSY + place}")

    def dead_letters(self) -> list[dict[str, Any]]:
        shown = self.lab.job.call("dead-letters", "list", "--env", ENVIRONMENT, "--format", "json")
        return list(json.loads(shown))

    def require_equal_soon(self) -> None:
        """Once the stream has passed the logs, and rows that wait were read again."""
        lab = self.lab
        lab.drain(self.run)
        lab.until(self.run, "no row waits", lambda: not lab.arena.source.query(WAITING, database="_shardwright_lab"))
        lab.require_equal()


WAITING = "SELECT row_key FROM _shardwright_dead WHERE state = 'retry'"


def table(place: int) -> str:
    return f"parent{SUFFIXES[place // 2]}"


@pytest.fixture(scope="module")
def live_run(
    source_server: Server, target_servers: tuple[Server, ...], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("conflicts")
    for server in (source_server, *target_servers):
        server.make_empty()
    lab = BackLab(Arena(source_server, target_servers, folder), folder, settings=FEW)
    lab.create_source()
    lab.fill({BUSY + place: place for place in range(4)})
    lab.finish()
    lab.turn()
    live = Live(lab, lab.start())
    try:
        lab.drain(live.run)
        yield live
    finally:
        kill_tree(live.run)


@pytest.fixture
def live(live_run: Live) -> Iterator[Live]:
    assert live_run.run.poll() is None, f"the run has ended:\n{live_run.lab.job.end_of_log()}"
    yield live_run
    live_run.lab.gates.open_all()
    live_run.require_equal_soon()


def test_case_h1_a_value_that_a_row_of_the_same_batch_gives_away_in_a_later_batch(live: Live) -> None:
    """The batch writes both rows: the first one for another reason, its log goes on behind the batch."""
    lab = live.lab
    for key, place in ((11, 0), (12, 1)):
        lab.insert(key, place, lines=0)
    lab.drain(live.run)
    lab.gates.hold("before-open-batch")
    lab.on(0, "UPDATE parent_0 SET note = 'not yet' WHERE id = 11")
    live.lengthen(0)
    lab.on(0, "UPDATE parent_0 SET name = 'given away' WHERE id = 11")
    lab.on(1, "UPDATE parent_0 SET name = 'n11' WHERE id = 12")
    lab.gates.open("before-open-batch")
    live.require_equal_soon()
    assert lab.source("SELECT id, name FROM parent WHERE id IN (11, 12) ORDER BY id") == [
        (11, "given away"),
        (12, "n11"),
    ]


def test_case_h1_values_that_pass_through_a_third_row_while_rows_move(live: Live) -> None:
    lab = live.lab
    for key, place in ((21, 0), (22, 0), (23, 3)):
        lab.insert(key, place, lines=0)
    lab.drain(live.run)
    lab.gates.hold("before-open-batch")
    live.lengthen(2, batches=1)
    lab.on(0, "UPDATE parent_0 SET name = 'between' WHERE id = 21", "UPDATE parent_0 SET name = 'n21' WHERE id = 22",
           "UPDATE parent_0 SET name = 'n22' WHERE id = 21")  # fmt: skip
    lab.on(2, "INSERT INTO parent_1 (id, place, name) VALUES (22, 2, 'moves')")
    lab.on(0, "DELETE FROM parent_0 WHERE id = 22")
    lab.on(3, "UPDATE parent_1 SET name = 'n21' WHERE id = 23")
    live.lengthen(3)
    lab.on(3, "DELETE FROM parent_1 WHERE id = 23")
    lab.on(2, "UPDATE parent_1 SET name = 'n21' WHERE id = 22")
    lab.gates.open("before-open-batch")
    live.require_equal_soon()
    assert lab.source("SELECT id, place, name FROM parent WHERE id BETWEEN 21 AND 23 ORDER BY id") == [
        (21, 0, "n22"), (22, 2, "n21")
    ]  # fmt: skip


def test_case_h1_n39_what_two_rows_keep_is_one_dead_letter_and_everything_else_goes_on(live: Live) -> None:
    """One value that two rows have, and one row that two shards have."""
    lab = live.lab
    for key, place in ((31, 0), (32, 1), (33, 2)):
        lab.insert(key, place, lines=0)
    lab.drain(live.run)
    lab.on(1, "UPDATE parent_0 SET name = 'n31' WHERE id = 32")
    lab.on(3, "INSERT INTO parent_1 (id, place, name) VALUES (33, 3, 'copied, not moved')")
    lab.insert(34, 3, lines=0)
    lab.until(live.run, "another row is there", lambda: bool(lab.source("SELECT 1 FROM parent WHERE id = 34")))
    lab.until(live.run, "both are dead letters", lambda: {item["state"] for item in live.dead_letters()} == {"held"})
    found = {item["code"]: item for item in live.dead_letters()}
    assert found.keys() == {"SW8303", "SW8309"}
    assert "(31)" in found["SW8303"]["reason"] and "(32)" in found["SW8303"]["reason"]
    assert "lab_0.parent_1 and in lab_1.parent_1" in found["SW8309"]["reason"]
    assert lab.source("SELECT name FROM parent WHERE id = 31") == [("n31",)]
    lab.on(0, "UPDATE parent_0 SET name = 'gave way' WHERE id = 31")
    lab.on(2, "DELETE FROM parent_1 WHERE id = 33")
    lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
    live.require_equal_soon()
    assert not live.dead_letters()


SEMI_SYNC = {
    "rpl_semi_sync_master_wait_point": "AFTER_SYNC",
    "rpl_semi_sync_master_wait_no_slave": 1,
    "rpl_semi_sync_master_timeout": 300_000,
}
"""No replica answers: a commit is in the log, and waits there until semi-synchronous replication is switched off."""


@contextmanager
def commits_wait(server: Server) -> Iterator[None]:
    for name, value in SEMI_SYNC.items():
        server.query(f"SET GLOBAL {name} = '{value}'" if isinstance(value, str) else f"SET GLOBAL {name} = {value}")
    server.query("SET GLOBAL rpl_semi_sync_master_enabled = 1")
    try:
        yield
    finally:
        server.query("SET GLOBAL rpl_semi_sync_master_enabled = 0")


@pytest.mark.parametrize("arrives", [True, pytest.param(False, marks=pytest.mark.long)])
def test_case_n01_a_row_that_the_log_has_before_a_select_shows_it(live: Live, arrives: bool) -> None:
    """One half of a move hangs between log and commit while the other half makes the run read the row again. Then a
    row whose delete hangs there."""
    lab = live.lab
    server = lab.arena.placement["lab_1"]
    if server.sandbox.kind == "mysql":
        pytest.skip("MariaDB only: its semi-synchronous replication is built in")
    lab.insert(51, 0 if arrives else 1, lines=0)
    lab.drain(live.run)
    hangs, other = (
        ("INSERT INTO parent_0 (id, place, name) VALUES (51, 1, 'n51')", (0, "DELETE FROM parent_0 WHERE id = 51"))
        if arrives
        else ("DELETE FROM parent_0 WHERE id = 51", (2, "INSERT INTO parent_1 (id, place, name) VALUES (51, 2, 'n51')"))
    )
    with commits_wait(server):
        writer = threading.Thread(target=lab.on, args=(1, hangs))
        writer.start()
        lab.on(*other)
        lab.until(live.run, "the run says why it waits", lambda: "SW8320" in lab.job.end_of_log())
    writer.join(timeout=60)
    live.require_equal_soon()
    assert lab.source("SELECT place FROM parent WHERE id = 51") == [(1 if arrives else 2,)]


@pytest.mark.parametrize(
    "point", ["after-mark-staged", "after-row-held", pytest.param("after-held-row-taken-out", marks=pytest.mark.long)]
)
def test_case_h1_a_staged_batch_with_colliding_rows_is_finished_by_the_next_run(live: Live, point: str) -> None:
    lab = live.lab
    for key, place in ((41, 0), (42, 1)):
        lab.insert(key, place, lines=0)
    lab.drain(live.run)
    kill_tree(live.run)
    lab.on(0, "UPDATE parent_0 SET note = 'not yet' WHERE id = 41")
    live.lengthen(0)
    lab.on(0, "UPDATE parent_0 SET name = 'n41 before' WHERE id = 41")
    lab.on(1, "UPDATE parent_0 SET name = 'n41' WHERE id = 42")
    killed = lab.start(gated=False, failpoints=f"{point}=kill")
    assert killed.wait(timeout=200) == -signal.SIGKILL
    live.start_again()
    live.require_equal_soon()
    assert lab.source("SELECT id, name FROM parent WHERE id IN (41, 42) ORDER BY id") == [
        (41, "n41 before"),
        (42, "n41"),
    ]
    lab.on(0, "DELETE FROM parent_0 WHERE id = 41")
    lab.on(1, "DELETE FROM parent_0 WHERE id = 42")


@dataclass
class Bank:
    """An application's rows on the shards, and its transactions: at every moment no two rows have one name."""

    lab: BackLab
    chance: random.Random
    rows: dict[int, tuple[int, str]] = field(default_factory=dict)
    """Key -> place and name."""
    moving: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Rows in the middle of a move: the row's new place is there, its old one (the second) not gone yet."""
    count: int = 0

    def step(self) -> None:
        self.count += 1
        choices = [self.insert, self.move, self.swap, self.hand_over, self.delete, self.note, self.finish_move]
        self.chance.choice(choices)()

    def rest(self) -> None:
        while self.moving:
            self.finish_move()

    def insert(self) -> None:
        key = self.chance.choice([key for key in range(500, 520) if key not in self.rows] or [0])
        if key:
            self.rows[key] = place, name = self.chance.randrange(4), f"b{self.count}"
            self._on(place, f"INSERT INTO {{}} (id, place, name) VALUES ({key}, {place}, '{name}')")

    def move(self) -> None:
        """The name of the row that arrives is another one than that of the row that leaves, as of any two rows."""
        if free := self._free():
            key = self.chance.choice(free)
            place, _ = self.rows[key]
            to = self.chance.choice([other for other in range(4) if other != place])
            self._on(to, f"INSERT INTO {{}} (id, place, name) VALUES ({key}, {to}, 'b{self.count}')")
            self.rows[key], self.moving[key] = (to, f"b{self.count}"), (to, place)

    def finish_move(self) -> None:
        if self.moving:
            key = self.chance.choice(sorted(self.moving))
            _, old = self.moving.pop(key)
            self._on(old, f"DELETE FROM {{}} WHERE id = {key}")

    def swap(self) -> None:
        """Two rows of one place, through a value in between."""
        place = self.chance.randrange(4)
        some = [key for key in self._free() if self.rows[key][0] == place]
        if len(some) > 1:
            one, two = self.chance.sample(some, 2)
            (_, first), (_, second) = self.rows[one], self.rows[two]
            self._on(place, f"UPDATE {{}} SET name = 'between' WHERE id = {one}",
                     f"UPDATE {{}} SET name = '{first}' WHERE id = {two}",
                     f"UPDATE {{}} SET name = '{second}' WHERE id = {one}")  # fmt: skip
            self.rows[one], self.rows[two] = (place, second), (place, first)

    def hand_over(self) -> None:
        """A row gives its name away, on any shard another row takes it."""
        if len(free := self._free()) > 1:
            giver, taker = self.chance.sample(free, 2)
            (place, name), (other, _) = self.rows[giver], self.rows[taker]
            if self.chance.random() < 0.3:
                self._on(place, f"DELETE FROM {{}} WHERE id = {giver}")
                del self.rows[giver]
            else:
                self._on(place, f"UPDATE {{}} SET name = 'b{self.count}' WHERE id = {giver}")
                self.rows[giver] = place, f"b{self.count}"
            self._on(other, f"UPDATE {{}} SET name = '{name}' WHERE id = {taker}")
            self.rows[taker] = other, name

    def delete(self) -> None:
        if free := self._free():
            key = self.chance.choice(free)
            place, _ = self.rows.pop(key)
            self._on(place, f"DELETE FROM {{}} WHERE id = {key}")

    def note(self) -> None:
        if free := self._free():
            key = self.chance.choice(free)
            self._on(self.rows[key][0], f"UPDATE {{}} SET note = '{self.count}' WHERE id = {key}")

    def _free(self) -> list[int]:
        return sorted(self.rows.keys() - self.moving.keys())

    def _on(self, place: int, *statements: str) -> None:
        self.lab.on(place, *(statement.format(table(place)) for statement in statements))


@pytest.mark.parametrize("kills", [False, pytest.param(True, marks=pytest.mark.long)])
def test_case_h1_moves_swaps_and_exchanges_whatever_the_logs_show_first(live: Live, seed: int, kills: bool) -> None:
    """The source equals the shards at rest, and no dead letter is left."""
    lab, chance = live.lab, random.Random(seed)
    bank = Bank(lab, chance)
    for _ in range(8 if kills else 2):
        lab.gates.hold("before-open-batch")
        for _ in range(60):
            bank.step()
            if chance.random() < 0.05:
                live.lengthen(chance.randrange(4), batches=1)
        if kills:
            kill_tree(live.run)
        lab.gates.open("before-open-batch")
        if kills:
            live.start_again()
        for _ in range(30):
            bank.step()
        bank.rest()
        live.require_equal_soon()
        assert not live.dead_letters()
    assert "to be read again" in lab.job.end_of_log(400)
