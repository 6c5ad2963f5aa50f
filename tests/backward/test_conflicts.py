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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import permutations
from subprocess import Popen
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import seed as use_seed
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from tests.servers.semi_sync import commits_wait
from tests.servers.testbed import Arena, Server
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.lab import SUFFIXES
from tests.support.way_back_lab import BackLab

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

    def collisions(self) -> int:
        """How often the run has set rows aside to read them again."""
        return self.lab.job.log.read_text(encoding="utf-8", errors="replace").count("to be read again")

    def dead_letters(self) -> list[dict[str, Any]]:
        shown = self.lab.job.call("dead-letters", "list", "--env", ENVIRONMENT, "--format", "json")
        return list(json.loads(shown)["dead_letters"])

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


@pytest.mark.in_turn
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


@pytest.mark.in_turn
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


@pytest.mark.in_turn
def test_case_h1_n39_what_two_rows_keep_is_one_dead_letter_and_everything_else_continues(live: Live) -> None:
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


@pytest.mark.in_turn
@pytest.mark.parametrize("arrives", [True, pytest.param(False, marks=pytest.mark.long)])
def test_case_n01_a_row_that_the_log_has_before_a_select_shows_it(live: Live, arrives: bool) -> None:
    """One half of a move hangs between log and commit while the other half makes the run read the row again. Then a
    row whose delete hangs there."""
    lab = live.lab
    server = lab.arena.placement["lab_1"]
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


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "point",
    [
        "after-mark-staged",
        pytest.param("after-row-held", marks=pytest.mark.long),
        pytest.param("after-held-row-taken-out", marks=pytest.mark.long),
    ],
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
    rows: dict[int, tuple[int, str]] = field(default_factory=dict)
    """Key -> place and name."""
    moving: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Rows in the middle of a move: the row's new place is there, its old one (the second) not gone yet."""
    count: int = 0

    def rest(self) -> None:
        while self.moving:
            self.finish_move(random.Random(0))

    def empty(self) -> None:
        self.rest()
        for key, (place, _) in self.rows.items():
            self._on(place, f"DELETE FROM {{}} WHERE id = {key}")
        self.rows.clear()

    def insert(self, chance: random.Random) -> None:
        self.insert_at(chance.randrange(4), chance)

    def insert_at(self, place: int, chance: random.Random) -> None:
        if free := [key for key in range(500, 520) if key not in self.rows]:
            key = chance.choice(free)
            name = self._new_name()
            self.rows[key] = place, name
            self._on(place, f"INSERT INTO {{}} (id, place, name) VALUES ({key}, {place}, '{name}')")

    def move(self, chance: random.Random) -> None:
        """The name of the row that arrives is another one than that of the row that leaves, as of any two rows."""
        if free := self._free():
            key = chance.choice(free)
            place, _ = self.rows[key]
            to, name = chance.choice([other for other in range(4) if other != place]), self._new_name()
            self._on(to, f"INSERT INTO {{}} (id, place, name) VALUES ({key}, {to}, '{name}')")
            self.rows[key], self.moving[key] = (to, name), (to, place)

    def finish_move(self, chance: random.Random) -> None:
        if self.moving:
            key = chance.choice(sorted(self.moving))
            _, old = self.moving.pop(key)
            self._on(old, f"DELETE FROM {{}} WHERE id = {key}")

    def swap(self, chance: random.Random) -> None:
        """Two rows of one place, through a value in between."""
        place = chance.randrange(4)
        some = [key for key in self._free() if self.rows[key][0] == place]
        if len(some) > 1:
            one, two = chance.sample(some, 2)
            (_, first), (_, second) = self.rows[one], self.rows[two]
            self._on(place, f"UPDATE {{}} SET name = 'between' WHERE id = {one}",
                     f"UPDATE {{}} SET name = '{first}' WHERE id = {two}",
                     f"UPDATE {{}} SET name = '{second}' WHERE id = {one}")  # fmt: skip
            self.rows[one], self.rows[two] = (place, second), (place, first)

    def hand_over(self, chance: random.Random) -> None:
        """A row gives its name away, on any shard another row takes it."""
        if len(free := self._free()) > 1:
            giver, taker = chance.sample(free, 2)
            (place, name), (other, _) = self.rows[giver], self.rows[taker]
            if chance.random() < 0.3:
                self._on(place, f"DELETE FROM {{}} WHERE id = {giver}")
                del self.rows[giver]
            else:
                self.rows[giver] = place, given = place, self._new_name()
                self._on(place, f"UPDATE {{}} SET name = '{given}' WHERE id = {giver}")
            self._on(other, f"UPDATE {{}} SET name = '{name}' WHERE id = {taker}")
            self.rows[taker] = other, name

    def hand_over_late(self, chance: random.Random, lengthen: Callable[[int], None]) -> bool:
        """The giver's row changes, its log gets longer, and only then it gives its name away. False without
        such rows."""
        if not (pairs := self.pairs()):
            return False
        giver, taker = chance.choice(pairs)
        (place, name), (other, _) = self.rows[giver], self.rows[taker]
        self._on(place, f"UPDATE {{}} SET note = '{self._new_name()}' WHERE id = {giver}")
        lengthen(place)
        self.rows[giver], self.rows[taker] = (place, given := self._new_name()), (other, name)
        self._on(place, f"UPDATE {{}} SET name = '{given}' WHERE id = {giver}")
        self._on(other, f"UPDATE {{}} SET name = '{name}' WHERE id = {taker}")
        return True

    def pairs(self) -> list[tuple[int, int]]:
        """Rows whose places are on different servers."""
        return [(one, two) for one, two in permutations(self._free(), 2) if (self._place(one) - self._place(two)) % 2]

    def delete(self, chance: random.Random) -> None:
        if free := self._free():
            key = chance.choice(free)
            place, _ = self.rows.pop(key)
            self._on(place, f"DELETE FROM {{}} WHERE id = {key}")

    def note(self, chance: random.Random) -> None:
        if free := self._free():
            key = chance.choice(free)
            self._on(self.rows[key][0], f"UPDATE {{}} SET note = '{self._new_name()}' WHERE id = {key}")

    def _place(self, key: int) -> int:
        return self.rows[key][0]

    def _new_name(self) -> str:
        self.count += 1
        return f"b{self.count}"

    def _free(self) -> list[int]:
        return sorted(self.rows.keys() - self.moving.keys())

    def _on(self, place: int, *statements: str) -> None:
        self.lab.on(place, *(statement.format(table(place)) for statement in statements))


TRANSACTIONS = (Bank.insert, Bank.move, Bank.swap, Bank.hand_over, Bank.delete, Bank.note, Bank.finish_move)


class Application(RuleBasedStateMachine):
    """The bank's transactions in any order, over logs of any length, some of which a batch comes to late. At rest the
    source equals the shards, and no dead letter is left."""

    def __init__(self, live: Live, *, kills: bool) -> None:
        super().__init__()
        self.live, self.bank, self.kills = live, Bank(live.lab), kills
        self.live.lab.gates.hold("before-open-batch")

    @rule(
        kinds=st.lists(st.sampled_from(TRANSACTIONS), min_size=5, max_size=20),
        chance=st.randoms(use_true_random=False),
    )
    def write(self, kinds: list[Callable[[Bank, random.Random], None]], chance: random.Random) -> None:
        for transaction in kinds:
            transaction(self.bank, chance)

    @initialize(chance=st.randoms(use_true_random=False))
    def begin_with_two_rows(self, chance: random.Random) -> None:
        """Of places whose logs are on different servers."""
        for place in (0, 1):
            self.bank.insert_at(place, chance)
        assert self.hand_over_late(chance)

    @precondition(lambda self: self.kills)  # it waits for the stream twice: too long for each run of the suite
    @rule(chance=st.randoms(use_true_random=False))
    def hand_over_late(self, chance: random.Random) -> bool:
        """The batch that has the name's new row does not have the event yet by which the old one gives it away."""
        live = self.live
        live.lab.gates.open_all()
        live.lab.drain(live.run)
        seen = live.collisions()
        live.lab.gates.hold("before-open-batch")
        handed_over = self.bank.hand_over_late(chance, live.lengthen)
        live.lab.gates.open("before-open-batch")
        if handed_over:
            live.lab.until(live.run, "the rows collide", lambda: live.collisions() > seen)
        return handed_over

    @rule(place=st.integers(0, 3))
    def lengthen(self, place: int) -> None:
        self.live.lengthen(place, batches=1)

    @rule()
    def let_a_batch_begin(self) -> None:
        self.live.lab.gates.open("before-open-batch")

    @rule()
    def stop_before_a_batch(self) -> None:
        self.live.lab.gates.hold("before-open-batch")

    @precondition(lambda self: self.kills)
    @rule()
    def kill(self) -> None:
        kill_tree(self.live.run)
        self.live.start_again()

    @rule()
    def rest(self) -> None:
        self.bank.rest()
        self.live.lab.gates.open_all()
        self.live.require_equal_soon()
        assert not self.live.dead_letters()

    def teardown(self) -> None:
        self.rest()
        self.bank.empty()
        self.live.require_equal_soon()


@pytest.mark.in_turn
@pytest.mark.parametrize("kills", [False, pytest.param(True, marks=pytest.mark.long)])
def test_case_h1_moves_swaps_and_exchanges_whatever_the_logs_show_first(live: Live, seed: int, kills: bool) -> None:
    examples = settings(
        max_examples=20 if kills else 2,  # the first one is the simplest, whatever the seed
        stateful_step_count=12,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink) if kills else (Phase.generate,),
    )
    run_state_machine_as_test(use_seed(seed)(lambda: Application(live, kills=kills)), settings=examples)
