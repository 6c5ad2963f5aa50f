"""What positions in logs and in queues answer, and that the ledgers' text of them stays as it is."""

from __future__ import annotations

import pytest

from shardwright.runtime.sources.positions.log_position import LogPosition, Origin
from shardwright.runtime.sources.positions.obligation import Obligation
from shardwright.runtime.sources.positions.part import PositionPart
from shardwright.runtime.sources.positions.queue_offsets import QueueOffsets
from shardwright.runtime.sources.positions.stream_position import StreamPosition

LOG = LogPosition("log.000007", 100, epoch=2)
QUEUE = QueueOffsets({"shop/0": 7, "shop/1": 9})


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (LogPosition("log.000007", 100), '{"s": {"file": "log.000007", "pos": 100}}'),
        (
            LogPosition(
                "log.000007",
                100,
                epoch=2,
                server="u",
                created=5,
                gtids="0-1-2",
                commit_us=7,
                origins={"0-1": Origin(2, ((3, 4),))},
                owed=Obligation(("log.000008", 4), 3),
            ),
            '{"s": {"file": "log.000007", "pos": 100, "epoch": 2, "server": "u", "created": 5, "gtids": "0-1-2", '
            '"commit_us": 7, "origins": {"0-1": [2, [3, 4]]}, "repair_from_batch": 3, "replay_until": '
            '["log.000008", 4]}}',
        ),
        (QUEUE, '{"s": {"queue": {"shop/0": 7, "shop/1": 9}}}'),
        (
            QueueOffsets({"shop/0": 7}, {"shop": "id"}, "log.000001:4", 5, {"shop/0": 3}, markers={"shop/0": 2}),
            '{"s": {"queue": {"shop/0": 7}, "ids": {"shop": "id"}, "log": "log.000001:4", "committed_at": 5, '
            '"since": {"shop/0": 3}, "markers": {"shop/0": 2}}}',
        ),
        (
            QueueOffsets(at=12.5, source="s", marker=8),
            '{"s": {"queue": {}, "at": 12.5, "source": "s", "marker": 8}}',
        ),
    ],
    ids=["log", "log, all", "queue", "queue, all", "mark"],
)
def test_a1_what_ledgers_keep(part: PositionPart, text: str) -> None:
    position = StreamPosition({"s": part})
    assert position.to_text() == text
    assert StreamPosition.from_text(text) == position and StreamPosition.from_text(text).to_text() == text


def test_a_part_that_no_source_has_written_is_refused() -> None:
    with pytest.raises(ValueError, match="no source is at"):
        StreamPosition.from_text('{"s": {"offset": 3}}')


def test_f6_a_log_that_replaces_a_lost_queue_is_behind_all_of_it() -> None:
    """While rows are copied, the ledger has high watermarks of both kinds."""
    mark = QueueOffsets(at=12.5, source="s")
    assert LOG.has_reached(QUEUE) and LOG.has_reached(mark) and not QUEUE.has_reached(LOG) and not mark.has_reached(LOG)
    assert LOG.is_past(QUEUE.short) and not QUEUE.is_past(LOG.short)


@pytest.mark.parametrize(
    ("place", "passed"), [(LogPosition("log.000007", 99, epoch=2), True), (LOG, True), (LogPosition("log.000008", 4), True)]
)  # fmt: skip
def test_a_log_has_passed_what_dead_letters_keep_of_it(place: LogPosition, passed: bool) -> None:
    assert LOG.is_past(place.short) is passed
    assert not LogPosition("log.000007", 98).is_past(place.short)


def test_a_queue_has_passed_what_dead_letters_keep_of_it() -> None:
    assert QUEUE.is_past({"shop/0": 7}) and QUEUE.is_past(QUEUE.short) and not QUEUE.is_past({"shop/1": 10})


def test_what_a_made_up_event_is_ordered_by() -> None:
    assert LOG.event_place == (2, 7, 100) and QUEUE.event_place == (-1, 0, 0)


def test_a5_only_a_log_owes_a_replay() -> None:
    end = LogPosition("log.000007", 300, epoch=2)
    assert LOG.must_replay(until=end).owed == Obligation(("log.000007", 300))
    assert LOG.must_replay(until=end).may_repeat and not LOG.may_repeat
    assert end.must_replay(until=LOG) is end and LOG.must_replay(until=LOG) is LOG
    assert QUEUE.must_replay(until=QueueOffsets({"shop/0": 8})) is QUEUE and not QUEUE.may_repeat
    assert LOG.must_repair(batch=4).repair_from_batch == 4 and QUEUE.repair_from_batch is None


def test_the_parts_that_are_in_logs() -> None:
    assert StreamPosition({"a": QUEUE, "b": LOG}).logs == {"b": LOG}
