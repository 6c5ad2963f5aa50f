"""After a cutover the source follows the shards: what an application writes there comes back to the source's tables.
All tests work with one run, whose batches are so small that each log is behind by another amount.

Applications move rows between shards, whose logs have no order between them (direction D7). However the events are
mixed, the source ends with the row that the shards have.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from subprocess import Popen

import pytest

from tests.servers.testbed import Arena, Server
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.lab import SUFFIXES
from tests.support.way_back_lab import BackLab

pytestmark = [pytest.mark.server, pytest.mark.spark]

ROUNDS, STEPS = int(os.environ.get("SHARDWRIGHT_ROUNDS", "2")), 40
FEW = {"batch": {"max_rows": 12}}
QUARANTINE = "errors: {policy: quarantine, at_most: 5}"
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
    spec = lab.job.project / "specs" / "lab.yaml"
    spec.write_text(spec.read_text("utf-8").replace("    weight: 10\n", f"    weight: 10\n    {QUARANTINE}\n"), "utf-8")
    lab.job.call("compile")
    lab.create_source()
    lab.arena.source.query("ALTER TABLE parent ADD CONSTRAINT nice CHECK (note <> 'not nice')", database="lab")
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


@pytest.mark.in_turn
def test_rows_come_back_and_are_compared_and_repaired(live: Live) -> None:
    lab, run = live.lab, live.run
    lab.insert(15, 3, lines=2, note="born on the shards")
    lab.on(0, "UPDATE parent_0 SET note = 'changed' WHERE id = 8", "DELETE FROM child_0 WHERE id = 8 AND line = 2")
    lab.on(2, "DELETE FROM child_1 WHERE id = 6", "DELETE FROM parent_1 WHERE id = 6")
    lab.drain(run)
    lab.require_equal()
    assert lab.source("SELECT id, note FROM parent WHERE id IN (6, 8, 15) ORDER BY id") == [
        (8, "changed"), (15, "born on the shards")
    ]  # fmt: skip
    assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)
    lab.source("UPDATE parent SET note = 'a late writer' WHERE id = 2")
    lab.source("INSERT INTO parent VALUES (9, 1, 'n9', 'another one')")
    result = lab.job.project / "result.json"
    said = lab.job.call("verify", "--env", ENVIRONMENT, "--report", f"json={result}", expect=1)
    assert "shards rows  source rows" in said
    assert "note: shards '', source 'a late writer'" in said
    assert json.loads(result.read_text("utf-8"))["direction"] == "backward"
    lab.job.call("repair", "--env", ENVIRONMENT, "--delete-extra", str(result))
    lab.require_equal()
    lab.insert(6, 2)
    lab.drain(run)


def test_commands_work_in_the_direction_in_force(live: Live) -> None:
    lab = live.lab
    shown = json.loads(lab.job.call("status", "--env", ENVIRONMENT, "--format", "json"))
    assert {item["source"] for item in shown["sources"]} == {"lab_0", "lab_1"}
    assert shown["direction"] == "backward"
    assert "the source follows the shards" in lab.job.call("status", "--env", ENVIRONMENT)
    checked = json.loads(lab.job.call("preflight", "--env", ENVIRONMENT, "--format", "json"))
    assert {check["name"] for check in checked["checks"]} >= {"triggers", "source tables", "left out of the log"}
    lab.job.call("ddl", "apply", "--env", ENVIRONMENT, expect=6)
    assert "SW8218" in lab.job.end_of_log(3)


@pytest.mark.in_turn
def test_a_row_that_the_source_refuses_is_a_dead_letter_of_the_way_back(live: Live) -> None:
    """The row moves before it is read again."""
    lab = live.lab
    lab.insert(25, 3, lines=0, note="not nice")
    lab.insert(26, 2, lines=0)
    lab.drain(live.run)
    assert lab.source("SELECT id FROM parent WHERE id IN (25, 26)") == [(26,)]
    assert "parent  25   held" in lab.job.call("dead-letters", "list", "--env", ENVIRONMENT)
    lab.on(0, "INSERT INTO parent_0 (id, place, name, note) VALUES (25, 0, 'n25', 'it has moved')")
    lab.on(3, "DELETE FROM parent_1 WHERE id = 25")
    lab.drain(live.run)
    lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
    lab.until(live.run, "it is back", lambda: bool(lab.source("SELECT 1 FROM parent WHERE id = 25")))
    lab.on(0, "UPDATE parent_0 SET note = 'and changes' WHERE id = 25")
    lab.drain(live.run)
    assert lab.source("SELECT place, name, note FROM parent WHERE id = 25") == [(0, "n25", "and changes")]


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


@pytest.mark.long
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
