"""Both sides write all rows: what they write reaches the other side, and conflicts are found and decided."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.both_sides.lab import BothLab
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.waiting import repeat_until_it_passes

pytestmark = [pytest.mark.server, pytest.mark.spark]


def _of(found: list[dict[str, Any]], table: str, key: tuple[int, int]) -> tuple[str, str, str]:
    [one] = [one for one in found if (one["table"], tuple(map(int, one["key"]))) == (table, key)]
    return one["kind"], one["decision"], one["state"]


def test_each_policy_decides_its_table(arena: Arena, tmp_path: Path) -> None:
    lab = BothLab(arena, tmp_path)
    lab.begin()
    with lab.both() as run:
        lab.write_source("UPDATE purse SET value = 1 WHERE owner_id = 1 AND id = 1")
        lab.write_shards("purse", (2, 2), "UPDATE {t} SET value = 2 WHERE {k}")
        lab.until_equal()
        assert lab.at_source("purse")[2, 2] == (2,)
        assert lab.conflicts() == []
        with lab.freeze(run):
            for table in ("purse", "seat", "ticket"):
                lab.write_source(
                    f"UPDATE {table} SET value = 10 WHERE owner_id = 3 AND id = 3",
                    f"DELETE FROM {table} WHERE owner_id = 3 AND id = 2",
                    f"INSERT INTO {table} VALUES (3, 9, 1)",
                    f"UPDATE {table} SET value = 5 WHERE owner_id = 4 AND id = 1",
                )
                lab.write_shards(table, (3, 3), "UPDATE {t} SET value = 20 WHERE {k}")
                lab.write_shards(table, (3, 2), "UPDATE {t} SET value = 20 WHERE {k}")
                lab.write_shards(table, (3, 9), "INSERT INTO {t} VALUES (3, 9, 2)")
                lab.write_shards(table, (4, 1), "UPDATE {t} SET value = 5 WHERE {k}")
            lab.write_source("UPDATE offer SET value = 10 WHERE owner_id = 3 AND id = 3")
            lab.write_shards("offer", (3, 3), "UPDATE {t} SET value = 20 WHERE {k}")
            lab.write_source(
                "UPDATE person SET street = 'new street', visits = 7 WHERE owner_id = 1 AND id = 1",
                "UPDATE person SET city = 'here' WHERE owner_id = 2 AND id = 1",
            )
            lab.write_shards("person", (1, 1), "UPDATE {t} SET phone = '42', visits = 5, updated_at = NOW(6) WHERE {k}")
            lab.write_shards("person", (2, 1), "UPDATE {t} SET city = 'there' WHERE {k}")
            lab.write_source("UPDATE person SET visits = visits + 3 WHERE owner_id = 5 AND id = 1")
            lab.write_shards("person", (5, 1), "UPDATE {t} SET visits = visits + 3 WHERE {k}")
            lab.write_source("UPDATE person SET visits = 2147483000 WHERE owner_id = 6 AND id = 1")
            lab.write_shards("person", (6, 1), "UPDATE {t} SET visits = visits + 1000 WHERE {k}")
        held = [("ticket", (3, 3)), ("ticket", (3, 2)), ("ticket", (3, 9)), ("person", (6, 1))]
        found = lab.until_decided(14)  # rows that became alike are none
        lab.until_equal(held)
        for table, policy, deleted, state in (
            ("purse", "source", "shards", "closed"),
            ("seat", "shards", "source", "closed"),
            ("ticket", "hold", "hold", "held"),
        ):
            assert _of(found, table, (3, 3)) == ("update_update", policy, state)
            assert _of(found, table, (3, 2)) == ("delete_update", deleted, state)
            assert _of(found, table, (3, 9)) == ("insert_insert", policy, state)
        assert _of(found, "person", (1, 1)) == ("merged", "merged", "closed")
        assert _of(found, "person", (2, 1))[0] == "update_update"
        assert _of(found, "person", (5, 1)) == ("merged", "merged", "closed"), "alike, and neither has the sum"
        assert _of(found, "person", (6, 1)) == ("merged", "hold", "held"), "the sum does not fit"
        assert lab.at_source("person")[5, 1][3] == 6
        assert _of(found, "offer", (3, 3)) == ("update_update", "shards", "closed"), "the rule takes the greater one"
        assert lab.at_source("offer")[3, 3] == (20,)
        purse, seat = lab.at_source("purse"), lab.at_source("seat")
        assert (purse[3, 3], purse[3, 2], purse[3, 9], purse[4, 1]) == ((10,), (20,), (1,), (5,))
        assert (seat[3, 3], seat.get((3, 2)), seat[3, 9]) == ((20,), None, (2,))
        street, city, phone, visits, updated = lab.at_source("person")[1, 1]
        assert (street, city, phone, visits) == ("new street", "c", "42", 12) and updated.year == 2026
        assert lab.at_source("person")[2, 1][1] in ("here", "there")
        for side, rows in ((10, lab.at_source("ticket")), (20, lab.at_shards("ticket"))):
            assert rows[3, 3] == (side,)
        _resolve(lab, found)


def _resolve(lab: BothLab, found: list[dict[str, Any]]) -> None:
    """A held row may change again before an operator decides."""
    lab.write_shards("ticket", (3, 3), "UPDATE {t} SET value = 21 WHERE {k}")
    repeat_until_it_passes(lambda: _require_version(lab, 2), seconds=30)
    lab.cutover(expect=6)  # conflicts wait for a decision
    taken = {("3", "3"): "shards", ("3", "2"): "source", ("3", "9"): "source", ("6", "1"): "source"}
    for one in found:
        if one["state"] == "held":
            side = taken[tuple(one["key"])]
            lab.call("conflicts", "resolve", str(one["id"]), "--take", side, "--env", ENVIRONMENT)
    lab.until_equal()
    ticket = lab.at_source("ticket")
    assert (ticket[3, 3], ticket.get((3, 2)), ticket[3, 9]) == ((21,), None, (1,))
    assert {one["state"] for one in lab.until_decided(14)} == {"closed"}


def _require_version(lab: BothLab, version: int) -> None:
    found = [one for one in lab.conflicts() if (one["table"], one["key"]) == ("ticket", ["3", "3"])]
    assert [(one["version"], one["shards"]["value"]) for one in found] == [(version, "21")]
