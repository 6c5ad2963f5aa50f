"""Which events become messages, of which kind, and how often."""

from __future__ import annotations

import pytest

from shardwright.runtime.events.compare import ComparisonDiffers
from shardwright.runtime.events.copy import SnapshotComplete
from shardwright.runtime.events.cutover import CutoverGivenUp, CutoverIncomplete, CutoverProgress, MigrationFinished
from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.notify import NotificationFailed
from shardwright.runtime.events.rounds import ConflictFound
from shardwright.runtime.events.run import (
    DirectionTurned,
    LogPurgeNear,
    OperatorPause,
    OperatorResume,
    RunFailed,
    RunFinished,
    RunStarted,
)
from shardwright.runtime.events.stream import BatchApplied, CaughtUp, Lag, MoreQuarantined, RowQuarantined
from shardwright.runtime.notify.rules import DDL_STOPS, NoticeRules
from shardwright.specs.environment.notifications import KINDS, EventSettings
from shardwright.specs.findings.codes.registry import find_code

STARTED = RunStarted("f00", 1, 4)
FINISHED = RunFinished("caught up", "p", 1.0, 2, 1.0, 3, 0, False)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def rules(clock: Clock | None = None, **settings: float) -> NoticeRules:
    return NoticeRules(EventSettings(**settings), clock or Clock())


def kinds(found: NoticeRules, *events: RunEvent) -> list[str]:
    """What each gives: "lag", "lag ended", or "" for nothing. Of several kinds, all of them."""
    notices = map(found.notice_of, events)
    return ["" if one is None else "+".join(one.kinds) + (" ended" if one.ended else "") for one in notices]


def batch(lag: float | None) -> BatchApplied:
    return BatchApplied(1, 1, "p", lag, 0.1)


EVENTS = (
    (STARTED, "started"),
    (SnapshotComplete(), "snapshot_complete"),
    (SnapshotComplete(resumed=True), ""),
    (CaughtUp("the source", "p"), "caught_up"),
    (batch(60.1), "lag"),
    (batch(60.0), ""),
    (batch(None), ""),
    (Lag(1, "p", 99.0), "lag"),
    (LogPurgeNear("source", "soon"), "purge_clock"),
    (OperatorPause("paused by me", "resume"), "paused"),
    (OperatorResume("me"), ""),
    (RowQuarantined(False, "t:1", "SW8511", "refused"), "dead_letter"),
    (RowQuarantined(True, "t:1", "SW8511", "moved"), ""),
    (MoreQuarantined(True, 7), ""),
    (ConflictFound("orders (1)", "update_update", "hold"), "conflict"),
    (ConflictFound("orders (1)", "update_update", "source"), ""),
    (RunFailed("SW8114", "ALTER TABLE"), "ddl_stop+failed"),
    (RunFailed("SW8133", "purged"), "failed"),
    (ComparisonDiffers(("orders",), 2, ()), "verify_differs"),
    (CutoverProgress("fenced", "writes are stopped"), "fence_set"),
    (CutoverProgress("drained", "all is applied"), ""),
    (CutoverProgress("switched", "done", writes_to="shards"), "switched"),
    (CutoverProgress("switched", "done", writes_to="source"), "rolled_back"),
    (CutoverIncomplete("run `cutover abort`"), "failed"),
    (CutoverGivenUp("source", "too late"), ""),
    (MigrationFinished("shards"), "finished"),
    (FINISHED, "finished"),
    (NotificationFailed("chat", "lag", 3, "status 500"), ""),
)


@pytest.mark.parametrize(
    ("event", "kind"),
    EVENTS,
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_the_kind_of_an_event(event: RunEvent, kind: str) -> None:
    assert kinds(rules(), event) == [kind]


def test_each_kind_has_an_event() -> None:
    assert {kind for _, found in EVENTS for kind in found.split("+") if kind} == set(KINDS)


def test_what_a_run_reports_at_each_attempt_is_sent_once_and_again_after_a_turn() -> None:
    attempt = (STARTED, SnapshotComplete(), CaughtUp("the source", "p"))
    found = rules()
    assert kinds(found, *attempt, *attempt) == ["started", "snapshot_complete", "caught_up", "", "", ""]
    assert kinds(found, DirectionTurned("backward"), *attempt) == ["", "started", "", "caught_up"]


def test_lag_begins_and_ends_once_although_it_swings() -> None:
    found = rules(lag_above_seconds=10.0)
    lags = (3.0, 10.0, 11.0, 500.0, 9.0, 5.1, 12.0, 5.0, 0.0, 10.5)
    assert kinds(found, *map(batch, lags)) == ["", "", "lag", "", "", "", "", "lag ended", "", "lag"]
    notice = found.notice_of(Lag(1, "p", 0.0))
    assert notice is not None and notice.sentence == "the stream is 0 s behind again"


def test_a_pause_ends_and_a_new_attempt_reports_one_that_holds() -> None:
    pause, resume = OperatorPause("paused", "resume"), OperatorResume("me")
    assert kinds(rules(), pause, pause, resume, resume, pause) == ["paused", "", "paused ended", "", "paused"]
    assert kinds(rules(), pause, STARTED, pause) == ["paused", "started", "paused"]


def test_the_fence_of_a_cutover_that_is_given_up_has_ended() -> None:
    fenced, opened = CutoverProgress("fenced", ""), CutoverGivenUp("source", "rehearsed")
    assert kinds(rules(), opened, fenced, opened) == ["", "fence_set", "fence_set ended"]


def test_b4_the_purge_clock_is_sent_once_a_source_until_it_was_quiet() -> None:
    clock = Clock()
    found = rules(clock, purge_below_seconds=3600.0)
    near, far, by_size = (LogPurgeNear("a", "m", 3599.0), LogPurgeNear("a", "m", 3600.0), LogPurgeNear("b", "m"))
    assert kinds(found, far, near, near, by_size) == ["", "purge_clock", "", "purge_clock"]
    for _ in range(4):  # a run looks every five minutes
        clock.now += 300
        assert kinds(found, near) == [""]
    clock.now += 901
    assert kinds(found, near) == ["purge_clock"]


def test_dead_letters_are_named_at_once_then_once_a_minute_and_the_rest_at_the_end() -> None:
    clock = Clock()
    found = rules(clock)
    letters = [RowQuarantined(False, f"t:{number}", "SW8511", "refused") for number in range(4)]
    assert kinds(found, letters[0], letters[1], MoreQuarantined(False, 10)) == ["dead_letter", "", ""]
    clock.now = 60.0
    notice = found.notice_of(letters[2])
    assert notice is not None and notice.sentence == "new dead letter: t:1: SW8511: refused; 11 more rows"
    assert found.rest() is None
    assert kinds(found, letters[3]) == [""]
    rest = found.rest()
    assert rest is not None and rest.sentence == "new dead letter: t:3: SW8511: refused"
    assert found.rest() is None


def test_the_codes_of_ddl_stops_are_about_ddl() -> None:
    """Each has an explanation, and those that are none of them are about something else."""
    assert all(find_code(code) for code in DDL_STOPS)
    assert DDL_STOPS.isdisjoint({"SW8549", "SW8133", "SW8512"})
