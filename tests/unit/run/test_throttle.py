"""The throttle's arithmetic: caps that hold over any stretch, limits with a way back, connections that follow from
chunks (G7, G8).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.events.event import emit_lines
from shardwright.runtime.failures import Unreachable
from shardwright.runtime.rehearsal.sandbox.local import free_port
from shardwright.runtime.run.throttle.connections import chunks_at_once
from shardwright.runtime.run.throttle.gauge import Gauge, NoFigure
from shardwright.runtime.run.throttle.pace import CREDIT_SECONDS, Allowance
from shardwright.runtime.run.throttle.replica_lag import replica_states
from shardwright.runtime.run.throttle.source_commits import COMMIT, LOG, Mean, why_unknown
from shardwright.runtime.run.throttle.throttler import Throttler
from shardwright.specs.environment.environment import ThrottleSettings
from shardwright.specs.environment.read import parse_environment

WORK = st.lists(st.tuples(st.floats(0, 30), st.floats(0, 5000)), min_size=1, max_size=40)


@given(rate=st.floats(1, 10_000), work=WORK)
def test_g7_no_stretch_of_time_has_more_rows_than_the_cap_allows(
    rate: float, work: Sequence[tuple[float, float]]
) -> None:
    """Each unit begins when the allowance lets it, takes a while, and is counted when it is done."""
    allowance, now = Allowance(rate, now=0.0), 0.0
    done: list[tuple[float, float]] = []
    for seconds, rows in work:
        now += allowance.wait_seconds(now)
        assert allowance.wait_seconds(now) < 1e-6
        now += seconds
        allowance.take(rows, now=now)
        done.append((now, rows))
    for first, (begun, _) in enumerate(done):
        rows_since = 0.0
        for at, rows in done[first + 1 :]:
            under_way = rows
            assert rows_since <= rate * (at - begun + CREDIT_SECONDS) * 1.0001 + 1e-6
            rows_since += under_way


@given(work=WORK)
def test_without_a_cap_nothing_waits(work: Sequence[tuple[float, float]]) -> None:
    allowance = Allowance(None, now=0.0)
    for seconds, rows in work:
        allowance.take(rows, now=seconds)
        assert allowance.wait_seconds(seconds) == 0.0


def test_a_cap_that_changes_keeps_what_is_owed_and_forgets_what_was_saved() -> None:
    allowance = Allowance(100.0, now=0.0)
    allowance.take(1000, now=0.0)
    assert allowance.wait_seconds(0.0) == 10.0
    allowance.change(1000.0, now=0.0)
    assert allowance.wait_seconds(0.0) == 1.0
    allowance.change(10.0, now=100.0)
    allowance.take(1, now=100.0)
    assert allowance.wait_seconds(100.0) == pytest.approx(0.1)
    allowance.change(None, now=100.0)
    assert allowance.wait_seconds(100.0) == 0.0


def test_g7_a_figure_above_its_limit_must_fall_well_below_it() -> None:
    figures = iter([10.0, 11.0, 9.0, 8.1, 8.0, 9.0, 10.0])
    gauge = Gauge("it", 10, lambda: next(figures), "is high", "is low")
    assert [bool(gauge.why_pause()) for _ in range(7)] == [False, True, True, True, False, False, False]


def test_g7_what_cannot_be_read_pauses_whatever_the_reason() -> None:
    failures: Iterator[Exception] = iter([NoFigure("so"), Unreachable("SW8101", "cannot reach it"), OSError(5, "gone")])

    def read() -> float:
        for failure in failures:
            raise failure
        return 0.0

    said: list[str] = []
    throttler = Throttler(
        "writing", [Gauge("it", 10, read, "is high", "answers")], emit_lines(said.append), lambda: False
    )
    assert throttler.wait() and not throttler.wait()
    assert [line.partition(" s: ")[2] or line for line in said] == [
        "writing pauses: it gives no reading (so)",
        "writing pauses: it gives no reading (cannot reach it)",
        "writing pauses: it gives no reading (5 gone)",
        "it answers",
    ]


def test_what_holds_is_reported_without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also to one that asks while another waits."""
    monkeypatch.setattr("shardwright.runtime.run.throttle.throttler.EVERY_SECONDS", 0.0)
    figures, reported = [20.0], list[str]()

    def meanwhile() -> None:
        reported.append(throttler.why_pause())
        figures[0] = 1.0

    throttler = Throttler(
        "writing", [Gauge("it", 10, lambda: figures[0], "is high", "is low")], print, lambda: False, meanwhile
    )
    assert throttler.why_pause() == "it is high"
    assert throttler.wait() and reported == ["it is high"] and throttler.why_pause() == ""
    assert Throttler("writing", [], print, lambda: False).why_pause() == ""


@given(wanted=st.integers(1, 1000), connections=st.integers(1, 1000))
def test_g8_all_chunks_together_stay_within_the_connections(wanted: int, connections: int) -> None:
    assert chunks_at_once(wanted, 4, connections) == min(wanted, connections)
    assert chunks_at_once(wanted, 4, None) == wanted
    assert chunks_at_once(None, 4, None) == 5


@given(connections=st.integers(2, 100_000))
def test_g8_the_copy_and_the_stream_share_the_connections(connections: int) -> None:
    throttle = ThrottleSettings(connections=connections)
    copy, stream = throttle.copy_connections, throttle.stream_connections
    assert copy is not None and stream is not None and copy + stream == connections and copy >= stream >= 1


def _ms(count: int, milliseconds: float) -> tuple[int, int]:
    return count, int(milliseconds * 1e9)


def test_g7_a_source_s_latency_is_the_mean_between_two_looks_and_the_slower_figure_counts() -> None:
    looks = iter(
        [
            {COMMIT: _ms(1000, 90_000), LOG: _ms(5000, 5000)},  # what was before the first look counts for nothing
            {COMMIT: _ms(1000, 90_000), LOG: _ms(5000, 5000)},  # nothing committed
            {COMMIT: _ms(1010, 90_200), LOG: _ms(5100, 5100)},  # 20 ms a COMMIT, 1 ms a write
            {COMMIT: _ms(1020, 90_220), LOG: _ms(5110, 5400)},  # 2 ms a COMMIT, 30 ms a write
            {COMMIT: _ms(3, 900), LOG: _ms(3, 900)},  # begun anew
            {LOG: _ms(4, 940)},
        ]
    )
    mean = Mean(lambda: next(looks))
    assert [round(mean.seconds(), 6) for _ in range(6)] == [0.0, 0.0, 0.02, 0.03, 0.0, 0.04]


def test_g7_a_source_that_does_not_count_its_commits_is_named() -> None:
    assert why_unknown({COMMIT, LOG}) == ""
    assert why_unknown({LOG}) == "its performance_schema does not count and time statement/sql/commit"


def test_g7_a_replica_holds_up_the_work_of_its_side_and_on_the_way_back_the_other() -> None:
    """Nobody answers there."""
    nowhere = f"{{host: 127.0.0.1, port: {free_port()}, user: app}}"
    environment = parse_environment(
        f"""
environment: ci
source: {nowhere}
servers: {{a: {nowhere}, of_shard: {nowhere}, of_source: {nowhere}}}
shards: {{order_db: a}}
throttle: {{replicas: [of_shard], source_replicas: [of_source]}}
""",
        "ci.yaml",
    )

    def held(settings: ThrottleSettings) -> list[tuple[str, str]]:
        return [(state.server, state.work) for state in replica_states(environment, settings, {}) if state.holds]

    assert held(environment.throttle) == [("of_shard", "writing"), ("of_source", "copying")]
    assert held(environment.throttle.swap_sides()) == [("of_source", "writing"), ("of_shard", "copying")]
