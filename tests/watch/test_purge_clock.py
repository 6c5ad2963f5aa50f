"""How long a log still holds a position, by what a server says of its files."""

from __future__ import annotations

import pytest

from shardwright.runtime.failures import Refused, StoppedPartWay
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.run.log_retention import Retention
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.watch.purge_clock import FileTimes, KnownTimes, ServerFiles, judge_purge

HOUR = 3600.0
NOW = 1_000 * HOUR
SIZES = {"b.000007": 100, "b.000008": 200, "b.000009": 400, "b.000010": 50}
"""The log of a server that has purged six files."""
DAY = Retention(24 * HOUR, None)
NO_TIMES = FileTimes()


def _files(kept: Retention, sizes: dict[str, int] = SIZES) -> ServerFiles:
    last = list(sizes)[-1]
    return ServerFiles(sizes, LogPosition(last, sizes[last]), "it", kept, NOW)


def _time_left(place: LogPosition, kept: Retention, times: FileTimes = NO_TIMES) -> tuple[float | None, str | None]:
    clock = judge_purge(place, _files(kept), times)
    return clock.seconds_left, clock.limit


def test_b4_a_file_goes_so_long_after_it_was_closed() -> None:
    closed = FileTimes(after_place=NOW - 5 * HOUR)
    assert _time_left(LogPosition("b.000008", 4), DAY, closed) == (19 * HOUR, "time")
    assert _time_left(LogPosition("b.000008", 4), DAY, FileTimes(after_place=NOW - 30 * HOUR)) == (0.0, "time")


def test_b4_the_file_that_is_written_is_not_closed_yet() -> None:
    assert _time_left(LogPosition("b.000010", 4), DAY) == (24 * HOUR, "time")


def test_b4_without_the_files_time_the_commit_before_the_position_counts() -> None:
    """It is earlier than the end of the file, so that the clock is never too long."""
    place = LogPosition("b.000008", 4, commit_us=int((NOW - 6 * HOUR) * 1e6), created=int(NOW - 9 * HOUR))
    assert _time_left(place, DAY) == (18 * HOUR, "time")
    assert _time_left(LogPosition("b.000008", 4, created=int(NOW - 9 * HOUR)), DAY) == (15 * HOUR, "time")
    assert _time_left(LogPosition("b.000008", 4), DAY) == (None, None)


def test_b4_a_limit_of_size_is_reached_at_the_speed_of_the_last_files() -> None:
    """750 bytes in 75 s; 1,000 are kept, and 650 of them are from the position's file on."""
    times = FileTimes(recent=NOW - 75)
    assert _time_left(LogPosition("b.000008", 4), Retention(None, 1_000), times) == (35.0, "size")
    assert _time_left(LogPosition("b.000008", 4), Retention(None, 600), times) == (0.0, "size")
    assert _time_left(LogPosition("b.000008", 4), Retention(20.0, 1_000), FileTimes(NOW, NOW - 5, NOW - 75)) == (
        15.0,
        "time",
    )
    assert _time_left(LogPosition("b.000010", 4), Retention(None, 40), times) == (None, None), (
        "a file that is written stays"
    )


def test_b4_where_no_limit_is_known_files_go_as_they_went_before() -> None:
    """RDS and others purge by rules that no variable shows."""
    times = FileTimes(oldest=NOW - 10 * HOUR, after_place=NOW - 7 * HOUR)
    assert _time_left(LogPosition("b.000008", 4), Retention(None, None), times) == (3 * HOUR, "pace")
    whole = _files(Retention(None, None), {"b.000001": 10, "b.000002": 20})
    assert judge_purge(LogPosition("b.000001", 4), whole, times).seconds_left is None, "nothing was ever purged"


def test_b4_e3_a_file_that_is_gone_has_no_time_left() -> None:
    assert _time_left(LogPosition("b.000006", 4), DAY) == (0.0, "purged")
    assert _time_left(LogPosition("b.000011", 4), DAY) == (None, None), "a file that is still to come"
    assert _time_left(LogPosition("other.000006", 4), DAY) == (None, None)


def test_bytes_are_counted_over_files() -> None:
    files = _files(DAY)
    assert files.bytes_from(LogPosition("b.000008", 150)) == 50 + 400 + 50
    assert files.bytes_from(LogPosition("b.000010", 20)) == 30
    assert files.bytes_from(LogPosition("b.000006", 20)) is None


@pytest.mark.parametrize(("error", "asked"), [(Refused("SW8102", "no"), 1), (StoppedPartWay("SW8496", "gone"), 4)])
def test_a_files_time_is_asked_for_once_and_never_again_where_it_is_denied(error: Exception, asked: int) -> None:
    files: list[str] = []

    def ask(_: Endpoint, file: str) -> float:
        files.append(file)
        if file == "b.000007":
            raise error
        return NOW

    times, endpoint = KnownTimes(ask), Endpoint("h", 1, "u", "")
    for _ in range(2):
        found = times.of(endpoint, LogPosition("b.000008", 4), _files(DAY))
        assert found == FileTimes(None, NOW, None)
    assert files.count("b.000009") == 1 and files.count("b.000007") == asked
