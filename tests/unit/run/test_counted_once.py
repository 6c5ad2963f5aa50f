"""A stream that goes back on another server does not count rows without a key twice (B7, A5)."""

from __future__ import annotations

import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.run.resume import require_no_repetition, require_none_read_ahead
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from tests.compiler.projects import GOLDEN, compile_folder

AT = LogPosition("log.000002", 400)


@pytest.mark.parametrize(
    "position", [AT.must_replay(until=LogPosition("log.000002", 900)), AT.must_repair(batch=7)], ids=["part", "lost"]
)
def test_b7_changes_that_were_applied_in_part_are_refused(position: LogPosition) -> None:
    with pytest.raises(Refused, match="rows of greeting, visit have no key") as refused:
        require_no_repetition(compile_folder(GOLDEN / "counted").plan, "shop", position)
    assert refused.value.code == "SW8487"
    require_no_repetition(compile_folder(GOLDEN / "sharded").plan, "shop", position)


def test_b7_a_place_that_is_known_exactly_is_fine() -> None:
    require_no_repetition(compile_folder(GOLDEN / "counted").plan, "shop", AT)


def test_b7_another_server_is_refused_until_the_stream_is_where_rows_were_read() -> None:
    read = {"lab.visit": StreamPosition({"shop": AT, "other": LogPosition("log.000009", 4)})}
    with pytest.raises(Refused, match=r"rows of lab\.visit were read, which have no key") as refused:
        require_none_read_ahead(read, "shop", LogPosition("log.000002", 399))
    assert refused.value.code == "SW8487"
    require_none_read_ahead(read, "shop", AT)
    require_none_read_ahead(read, "a third", AT)
