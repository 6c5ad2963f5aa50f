"""Rows that a target refuses, where several source tables make one: with a family and without. They go from one source
to another while they are dead letters (C1, C5).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.families.merged_driver import COUPONS, CUSTOMERS, DATABASES, MergedLab, goes
from tests.servers.testbed import Arena
from tests.support.dead_letters import letters
from tests.support.job import ENVIRONMENT
from tests.support.lab import SUFFIXES

_GOOD = "note <> 'bad'"
pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]


def test_c5_d13_refused_rows_go_from_source_to_source_and_come_back_whole(arena: Arena, tmp_path: Path) -> None:
    """By a chunk, and by the stream: inserts of the source that a row goes to, and updates. Of accounts with one number
    in both sources it is one of the two."""
    lab = MergedLab(arena, tmp_path)
    _may_be_held(lab)
    lab.fill_merged()
    lab.write("UPDATE lab.coupon SET note = 'bad' WHERE id = 0", "UPDATE depot.customer SET note = 'bad' WHERE id = 1")
    lab.gates.hold("after-lookup-table-filled")
    with lab.run() as run:
        lab.reach(run, "after-lookup-table-filled")
        _refuse(lab)
        lab.gates.open("after-lookup-table-filled")
        lab.until(run, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        assert set(letters(lab)) == {"0", "1", "3,depot"}
        lab.write(*goes(COUPONS, "id = 0"), *goes(CUSTOMERS[::-1], "id = 1", "place = 3"))
        lab.write("UPDATE lab.coupon SET note = 'bad' WHERE id = 2", "UPDATE depot.coupon SET place = 1 WHERE id = 0")
        lab.write(*goes(COUPONS, "id = 2", "place = 0"), *goes(COUPONS[::-1], "id = 3", "note = 'bad'"))
        lab.write(*goes(CUSTOMERS, "id = 4", "note = 'bad', place = 2"), "DELETE FROM depot.coupon WHERE id = 5")
        lab.write(*(f"UPDATE {name}.account SET place = (place + 1) % 4 WHERE id = 3" for name in DATABASES))
        lab.drain(run)
        assert set(letters(lab)) == {"0", "1", "2", "3", "4", "3,depot"}
        assert letters(lab)["3,depot"]["source_table"] == "depot.account"
        assert "6 dead letters" in lab.job.call("dead-letters", "list", "--env", ENVIRONMENT)
        assert "only on the shards: ('coupon', 3, 3, 3, '')" in lab.differences(), "nothing of a held row takes effect"
        of_others = [one for one in lab.differences() if "'coupon'" not in one and "'customer'" not in one]
        assert len(of_others) == 1 and "('account', 1, 3, 1, 'depot')" in of_others[0], (
            "the rows below follow a held row"
        )
        for place in range(4):
            name = f"account{SUFFIXES[place // 2]}"
            lab.at(place, f"ALTER TABLE {name} DROP CONSTRAINT {name}_note")
        lab.write(*(f"UPDATE {table} SET note = 'good' WHERE note = 'bad'" for table in (*COUPONS, *CUSTOMERS)))
        lab.write(*goes(COUPONS[::-1], "id = 2"))
        lab.drain(run)
        lab.job.call("dead-letters", "retry", "--env", ENVIRONMENT)
        lab.until(run, "no row is held", lambda: not letters(lab))
        lab.write(*goes(CUSTOMERS[::-1], "id = 4", "place = 0"), "UPDATE lab.customer SET place = 2 WHERE id = 1")
        lab.drain(run)
        lab.require_placed()
    lab.job.call("verify", "--env", ENVIRONMENT)


def _may_be_held(lab: MergedLab) -> None:
    spec = lab.job.project / "specs" / "lab.yaml"
    text = spec.read_text(encoding="utf-8")
    for table in ("customer", "coupon", "account"):
        held = f"  - table: {table}\n"
        assert held in text
        text = text.replace(held, f"{held}    errors: {{policy: quarantine, at_most: 3}}\n")
    spec.write_text(text, encoding="utf-8")
    lab.job.call("compile")


def _refuse(lab: MergedLab) -> None:
    for place in range(4):
        for table, wanted in (("customer", _GOOD), ("coupon", _GOOD), ("account", "id <> 3 OR shop = 'lab'")):
            name = f"{table}{SUFFIXES[place // 2]}"
            lab.at(place, f"ALTER TABLE {name} ADD CONSTRAINT {name}_note CHECK ({wanted})")
