"""When is a start position surely gone before the stream reads it (B4)?"""

from __future__ import annotations

import pytest

from shardwright.runtime.mysql.check import Verdict
from shardwright.runtime.run.log_retention import Retention
from shardwright.runtime.run.preflight.copy_forecast import CopyForecast
from shardwright.runtime.run.preflight.retention import GONE, Turnover, judge_retention

HOUR, DAY = 3600.0, 86_400.0


@pytest.mark.parametrize(
    ("kept", "turnover", "at_rest", "is_refused"),
    [
        (Retention(HOUR, None), Turnover(300.0, 1 << 30), HOUR + 601, True),
        (
            Retention(HOUR, None),
            Turnover(300.0, 1 << 30),
            HOUR + 599,
            False,
        ),  # the file, and the next, may be there yet
        (Retention(HOUR, None), None, 100 * DAY, False),  # no file has ever been full: nothing is sure
        (Retention(None, None), Turnover(1.0, 1), 100 * DAY, False),
        (Retention(None, 4 << 30), Turnover(300.0, 1 << 30), 6 * 300 + 1, True),
        (Retention(None, 4 << 30), Turnover(300.0, 1 << 30), 6 * 300 - 1, False),
        (Retention(30 * DAY, 4 << 30), Turnover(300.0, 1 << 30), HOUR, True),  # whichever comes first
        (
            Retention(1.0, None),
            Turnover(1.0, 1),
            0.0,
            False,
        ),  # the stream is followed: the log need not outlive the copy
    ],
)
def test_b4_refused_only_when_the_start_is_surely_gone(
    kept: Retention, turnover: Turnover | None, at_rest: float, is_refused: bool
) -> None:
    check = judge_retention(kept, CopyForecast(0.0, at_rest, ""), rows=10, turnover=turnover, where="source")
    assert (check.verdict is Verdict.REFUSED, check.code) == (is_refused, GONE if is_refused else ""), check


def test_b4_a_copy_that_is_measured_to_take_longer_than_the_log_is_kept_is_warned_of() -> None:
    forecast = CopyForecast(3 * DAY, 0.0, "2,000 rows/s are read, measured on orders")
    check = judge_retention(Retention(2 * DAY, None), forecast, rows=1_000_000, turnover=None, where="source")
    assert (check.verdict, check.code) == (Verdict.WARNING, "")
    assert check.found == (
        "kept for 2 d; copying may take 3 d (at least 3 d: 2,000 rows/s are read, measured on orders)"
    )
    assert check.way_out == f"SET GLOBAL binlog_expire_logs_seconds = {7 * DAY:.0f}"
