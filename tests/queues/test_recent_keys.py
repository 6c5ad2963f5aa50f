"""How long rows are remembered: as long as an older change of one may still be unread."""

from __future__ import annotations

from dataclasses import dataclass, field

from shardwright.runtime.sources.queue.order import RecentKeys


@dataclass
class Queue:
    ends: dict[str, int] = field(default_factory=lambda: {"t/0": 0, "t/1": 0})
    now: float = 0.0


def make_recent_keys(queue: Queue) -> RecentKeys:
    return RecentKeys(lambda: dict(queue.ends), 10.0, dict(queue.ends), clock=lambda: queue.now)


def test_f3_a_row_seen_in_two_partitions_is_noticed_in_every_later_batch() -> None:
    recent = make_recent_keys(Queue())
    assert recent.note([(1, "t/0"), (2, "t/1")]) is None
    assert recent.note([(1, "t/0")]) is None
    assert recent.note([(3, "t/0"), (2, "t/0")]) == 2


def test_f3_rows_are_remembered_until_nothing_older_can_be_unread() -> None:
    queue = Queue()
    recent = make_recent_keys(queue)
    recent.note([(1, "t/0")])
    queue.now = 11.0
    recent.forget_before({"t/0": 5, "t/1": 0})  # a settling time later: this span of rows is complete
    queue.now, queue.ends = 22.0, {"t/0": 9, "t/1": 4}
    recent.forget_before({"t/0": 9, "t/1": 1})  # t/1 holds messages that may be older
    assert recent.note([(1, "t/1")]) == 1
    assert recent.since == {"t/0": 0, "t/1": 0}
    recent.forget_before({"t/0": 9, "t/1": 4})
    assert recent.since == {"t/0": 5, "t/1": 0}
    assert recent.note([(7, "t/1")]) is None
