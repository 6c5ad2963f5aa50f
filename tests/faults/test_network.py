"""Networks and servers that fail for a while under a run: it says so, goes on when they are back, and nothing is lost
or stands twice (A8, A16, A17, G6, G8).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

import pytest

from tests.faults.conftest import Wired
from tests.faults.work import work
from tests.servers.proxy import Fault
from tests.support.variants import usual

TLS = "off"
pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

PLACES = ("source", "shard 0", "shard 1")


def at(one: str, places: Sequence[str] = PLACES) -> pytest.MarkDecorator:
    """Each fault is tried at one place in every run of the tests, and everywhere in the long ones."""
    return pytest.mark.parametrize("place", usual(places, only=[one]))


@pytest.mark.in_turn
@at("shard 0")
def test_a8_a16_connections_are_cut_again_and_again(wired: Wired, place: str) -> None:
    """The log is asked for by a connection of its own each time: some are met in their middle."""
    for _ in range(3):
        work(wired)
        _says(wired, lambda: wired.network[place].cut() > 0)
        time.sleep(0.7)


@pytest.mark.long
@at("source")
def test_a16_half_open(wired: Wired, place: str) -> None:
    """Nobody refuses anything, nothing comes: noticed after the stated time, and told."""
    with wired.network[place].fail(Fault.SILENT):
        work(wired)
        wired.wait_for_report("retrying")


@at("shard 1")
@pytest.mark.parametrize("fault", [Fault.DELAY, Fault.CRAWL], ids=lambda fault: fault.name)
def test_a16_slow(wired: Wired, place: str, fault: Fault) -> None:
    with wired.network[place].fail(fault):
        work(wired)
        time.sleep(2)


@at("source")
def test_a16_an_answer_breaks_off_in_its_middle(wired: Wired, place: str) -> None:
    proxy = wired.network[place]
    proxy.once(Fault.RESET)
    work(wired)
    _says(wired, lambda: proxy.happened == 1)


@at("shard 0")
def test_a16_no_one_is_there_for_a_while(wired: Wired, place: str) -> None:
    proxy = wired.network[place]
    with proxy.fail(Fault.REFUSE):
        proxy.cut()
        work(wired)
        wired.wait_for_report("retrying")


@pytest.mark.in_turn
@at("shard 0", PLACES[1:])
def test_a17_the_answer_to_a_commit_is_lost(wired: Wired, place: str) -> None:
    """The transaction stands, its client does not know: the ledger's row tells the next try."""
    proxy = wired.network[place]
    for _ in range(4):
        proxy.once(Fault.LOSE_COMMIT_REPLY)
        work(wired)
        _says(wired, lambda: proxy.happened == 1)
        wired.lab.drain(wired.run)
        wired.lab.require_equal()


def test_g6_a_shard_becomes_read_only(wired: Wired) -> None:
    """As a primary that was switched; the run waits for it, or for the new one behind the same address."""
    server = wired.lab.arena.placement[wired.lab.shards[1]]
    server.query("SET GLOBAL read_only = 1")
    try:
        work(wired)
        wired.wait_for_report("1290")
    finally:
        server.query("SET GLOBAL read_only = 0")


def test_g8_sessions_are_killed_at_random(wired: Wired, dice: random.Random) -> None:
    arena, killed = wired.lab.arena, 0
    for _ in range(100):
        work(wired)
        time.sleep(dice.uniform(0.05, 0.5))
        killed += _kill_a_session(dice.choice([arena.source, *arena.targets]), dice)
        if killed == 5:
            break
    assert killed == 5


def _kill_a_session(server, dice: random.Random) -> int:  # type: ignore[no-untyped-def]
    sessions = server.query("SELECT id FROM information_schema.processlist WHERE user = 'shardwright'")
    if sessions:
        (number,) = dice.choice(sessions)
        try:
            server.query(f"KILL {number}")
        except Exception as gone:
            if gone.args[0] != 1094:
                raise
            return 0
    return len(sessions[:1])


def _says(wired: Wired, holds: Callable[[], bool]) -> None:
    wired.lab.until(wired.run, "the run meets the fault", holds)
