"""A change stands in a side's log before our own write of its row: the run had not read it when it wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.both_sides.lab import BothLab, Gate, Key
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.waiting import repeat_until_it_passes, wait_until

pytestmark = [pytest.mark.server, pytest.mark.spark]


@pytest.mark.in_turn
def test_a_change_that_our_own_write_has_replaced_is_found(arena: Arena, tmp_path: Path) -> None:
    lab, gate, key = BothLab(arena, tmp_path), Gate(tmp_path / "gate"), (3, 3)
    lab.begin()
    with lab.both_with_gate(gate):
        _meet(lab, gate, "purse", key, "value = 7", "value = 0")
        lab.until_equal()
        repeat_until_it_passes(lambda: _require(lab, "purse", "gone_and_back", "source"), seconds=30)
        assert lab.at_source("purse")[key] == (6,), "the value went away and came back"
        _meet(lab, gate, "seat", key, "value = 8")
        repeat_until_it_passes(lambda: _require(lab, "seat", "update_update", "shards"), seconds=30)
        lab.until_equal()
        assert lab.at_source("seat")[key] == (8,)
        _meet(lab, gate, "ticket", key, "value = 8")
        repeat_until_it_passes(lambda: _require(lab, "ticket", "update_update", "hold"), seconds=30)
        repeat_until_it_passes(lambda: _require_rows(lab, key, 6, 8), seconds=30)
        [held] = lab.list_held()
        lab.call("conflicts", "resolve", str(held["id"]), "--take", "source", "--env", ENVIRONMENT)
        lab.until_equal()
        assert lab.at_shards("ticket")[key] == (6,)


def _meet(lab: BothLab, gate: Gate, table: str, key: Key, *changes: str) -> None:
    """The source writes 6, and before that reaches the shards, they change the row, too."""
    gate.close()
    lab.write_source(f"UPDATE {table} SET value = 6 WHERE owner_id = {key[0]} AND id = {key[1]}")
    wait_until("the batch is about to be written", gate.reached.exists, seconds=60)
    for change in changes:
        lab.write_shards(table, key, f"UPDATE {{t}} SET {change} WHERE {{k}}")
    gate.open()


def _require(lab: BothLab, table: str, kind: str, decision: str) -> None:
    state = "held" if decision == "hold" else "closed"
    found = [(one["kind"], one["decision"], one["state"]) for one in lab.conflicts() if one["table"] == table]
    assert found == [(kind, decision, state)]


def _require_rows(lab: BothLab, key: Key, source: int, shards: int) -> None:
    assert (lab.at_source("ticket")[key], lab.at_shards("ticket")[key]) == ((source,), (shards,))
