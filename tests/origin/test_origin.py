"""Equal keys of several source tables are several rows on the shards, told apart by a column that says where a row is
from: while rows are copied, while they are followed, and after runs that die in between.
"""

from __future__ import annotations

import random

import pytest

from tests.interleavings.books import require_sound
from tests.origin.lab import OriginLab, happenings
from tests.workload.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]

KILLED_AT = ("after-chunk-commit", "after-stage", "after-mark-staged", "after-upsert", "before-close-batch")


def test_b11_equal_keys_are_rows_of_their_own(lab: OriginLab, dice: random.Random) -> None:
    lab.fill_all()
    lab.finish()
    lab.require_all_equal()
    lab.write_all(happenings(dice, 40))
    lab.finish()
    lab.require_all_equal()
    assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)
    lab.at(0, "UPDATE parent_0 SET remark = 'by hand' WHERE origin = 'depot' LIMIT 1")
    lab.at(1, "DELETE FROM child_0 WHERE origin = 'lab.child_b' LIMIT 1")
    lab.job.call("verify", "--env", ENVIRONMENT, expect=4)
    assert len(lab.differences()) == 3
