"""What a run waits for: every wait that begins ends, and lines of one that lasts come at growing intervals."""

from __future__ import annotations

import io
import json
import sys
import threading

import pytest

from shardwright.runtime.events.copy import ChunkCopied, ChunksWaiting, EarlierRows, IndexProgress, ReplicaWait
from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.run import (
    CommandStarted,
    OperatorPause,
    OperatorResume,
    PlanRead,
    Retry,
    RunFailed,
    RunStarted,
    SourceBack,
    SourceIsolated,
    SparkStarted,
    SparkStarting,
    StepStarted,
    StillWaiting,
    Throttle,
)
from shardwright.runtime.events.stream import BatchApplied, RowsLocked, StreamBlocked
from shardwright.runtime.run.progress.listeners import JsonMessages, PlainLines, Reporter
from shardwright.runtime.run.progress.waits import Waits, WaitWatch


def _chunk(table: str) -> ChunkCopied:
    return ChunkCopied(table, 5, 5, 9, f"{table}/1", 1, 0, None, None, None)


PAIRS: dict[str, tuple[RunEvent, RunEvent]] = {
    "loading": (CommandStarted("run", "prod"), PlanRead("shop", "4711", "forward")),
    "step": (StepStarted("checking servers"), SparkStarted(3.0)),
    "Spark": (SparkStarting(), SparkStarted(3.0)),
    "throttle": (Throttle("copying", "replica r is 12 s behind"), Throttle("copying", "replica r keeps up", 30.0)),
    "pause": (OperatorPause("paused by me", "control resume"), OperatorResume("me")),
    "source": (SourceIsolated("b", "SW8101: cannot reach b"), SourceBack("b")),
    "DDL": (StreamBlocked("DDL by app@a blocks writes to t"), StreamBlocked("DDL by app@a blocks writes to t", 65.0)),
    "locked rows": (RowsLocked("shop_1", 4, "1205 held by app@a\nmore"), BatchApplied(4, 1, "p", None, 1.0)),
    "replica": (ReplicaWait("r:3306", "source"), ReplicaWait("r:3306", "source", 4.0)),
    "chunks": (ChunksWaiting(("t",), ("weight 1",), "p2", "p1"), _chunk("t")),
    "indexes": (IndexProgress("t", 0, 2, ("i",)), IndexProgress("t", 2, 2)),
    "rows": (EarlierRows("t", "shop_1", "removing", 5, "t_0"), EarlierRows("t", "shop_1", "removed", 5, "t_0")),
    "server": (Retry("SW8101", "SW8101: cannot reach 10.0.0.8", 2.0, 300.0), RunStarted("f", 3, 0)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_what_begins_is_shown_in_one_line_with_its_seconds_and_ends(name: str) -> None:
    clock = [100.0]
    waits = Waits(lambda: clock[0])
    begin, end = PAIRS[name]
    waits.handle(begin)
    clock[0] += 2
    if name not in ("step", "Spark"):
        waits.handle(begin)  # reported again: it has lasted since the first time
    clock[0] += 5
    ((what, seconds),) = waits.current()
    assert seconds == 7 and "\n" not in what and what
    waits.handle(end)
    assert waits.current() == []


def test_what_an_operator_has_paused_is_one_wait() -> None:
    waits = Waits()
    waits.handle(OperatorPause("paused by me", "control resume"))
    for work in ("copying", "writing"):
        waits.handle(Throttle(work, "paused by me; replica r is 12 s behind"))
    assert [what for what, _ in waits.current()] == ["paused by me"]
    waits.handle(OperatorResume("me"))
    waits.handle(Throttle("copying", "replica r is 12 s behind"))
    assert [what for what, _ in waits.current()] == ["copying pauses: replica r is 12 s behind"]


def test_a_failed_attempt_ends_what_it_waited_for_but_no_outage() -> None:
    waits = Waits()
    for begin, _ in PAIRS.values():
        waits.handle(begin)
    kept = {what.partition(" ")[0] for what, _ in waits.current()}
    assert kept == {"b", "the", "another"}  # the isolated source, the stream that waits for DDL, the attempt to come
    waits.handle(RunFailed("SW8101", "SW8101: cannot reach 10.0.0.8"))
    assert waits.current() == []


def test_lines_come_after_five_seconds_and_then_less_and_less_often() -> None:
    clock = [0.0]
    waits = Waits(lambda: clock[0])
    waits.handle(SparkStarting())
    reported = []
    while clock[0] < 1500:
        clock[0] += 1
        reported += [line.seconds for line in waits.due()]
    assert reported == [5, 10, 20, 40, 80, 160, 320, 620, 920, 1220]
    assert StillWaiting("starting Spark", 80.0).sentence == "still waiting after 1 min: starting Spark"


def test_the_watch_prints_into_the_log_until_it_ends() -> None:
    out, clock = io.StringIO(), [0.0]
    waits = Waits(lambda: clock[0])
    reporter = Reporter([waits, PlainLines(out)])
    reporter.emit(SparkStarting())
    printed = threading.Event()

    def emit(event: RunEvent) -> None:
        reporter.emit(event)
        printed.set()

    watch = WaitWatch(waits, emit)
    clock[0] = 6.0
    watch.begin()
    assert printed.wait(10)
    watch.end()
    reporter.close()
    reporter.emit(SparkStarting())  # a thread that is late writes to nothing
    lines = out.getvalue().splitlines()
    assert lines[0].endswith("] starting Spark") and lines[1].endswith("] still waiting after 6 s: starting Spark")
    assert len(lines) == 2


def test_all_of_stderr_is_json_whatever_prints() -> None:
    raw = io.StringIO()
    messages = JsonMessages(raw)
    print("warning: a \x1b[31mred\x1b[0m one", file=messages)  # type: ignore[call-overload]
    messages.write("in two ")
    other = threading.Thread(target=lambda: messages.write("between\n"))
    other.start()
    other.join()
    messages.writelines(["parts\n", "\n"])
    found = [json.loads(line) for line in raw.getvalue().splitlines()]
    assert [one["text"] for one in found] == ["warning: a \x1b[31mred\x1b[0m one", "between", "in two parts"]
    assert {one["event"] for one in found} == {"Message"} and not messages.isatty()
    assert sys.stderr is not messages
