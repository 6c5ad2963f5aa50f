"""Each cause that logs show, and when none is named."""

from __future__ import annotations

import itertools

import pytest

from shardwright.runtime.causes.judge import RowInLogs, judge
from shardwright.runtime.causes.log_part import LogPart, part_within
from shardwright.runtime.history.facts import ChangeState
from shardwright.runtime.sources.binlog.gtid import MariadbGtids
from shardwright.runtime.sources.binlog.server_log import ServerLog
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.verify.cause import Cause, LastWriter

WRITER = LastWriter("part_0", "binlog.000001:4", "update", "part_0.item", "2026-01-01 00:00:00", None, 7, None)
STATES: tuple[ChangeState | None, ...] = ("before", "applied", "open", "ahead", None)


def test_h7_every_cause_by_what_the_logs_have() -> None:
    for state, writer, knows in itertools.product(STATES, (WRITER, None), (True, False)):
        found = judge(RowInLogs(state, writer, knows))
        if state in ("open", "ahead"):
            assert found is Cause.LATE
        elif writer is not None:
            assert found is Cause.FOREIGN_WRITER
        else:
            assert (found is Cause.LOST) == (state == "applied" and knows)
            assert found in (Cause.LOST, Cause.UNEXPLAINED)


def test_a_writer_in_words() -> None:
    assert str(WRITER) == "update at 2026-01-01 00:00:00 on server 7, binlog.000001:4"


LOG = ServerLog(
    endpoint=None,  # type: ignore[arg-type]
    identity="here",
    files=("log.000009", "log.000010", "log.000011"),
    size={"log.000009": 1_000, "log.000010": 500, "log.000011": 200},
    head=LogPosition("log.000011", 200),
    executed=None,
    purged=MariadbGtids(),
    mariadb=True,
    read_only=False,
)


@pytest.mark.parametrize(
    ("wanted", "size", "expected"),
    [
        ((), 10_000, ("log.000009", 4, True)),
        ((), 1_000, ("log.000010", 4, False)),
        ((), 100, None),
        ((LogPosition("log.000009", 600), LogPosition("log.000011", 150)), 1_100, ("log.000009", 600, True)),
        ((LogPosition("log.000009", 600), LogPosition("log.000011", 150)), 700, ("log.000010", 4, False)),
        ((LogPosition("log.000009", 600), LogPosition("log.000011", 150)), 60, ("log.000011", 150, False)),
        ((LogPosition("log.000009", 600, epoch=3, server="there"),), 10_000, ("log.000009", 4, True)),
        ((LogPosition("log.000001", 600),), 10_000, ("log.000009", 4, True)),
    ],
)
def test_the_part_of_a_log_within_a_size(
    wanted: tuple[LogPosition, ...], size: int, expected: tuple[str, int, bool] | None
) -> None:
    found = part_within(LOG, wanted, size=size)
    assert (None if found is None else (found.start.file, found.start.offset, found.is_whole)) == expected
    assert found is None or isinstance(found, LogPart)
