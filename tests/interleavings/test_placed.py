"""A batch has put new rows in place when its run dies, before all of it is staged: the next batch reaches as far (C1;
A1).
"""

from __future__ import annotations

import signal

import pytest
import yaml

from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.lab import Lab
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]


@pytest.mark.long
def test_a1_the_next_batch_reaches_as_far_whatever_its_limits_are(lab: Lab) -> None:
    """The row came to one place and went to another. Read again by one transaction at a time, it would stand at
    both."""
    lab.fill({1: 0})
    lab.finish()
    lab.write("INSERT INTO child VALUES (1, 50, 0, 'new')")
    lab.write("UPDATE child SET place = 1 WHERE line = 50")
    before = lab.ledger_state()
    process = lab.start(gated=False, failpoints="before-mark-staged=kill")
    try:
        assert process.wait(timeout=PATIENCE) == -signal.SIGKILL, lab.job.end_of_log()
    finally:
        kill_tree(process)
    assert (lab.ledger_state().open_state, lab.lines(1, 1)) == ("placing", 1)
    file = lab.job.project / "environments" / f"{ENVIRONMENT}.yaml"
    environment = yaml.safe_load(file.read_text(encoding="utf-8"))
    file.write_text(yaml.safe_dump({**environment, "batch": {"max_rows": 1}}, sort_keys=False), encoding="utf-8")
    lab.finish()
    assert lab.ledger_state().batch == before.batch + 1
    lab.require_equal()
    lab.write("UPDATE child SET note = 'one'", "UPDATE child SET note = 'other'")
    lab.write("UPDATE child SET note = 'last'")
    lab.finish()
    assert lab.ledger_state().batch == before.batch + 3, "its limits count again"


@pytest.mark.in_turn
@pytest.mark.parametrize("planted", [True, False])
def test_a1_e22_a_row_that_is_not_new_makes_its_batch_merge(lab: Lab, planted: bool) -> None:
    """A batch of nothing but inserts is not merged. Then a shard has one of the rows, or a row comes twice, as its
    DELETE is in no log: the batch is decided again with a merge, also when its run dies before."""
    lab.fill({1: 0})
    lab.finish()
    lab.write("INSERT INTO child VALUES (1, 50, 0, 'first'), (1, 51, 1, 'other'), (1, 52, 2, 'third')")
    if planted:
        lab.at(0, "INSERT INTO child_0 VALUES (1, 50, 0, 'planted')")
    else:
        lab.write("SET SESSION sql_log_bin = 0", "DELETE FROM child WHERE line = 50")
        lab.write("INSERT INTO child VALUES (1, 50, 0, 'last')")
    process = lab.start(gated=False, failpoints="after-stage-cleared=kill")
    try:
        assert process.wait(timeout=PATIENCE) == -signal.SIGKILL, lab.job.end_of_log()
    finally:
        kill_tree(process)
    lab.finish()
    lab.require_equal()
