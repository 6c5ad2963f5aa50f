"""Applications move rows between shards, whose logs have no order between them (direction D7). However the events are
mixed, the source ends with the row that the shards have.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen

import pytest

from tests.backward.lab import BackLab
from tests.interleavings.driver import PROJECT, SUFFIXES
from tests.servers.testbed import Arena, Server
from tests.workload.job import kill_tree

pytestmark = [pytest.mark.server, pytest.mark.spark]

ROUNDS, STEPS = int(os.environ.get("SHARDWRIGHT_ROUNDS", "2")), 40
FEW = {"batch": {"max_rows": 12}}
"""So that batches end in the middle of what was written, in each log at another moment."""
KEYS = range(1, 9)


@dataclass
class Live:
    lab: BackLab
    run: Popen[bytes]


@pytest.fixture(scope="module")
def live_run(
    source_server: Server, target_servers: tuple[Server, ...], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("moves")
    for server in (source_server, *target_servers):
        server.make_empty()
    lab = BackLab(Arena(source_server, target_servers, folder), folder, settings=FEW)
    lab.create_source()
    lab.fill({key: key % 4 for key in KEYS} | {100 + place: place for place in range(4)})
    lab.finish()
    lab.turn()
    run = lab.start()
    try:
        lab.drain(run)
        yield Live(lab, run)
    finally:
        kill_tree(run)


@pytest.fixture
def live(live_run: Live) -> Iterator[Live]:
    assert live_run.run.poll() is None, f"the run has ended:\n{live_run.lab.job.end_of_log()}"
    yield live_run
    live_run.lab.gates.open_all()
    live_run.lab.drain(live_run.run)
    live_run.lab.require_equal()


@dataclass
class Application:
    """Writes parents to the shards, some of them in the middle of a move: then the row is in two places."""

    lab: BackLab
    random: random.Random
    places: dict[int, list[int]] = field(default_factory=dict)
    """Where each row is. The last place is the newest."""
    written: int = 0

    def step(self) -> None:
        key = self.random.choice(KEYS)
        places = self.places.setdefault(key, [])
        self.written += 1
        if not places:
            self._insert(key, self.random.randrange(4))
        elif len(places) == 2:
            self.random.choice((self._finish, self._finish, self._give_up, self._change))(key)
        else:
            self.random.choice((self._move, self._move, self._change, self._delete))(key)

    def rest(self) -> None:
        for key, places in self.places.items():
            if len(places) == 2:
                self._finish(key)

    def _on(self, place: int, sql: str) -> None:
        self.lab.on(place, sql.format(table=f"parent{SUFFIXES[place // 2]}", note=f"note {self.written}"))

    def _insert(self, key: int, place: int) -> None:
        self._on(place, f"INSERT INTO {{table}} (id, place, name, note) VALUES ({key}, {place}, 'n{key}', '{{note}}')")
        self.places[key].append(place)

    def _move(self, key: int) -> None:
        self._insert(key, self.random.choice([place for place in range(4) if place not in self.places[key]]))

    def _finish(self, key: int) -> None:
        self._remove(key, self.places[key][0])

    def _give_up(self, key: int) -> None:
        self._remove(key, self.places[key][1])

    def _delete(self, key: int) -> None:
        self._remove(key, self.places[key][0])

    def _remove(self, key: int, place: int) -> None:
        self._on(place, f"DELETE FROM {{table}} WHERE id = {key}")
        self.places[key].remove(place)

    def _change(self, key: int) -> None:
        self._on(self.random.choice(self.places[key]), f"UPDATE {{table}} SET note = '{{note}}' WHERE id = {key}")


def test_whatever_order_the_logs_are_read_in(live: Live, seed: int) -> None:
    lab, chance = live.lab, random.Random(seed)
    application = Application(lab, chance, {key: lab.places(key) for key in KEYS})
    for _ in range(ROUNDS):
        lab.gates.hold("before-open-batch")
        for _ in range(STEPS):
            application.step()
            if chance.random() < 0.05:  # one log gets longer than the others
                place = chance.randrange(4)
                for number in range(20):
                    lab.on(place, f"UPDATE parent{SUFFIXES[place // 2]} SET note = '{number}' WHERE id = {100 + place}")
        application.rest()
        lab.gates.open("before-open-batch")
        lab.drain(live.run)
        lab.require_equal()
    assert lab.gates.is_reached("before-rows-read-again")


def test_a_unique_value_that_changes_hands_between_shards(live: Live) -> None:
    """Every shard has one name once at any moment, and so has the whole of them. But the log of the shard that gives
    a name away is read up to an earlier moment than that of the shard which takes it."""
    lab = live.lab
    for key in (21, 22):
        lab.insert(key, key % 2, lines=0)
    lab.drain(live.run)
    lab.gates.hold("before-open-batch")
    for number in range(3 * FEW["batch"]["max_rows"]):
        lab.on(0, f"UPDATE parent_0 SET note = 'busy {number}' WHERE id = 100")
    lab.on(0, "UPDATE parent_0 SET name = 'given away' WHERE id = 22")
    lab.on(1, "UPDATE parent_0 SET name = 'n22' WHERE id = 21")
    lab.gates.open("before-open-batch")
    lab.drain(live.run)
    lab.until(live.run, "it is back", lambda: lab.source("SELECT name FROM parent WHERE id = 21") == [("n22",)])
    assert "to be read again: parent (21)" in lab.job.end_of_log(200)
    lab.on(0, "DELETE FROM parent_0 WHERE id = 22")
    lab.on(1, "DELETE FROM parent_0 WHERE id = 21")


def test_a_key_that_is_spelt_otherwise_where_the_row_goes(arena: Arena, tmp_path: Path) -> None:
    """Hazard D1 between shards: the server takes 'Red' and 'red' for one key, in whatever order their logs are read."""
    example = tmp_path / "example"
    shutil.copytree(PROJECT, example)
    for file, old, new in (
        ("specs/lab.yaml", "ddl: ddl/", "  - table: tag\n    sharding: by_place\n\nddl: ddl/"),
        ("schema/lab.sql", "CREATE TABLE `parent`", f"{TAG};\n\nCREATE TABLE `parent`"),
    ):
        text = (example / file).read_text("utf-8")
        assert old in text
        (example / file).write_text(text.replace(old, new), "utf-8")
    lab = BackLab(arena, tmp_path, example=example, settings={"batch": {"max_rows": 1}})
    lab.create_source()
    lab.write("INSERT INTO tag VALUES ('red', 0, 1), ('green', 0, 1), ('blue', 1, 1)")
    lab.finish()
    lab.turn()
    with lab.running() as run:
        lab.gates.hold("before-open-batch")
        lab.on(1, "INSERT INTO tag_0 VALUES ('RED', 1, 2)")
        lab.on(0, "DELETE FROM tag_0 WHERE name = 'red'")
        for number in range(3):
            lab.on(0, f"UPDATE tag_0 SET v = {number} WHERE name = 'green'")
        lab.on(3, "INSERT INTO tag_1 VALUES ('Green', 3, 2)")
        lab.on(0, "DELETE FROM tag_0 WHERE name = 'green'")
        lab.on(1, "DELETE FROM tag_0 WHERE name = 'blue'", "INSERT INTO tag_0 VALUES ('BLUE', 1, 3)")
        lab.on(2, "INSERT INTO tag_1 VALUES ('blue', 2, 4)")
        lab.on(1, "DELETE FROM tag_0 WHERE name = 'BLUE'")
        lab.gates.open("before-open-batch")
        lab.drain(run)
    assert sorted(lab.source("SELECT * FROM tag")) == [("Green", 3, 2), ("RED", 1, 2), ("blue", 2, 4)]


TAG = """CREATE TABLE `tag` (
  `name` varchar(40) COLLATE utf8mb4_general_ci NOT NULL,
  `place` int unsigned NOT NULL,
  `v` int NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci"""
