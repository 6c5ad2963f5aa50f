"""A stream that goes back on another server does not count rows without a key twice (B7, A5)."""

from __future__ import annotations

import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.run.resume import require_counted_once
from shardwright.runtime.sources.binlog.obligation import must_repair, must_replay
from shardwright.runtime.sources.binlog.position import LogPosition
from tests.compiler.projects import GOLDEN, compiled

AT = LogPosition("log.000002", 400)


@pytest.mark.parametrize(
    "position", [must_replay(AT, until=LogPosition("log.000002", 900)), must_repair(AT, batch=7)], ids=["part", "lost"]
)
def test_b7_changes_that_were_applied_in_part_are_refused(position: LogPosition) -> None:
    with pytest.raises(Refused, match="rows of greeting, visit have no key") as refused:
        require_counted_once(compiled(GOLDEN / "counted").plan, "shop", position)
    assert refused.value.code == "SW8487"
    require_counted_once(compiled(GOLDEN / "sharded").plan, "shop", position)


def test_b7_a_place_that_is_known_exactly_is_fine() -> None:
    require_counted_once(compiled(GOLDEN / "counted").plan, "shop", AT)
