"""One run that follows the stream: what a batch may hold, what readers see of it, and what it must refuse.

Nothing is copied any more, so nothing gives way: every statement must come out right by itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from tests.interleavings import scenarios
from tests.interleavings.conftest import Live
from tests.interleavings.scenarios import Scenario
from tests.servers.fixtures import Some
from tests.support.lab import SHARDS, move, new_family, remove

pytestmark = [pytest.mark.server, pytest.mark.spark]
each_group = pytest.mark.parametrize("group", scenarios.ALL.values(), ids=scenarios.ALL)


@pytest.mark.in_turn
@each_group
def test_d9_d10_d11_d13_all_in_one_batch(live: Live, group: Sequence[Scenario]) -> None:
    """Every story at once: each must come out right beside the others."""
    _begin(live, group)
    with live.lab.observe():
        live.lab.one_batch(live.run, *(transaction for scenario in group for transaction in scenario.transactions))
    live.lab.require_equal()


@pytest.mark.long
def test_d9_d10_d11_d13_over_several_batches(live: Live, some: Some) -> None:
    """The first transaction of every story in one batch, the second in the next one: the shards are equal after each.
    One group by the seed; all of them in `make test-all`."""
    for name in some(tuple(scenarios.ALL), 1):
        print(name)
        group = scenarios.ALL[name]
        _begin(live, group)
        with live.lab.observe():
            for transactions in itertools.zip_longest(*(scenario.transactions for scenario in group)):
                live.lab.one_batch(live.run, *(transaction for transaction in transactions if transaction))
                live.lab.require_equal()


def test_details_are_there_before_their_parent(live: Live) -> None:
    lab, gates = live.lab, live.lab.gates
    with lab.observe():
        lab.gather(live.run, new_family(400, 0), new_family(401, 1))
        _stop_between_weights(live, "upsert")
        assert [lab.lines(400, 0), lab.lines(401, 1)] == [2, 2]
        assert [lab.places(400), lab.places(401)] == [[], []]
        gates.open_all()
        lab.drain(live.run)
    assert [lab.places(400), lab.places(401)] == [[0], [1]]


def test_parent_is_gone_before_its_details(live: Live) -> None:
    lab, gates = live.lab, live.lab.gates
    lab.fill({410: 0, 411: 1})
    lab.drain(live.run)
    with lab.observe():
        lab.gather(live.run, remove(410), remove(411))
        _stop_between_weights(live, "delete")
        assert [lab.places(410), lab.places(411)] == [[], []]
        assert [lab.lines(410, 0), lab.lines(411, 1)] == [2, 2]
        gates.open_all()
        lab.drain(live.run)
    assert [lab.lines(410, 0), lab.lines(411, 1)] == [0, 0]


def test_d13_a_family_is_whole_at_its_new_place_before_it_leaves_the_old_one(live: Live) -> None:
    """A row that only moves is never in no shard, and it leaves parents first."""
    lab, gates = live.lab, live.lab.gates
    lab.fill({420: 0, 421: 3})
    lab.drain(live.run)
    with lab.observe():
        lab.gather(live.run, move(420, 1), move(420, 2), move(421, 2), move(421, 0))
        gates.hold("before-move-out")
        gates.open("before-open-batch")
        lab.reach(live.run, "before-move-out")
        assert lab.places(420) == [0, 2]
        assert lab.places(421) == [0, 3]
        assert [lab.lines(420, 2), lab.lines(421, 0)] == [2, 2]
        _stop_between_weights(live, "move_out")
        assert [lab.places(420), lab.places(421)] == [[2], [0]]
        assert [lab.lines(420, 0), lab.lines(421, 3)] == [2, 2], "details left before their parents"
        gates.open_all()
        lab.drain(live.run)
    assert [lab.lines(420, 0), lab.lines(421, 3)] == [0, 0]


def test_d12_a_foreign_row_that_holds_the_value_stops_the_run(live: Live) -> None:
    """Both rows are named, nothing of the sub-step stands, and the run goes on once the foreign row is gone."""
    lab = live.lab
    lab.fill({430: 0, 431: 1})
    lab.drain(live.run)
    lab.at(0, "INSERT INTO parent_0 VALUES (999430, 0, 'wanted', 'foreign')")
    lab.gather(
        live.run,
        "UPDATE parent SET name = 'wanted', note = 'ours' WHERE id = 430",
        "UPDATE parent SET note = 'other' WHERE id = 431",
        ["UPDATE child SET note = 'ours' WHERE id = 430"],
    )
    lab.gates.open_all()
    said = lab.wait_for_end(live.run, code=6, saying="SW8303")
    assert "lab_0.parent_0" in said and "(430)" in said and "(999430)" in said
    assert lab.at(0, "SELECT name, note FROM parent_0 WHERE id IN (430, 999430) ORDER BY id") == [
        ("n430", ""),
        ("wanted", "foreign"),
    ]
    lab.job.call("run", "--env", "test", "--until", "caught-up", expect=6)
    assert lab.at(0, "SELECT note FROM parent_0 WHERE id = 999430") == [("foreign",)]
    lab.at(0, "DELETE FROM parent_0 WHERE id = 999430")
    lab.finish()
    lab.require_equal()


def _begin(live: Live, group: Sequence[Scenario]) -> None:
    """The families of the stories stand, and no others: they may have been used before."""
    live.lab.write("DELETE FROM child WHERE id >= 100", "DELETE FROM parent WHERE id >= 100")
    for scenario in group:
        live.lab.fill(scenario.before)
    live.lab.drain(live.run)


def _stop_between_weights(live: Live, action: str) -> None:
    """Let the first weight's sub-step of `action` finish on every shard and hold the second one."""
    lab, gates = live.lab, live.lab.gates
    first = f"{action}:{5 if action == 'upsert' else 10}"
    place = action.replace("_", "-")
    gates.hold(f"after-{place}")
    gates.open("before-open-batch", f"before-{place}")

    def is_done() -> bool:
        ledger_state = lab.ledger_state()
        return all((ledger_state.open_batch, first) in ledger_state.steps[shard] for shard in SHARDS)

    lab.until(live.run, f"{first} is done on both shards", is_done)
    gates.hold(f"before-{place}")
    gates.open(f"after-{place}")
    lab.reach(live.run, f"before-{place}")
