"""Tables that are placed through their parent: snapshot and stream, under writes, judged by the source alone."""

from __future__ import annotations

import random

import pymysql
import pytest

from tests.families.driver import FamilyLab, family, happenings
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]


def test_d13_e17_children_follow_their_parents(lab: FamilyLab, dice: random.Random) -> None:
    """Snapshot under writes, then writes that the stream takes in batches of any size, and all rows of a child go."""
    for id_ in range(0, 60, 2):
        lab.write(*family(id_, id_ % 4, children=id_ % 4, details=id_ % 3))
    lab.write("INSERT INTO child VALUES ('orphan', 4711, 'o', NULL, ''), ('none', NULL, 'p', NULL, '')")
    with lab.run(gated=False) as process:
        for transaction in happenings(dice, 100):
            lab.write(*transaction)
        lab.until(process, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        for emptied in ("", "child", "detail"):
            lab.write_all(happenings(dice, 40))
            if emptied:
                lab.write(f"TRUNCATE TABLE {emptied}")
                lab.write_all(happenings(dice, 20))
            lab.drain(process)
            lab.require_equal()
    lab.finish()
    lab.require_equal()
    lab.job.call("verify", "--env", ENVIRONMENT)


@pytest.mark.long
def test_foreign_keys_that_were_left_out_are_added_once_the_migration_has_ended(lab: FamilyLab) -> None:
    """As SW4305 and SW4209 say: by hand, where parent and child rows are on the same shard."""
    for id_ in range(8):
        lab.write(*family(id_, id_ % 4, children=0, details=2))
    with lab.run(gated=False) as process:
        lab.write(*family(9, 3, children=0, details=1))
        lab.until(process, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.drain(process)
    lab.finish()
    lab.job.call("verify", "--env", ENVIRONMENT)
    for shard in range(2):
        for suffix in ("_0", "_1"):
            key = f"FOREIGN KEY (belongs_to) REFERENCES parent{suffix} (id)"
            lab.at(shard, f"ALTER TABLE detail{suffix} ADD CONSTRAINT of_parent{suffix} {key}")
            with pytest.raises(pymysql.err.IntegrityError):
                lab.at(shard, f"INSERT INTO detail{suffix} (belongs_to, line) VALUES (4711, 1)")
    lab.require_equal()
