"""Applications move rows between shards, whose logs have no order between them (direction D7). However the events are
mixed, the source ends with the row that the shards have.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from subprocess import Popen

import pytest

from tests.backward.lab import BackLab
from tests.interleavings.driver import SUFFIXES
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
