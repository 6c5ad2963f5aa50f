"""Where the stream goes back to when a table takes its changes again, and how far the next batch has to reach."""

from __future__ import annotations

from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.position import StreamPosition
from shardwright.runtime.stream.batch.waiting_tables import replay_from


def _at(**offsets: int) -> StreamPosition:
    return StreamPosition({name: LogPosition("binlog.000007", offset, server="a") for name, offset in offsets.items()})


def _whole(position: StreamPosition) -> dict[str, tuple[int, tuple[str, int] | None]]:
    found = {}
    for name, part in position.parts.items():
        assert isinstance(part, LogPosition) and part.server == "a"
        found[name] = (part.offset, part.owed.replay_until)
    return found


def test_one_log() -> None:
    assert _whole(replay_from(_at(a=100), until=_at(a=900))) == {"a": (100, ("binlog.000007", 900))}


def test_a_log_that_stood_still_stays_where_it_is() -> None:
    found = replay_from(_at(a=100, b=50), until=_at(a=900, b=50))
    assert _whole(found) == {"a": (100, ("binlog.000007", 900)), "b": (50, None)}


def test_nothing_came_meanwhile() -> None:
    assert replay_from(_at(a=100), until=_at(a=100)).to_text() == _at(a=100).to_text()


def test_the_place_outlives_a_change_of_servers_only_as_a_place_of_the_new_one() -> None:
    """Both are of one server: `resume` has found both there."""
    start = StreamPosition({"a": LogPosition("other.000001", 10, epoch=1, server="a")})
    until = StreamPosition({"a": LogPosition("other.000003", 4, epoch=1, server="a")})
    assert _whole(replay_from(start, until=until)) == {"a": (10, ("other.000003", 4))}
