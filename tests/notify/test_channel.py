"""A channel's thread and queue: what waits, what is tried again, what is dropped, and that no one waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.notify import NotificationFailed, NotificationsCut
from shardwright.runtime.events.run import RunStarted
from shardwright.runtime.events.stream import CaughtUp
from shardwright.runtime.notify.channel import MOST_WAITING, Answer, Channel, DeliveryFailed, Report
from shardwright.runtime.notify.message import Message, Origin, message_of
from shardwright.runtime.notify.notifier import Notifier
from shardwright.runtime.notify.rules import Notice, NoticeRules
from shardwright.specs.environment.notifications import ChannelSetting, EventSettings, Kind, ProgramSetting
from tests.support.waiting import wait_until

ORIGIN = Origin("orders-split", "staging")
STARTED = RunStarted("f00", 1, 4)


def message(kind: Kind, number: int = 0) -> Message:
    return message_of(Notice((kind,), STARTED, f"number {number}"), kind, ORIGIN)


@dataclass
class Way:
    """A transport in the test's hands: each attempt calls `does`, which may wait or raise."""

    does: Callable[[Message], None] = lambda _: None
    given: list[str] = field(default_factory=list)

    def deliver(self, message: Message, *, seconds: float) -> Answer:
        self.given.append(f"{message.kind} {message.document['sentence']}")
        self.does(message)
        return Answer("took it", "and repeats the message")


@dataclass
class Records:
    lines: list[tuple[str, str]] = field(default_factory=list)
    events: list[RunEvent] = field(default_factory=list)

    @property
    def report(self) -> Report:
        return Report(lambda what, detail: self.lines.append((what, detail)), self.events.append)


@contextmanager
def channel(way: Way, records: Records, **settings: Any) -> Iterator[Channel]:
    made = Channel(ChannelSetting("chat", ProgramSetting(("x",)), **settings), way, records.report)
    yield made
    with suppress(RuntimeError):
        made.begin_end()
        made.join(until=time.monotonic() + 5, waited=5.0)


def end(found: Channel, seconds: float = 5.0) -> None:
    found.begin_end()
    found.join(until=time.monotonic() + seconds, waited=seconds)


def test_messages_come_in_order_and_each_is_a_line() -> None:
    way, records = Way(), Records()
    with channel(way, records) as found:
        for number in range(3):
            found.put(message("lag", number))
        end(found)
    assert way.given == ["lag number 0", "lag number 1", "lag number 2"]
    assert records.lines == [("notification delivered", "chat: lag: took it")] * 3
    assert records.events == []


def test_a_failure_is_tried_again_and_counted() -> None:
    def fail_once(_: Message) -> None:
        if len(way.given) < 2:
            raise DeliveryFailed("answered with status 500", "a secret of the other side")

    way, records = Way(fail_once), Records()
    with channel(way, records) as found:
        found.put(message("failed"))
        wait_until("it is delivered", lambda: records.lines, seconds=20)
    assert records.lines == [("notification delivered", "chat: failed: took it, attempt 2")]


def test_what_cannot_pass_is_tried_once_and_said_in_full_to_the_operator_alone() -> None:
    def refuse(_: Message) -> None:
        raise DeliveryFailed("answered with status 404", "no such room", may_pass=False)

    way, records = Way(refuse), Records()
    with channel(way, records) as found:
        found.put(message("failed"))
        end(found)
    assert records.lines == [("notification failed", "chat: failed: answered with status 404")]
    assert records.events == [NotificationFailed("chat", "failed", 1, "answered with status 404: no such room")]
    assert len(way.given) == 1


def test_a_transport_with_a_bug_ends_no_channel() -> None:
    def fail(message: Message) -> None:
        if message.kind == "lag":
            raise KeyError("a value")

    way, records = Way(fail), Records()
    with channel(way, records) as found:
        found.put(message("lag"))
        found.put(message("failed"))
        end(found)
    assert records.lines == [
        ("notification failed", "chat: lag: KeyError"),
        ("notification delivered", "chat: failed: took it"),
    ]


def test_a_full_queue_drops_the_oldest_of_its_kind_and_never_waits() -> None:
    gate = threading.Event()
    way, records = Way(lambda _: gate.wait(60) and None), Records()
    with channel(way, records) as found:
        found.put(message("started", 1))
        wait_until("it is being delivered", lambda: way.given, seconds=20)
        found.put(message("failed", 2))
        found.put(message("finished", 3))
        for number in range(10, 10 + MOST_WAITING + 8):
            found.put(message("lag", number))  # all of them while the first one hangs
        found.put(message("paused", 99))  # of which none waits: the oldest of all goes
        assert way.given == ["started number 1"]
        gate.set()
        end(found)
    kept = [f"lag number {number}" for number in range(10 + 10, 10 + MOST_WAITING + 8)]
    assert way.given == ["started number 1", "finished number 3", *kept, "paused number 99"]
    assert records.lines[:2] == [
        ("notification delivered", "chat: started: took it"),
        ("notifications dropped", "chat: 11, its queue was full"),
    ]


def test_the_end_of_a_command_waits_for_no_pause_and_not_for_a_channel_that_hangs() -> None:
    """What waits for its next attempt gets one more; what hangs is named and left."""
    gate = threading.Event()

    def fail(found: Message) -> None:
        if found.kind == "lag":
            raise DeliveryFailed("answered with status 503")

    pausing, hanging, records = Way(fail), Way(lambda _: gate.wait(60) and None), Records()
    with channel(pausing, records, retry_seconds=3600.0) as first, channel(hanging, records) as second:
        notifier = Notifier(NoticeRules(EventSettings()), [first, second], ORIGIN, flush=0.5)
        first.put(message("lag"))
        wait_until("it pauses, for a second at least", lambda: pausing.given, seconds=60)
        notifier.handle(STARTED)
        notifier.handle(CaughtUp("the source", "p"))
        wait_until("one hangs", lambda: hanging.given, seconds=20)
        notifier.close()
        assert set(records.lines) == {
            (
                "notification failed",
                f"chat: lag: answered with status 503, attempt {pausing.given.count('lag number 0')}",
            ),
            ("notification delivered", "chat: started: took it"),
            ("notification delivered", "chat: caught_up: took it"),
            ("notifications cut", "chat: started, caught_up"),
        }
        assert NotificationsCut("chat", ("started", "caught_up"), 0.5) in records.events
        before = list(records.lines)
        gate.set()
        wait_until("its thread has ended", lambda: not second._thread.is_alive(), seconds=20)
        assert records.lines == before, "what was cut says nothing later"


def test_a_channel_gets_its_kinds_and_of_several_the_first() -> None:
    from shardwright.runtime.events.run import RunFailed

    all_kinds, only_failed, records = Way(), Way(), Records()
    with channel(all_kinds, records) as first, channel(only_failed, records, kinds=("failed",)) as second:
        notifier = Notifier(NoticeRules(EventSettings()), [first, second], ORIGIN)
        notifier.handle(STARTED)
        notifier.handle(RunFailed("SW8114", "ALTER TABLE t"))
        notifier.close()
    assert [one.split()[0] for one in all_kinds.given] == ["started", "ddl_stop"]
    assert [one.split()[0] for one in only_failed.given] == ["failed"]
