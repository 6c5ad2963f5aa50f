"""What a run says while DDL keeps it out of a table, and when it looks (G1)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.runtime.events.event import emit_lines
from shardwright.runtime.failures import Unreachable
from shardwright.runtime.ledger.ddl_lock import BlockingDdl
from shardwright.runtime.run.ddl_watch import DdlWatch

HERE, THERE = "the stream waits: DDL by app@a blocks writes to lab_0.parent_1", "lab_1.parent_0"


class _Shards:
    """Answers with DDL on these tables that runs since a moment of our own clock."""

    def __init__(self) -> None:
        self.clock, self.steps, self.asked = 0.0, 0, 0
        self.since: dict[str, float] = {}
        self.said: list[str] = []
        self.watch = DdlWatch(self._find, emit_lines(self.said.append), lambda: self.steps, lambda: self.clock)

    def _find(self) -> Iterator[BlockingDdl]:
        self.asked += 1
        if self.since.get("unreachable") is not None:
            raise Unreachable("SW8101", "cannot reach lab_0")
        for table, at in self.since.items():
            yield BlockingDdl("app@a", table, int(self.clock - at))

    def look(self, *, until: float) -> None:
        while self.clock < until:
            self.clock += 5
            self.watch.look()


def test_g1_a_statement_is_mentioned_once_it_takes_long_and_again_after_a_minute() -> None:
    shards = _Shards()
    shards.since = {"lab_0.parent_1": 0}
    shards.look(until=5)
    assert shards.said == [] and shards.watch.seen_at == 5
    shards.look(until=65)
    assert shards.said == [HERE]
    shards.look(until=70)
    assert shards.said == [HERE, HERE] and shards.watch.seen_at == 70
    shards.since = {}
    shards.look(until=200)
    end = HERE.replace("waits", "continues; it has waited for 65 s")
    assert shards.said == [HERE, HERE, end] and shards.watch.seen_at == 70


def test_g1_a_commit_ends_the_wait_that_was_reported() -> None:
    shards = _Shards()
    shards.since = {"lab_0.parent_1": 0}
    shards.look(until=10)
    shards.steps += 1
    shards.look(until=15)
    assert shards.said == [HERE, HERE.replace("waits", "continues; it has waited for 5 s")]


def test_g1_statements_on_several_shards_do_not_take_turns() -> None:
    shards = _Shards()
    shards.since = {"lab_0.parent_1": 0, THERE: 0}
    shards.look(until=60)
    assert shards.said == [HERE]
    shards.since.pop("lab_0.parent_1")
    shards.look(until=65)
    assert len(shards.said) == 2 and shards.said[1].endswith(THERE)


def test_no_one_is_asked_while_the_run_makes_progress() -> None:
    shards = _Shards()
    for _ in range(9):
        shards.steps += 1
        shards.look(until=shards.clock + 5)
    assert shards.asked == 0
    shards.look(until=shards.clock + 5)
    assert shards.asked == 1


def test_a_server_that_does_not_answer_is_none_that_runs_ddl() -> None:
    shards = _Shards()
    shards.since = {"unreachable": 0}
    shards.look(until=60)
    assert shards.said == [] and shards.watch.seen_at == float("-inf")
