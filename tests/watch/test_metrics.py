"""Metrics keep the conventions, have bounded labels, and say what an observation and the events of a run say. What the
examples name is there, and their alerts fire and end."""

from __future__ import annotations

import json
import re
from argparse import ArgumentTypeError
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry, generate_latest

from shardwright.runtime.cli.arguments.common import address
from shardwright.runtime.events.copy import ChunkCopied
from shardwright.runtime.events.run import (
    ExecutorLost,
    Retry,
    RunFailed,
    RunStarted,
    SourceBack,
    SourceIsolated,
    Throttle,
)
from shardwright.runtime.events.stream import (
    BatchApplied,
    CopiedRowsYielded,
    Lag,
    MoreQuarantined,
    RowQuarantined,
    RowsLocked,
    RowsReadAgain,
    SchemaChange,
    TableApplied,
)
from shardwright.runtime.events.time_left import TimeLeft
from shardwright.runtime.ledger.comparison import Verification
from shardwright.runtime.ledger.conflicts import ConflictCount
from shardwright.runtime.ledger.dead_letters import DeadLetterCount
from shardwright.runtime.ledger.left_out import LeftOutCount
from shardwright.runtime.ledger.orders import Order
from shardwright.runtime.run.status.copy_status import TableStatus
from shardwright.runtime.run.status.status import ShardStatus, SourceStatus, Status
from shardwright.runtime.run.throttle.replica_lag import ReplicaState
from shardwright.runtime.watch.metrics.collector import ObservedMetrics
from shardwright.runtime.watch.metrics.families import LABELS, OBSERVED, OF_A_RUN, Family
from shardwright.runtime.watch.metrics.of_run import RunMetrics
from shardwright.runtime.watch.metrics.samples import samples
from shardwright.runtime.watch.metrics.serve import text_of
from shardwright.runtime.watch.newest import Newest
from shardwright.runtime.watch.observation import (
    CutoverObserved,
    LogPlace,
    Observation,
    RunObserved,
    ServerAnswer,
    ShardObserved,
    SourceObserved,
)
from shardwright.runtime.watch.purge_clock import PurgeClock
from shardwright.specs.direction import Direction
from tests.support.waiting import wait_until
from tests.watch.prometheus import promtool

MONITORING = Path(__file__).parents[2] / "examples" / "monitoring"
FAMILIES = {family.full_name: family for family in (*OBSERVED, *OF_A_RUN)}
_UNITS = ("_seconds", "_bytes", "_rows", "_total", "_per_second", "_info")
_NAME = re.compile(r"shardwright_[a-z_]+")
_NAMED = re.compile(r'alertname="(\w+)"')
WHOLE = Observation(
    migration="m",
    at=1.0,
    seconds=0.5,
    begun=True,
    finished=False,
    servers=(ServerAnswer("h:1", "source", True), ServerAnswer("h:2", "shard", False, "SW8101", "away")),
    direction=Direction.FORWARD,
    status=Status(
        migration="m",
        fingerprint="f",
        snapshot_complete=False,
        caught_up=False,
        position="p",
        batch=7,
        open_batch="8 (open)",
        sources=(SourceStatus("s", "a", "b", "c", 10, 2.5),),
        shards=(ShardStatus("d", 7, "b", 3, 30, None),),
        tables=(TableStatus("t", 3, 4, 30, None, 100, 1000, 5.0, TimeLeft(14.0, 10.0, 20.0)),),
        rows_held=2,
        left_out=LeftOutCount(1, 2),
        replicas=(ReplicaState("r", 4.0, "", holds=True),),
        left=TimeLeft(14.0, 10.0, 20.0),
        order=Order(rows_per_second=100, bytes_per_second=1000),
    ),
    sources=(SourceObserved("s", LogPlace(1, 4), LogPlace(2, 8), 99, PurgeClock(60.0, "time", 3600.0, 99, False, 5, 70.0, 1.5)),),
    shards=(ShardObserved("d", 12.0),),
    run=RunObserved(3, "h pid 1", True),
    dead_letters=(DeadLetterCount("t", "held", "SW8511", 2),),
    cutover=CutoverObserved("fenced", 4.0, "source", 0, "shards", False, 3.0, 8.0, None, {"source": 3, "shards": 1}, (ConflictCount("merged", "merged", "closed", 2),)),
    verified=Verification("f", 1, 6, 3, datetime(2026, 1, 1), datetime(2026, 1, 1), 30, "", 500),
)  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_a_metric_keeps_the_conventions(family: Family) -> None:
    assert _NAME.fullmatch(family.full_name) and family.help.endswith(".")
    assert family.name.endswith("_total") == (family.kind == "counter")
    assert not re.search(r"_(count|sum|bucket|created|milliseconds|minutes|hours|ms|kb|mb)(_|$)", family.name)
    for unit in ("seconds", "bytes"):
        assert unit not in family.name or re.search(rf"_{unit}(_total|_per_second)?$", family.name)
    assert set(family.label_names) <= LABELS.keys()


def test_every_label_is_used_and_every_name_is_of_one_metric() -> None:
    assert {label for family in FAMILIES.values() for label in family.label_names} == LABELS.keys()
    assert len(FAMILIES) == len(OBSERVED) + len(OF_A_RUN)


def test_a_whole_observation_has_every_metric_and_an_empty_one_none_that_is_not_known() -> None:
    found = list(samples(WHOLE))
    assert {sample.name for sample in found} | {"build_info"} == {family.name for family in OBSERVED}
    for sample in found:
        assert len(sample.labels) == len(FAMILIES[f"shardwright_{sample.name}"].labels), sample
    nothing = Observation("m", 1.0, 0.5, None, None, (ServerAnswer("h:1", "ledger", False, "SW8101", "away"),))
    known = {sample.name for sample in samples(nothing)}
    assert known == {"observed_timestamp_seconds", "observation_duration_seconds", "server_up"}
    promtool("check", "metrics", given=text_of([WHOLE, replace(WHOLE, migration="n")]))
    assert json.loads(json.dumps(asdict(WHOLE), default=str))["sources"][0]["purge"]["seconds_left"] == 60.0


def test_i3_names_that_act_on_a_terminal_and_codes_that_are_none_make_no_label() -> None:
    odd = DeadLetterCount("t\x1b[2J", "held", "a row's value", 1)
    text = text_of([replace(WHOLE, dead_letters=(odd,))])
    assert r"t\\u001b[2J" in text and "\x1b" not in text
    assert 'code="none"' in text and "value" not in text.replace("left out", "")


def test_b4_left_out_is_not_zero() -> None:
    clock = PurgeClock(None, None, None, None, False, 5, None, None)
    source = replace(WHOLE.sources[0], purge=clock)
    names = {sample.name for sample in samples(replace(WHOLE, sources=(source,)))}
    assert "source_log_bytes" in names and "source_purge_left_seconds" not in names


def test_events_of_a_run_are_counted() -> None:
    registry = CollectorRegistry()
    counters = RunMetrics("m", registry)
    for event in (
        RunStarted("f", 3, 8),
        _chunk(100, 1_000),
        _chunk(50, 1_700),
        BatchApplied(1, 5, "p", 1.5, 0.3, {"t": TableApplied(5, 1, 2, 3)}),
        Throttle("writing", "r is behind", kinds=("replica_lag",)),
        Throttle("writing", "r is behind; paused", kinds=("operator", "replica_lag")),
        Throttle("copying", "busy", kinds=("threads_running",)),
        Throttle("writing", "resumed", 12.0, ("operator", "replica_lag")),
        Retry("SW8101", "SW8101: away", 1.0, 2.0),
        _chunk(50, 300),
        SourceIsolated("s", "SW8117: away"),
        SourceIsolated("u", "SW8117: away"),
        SourceBack("s"),
        RowQuarantined(False, "t (1)", "SW8511", "no"),
        RowQuarantined(True, "t (1)", "SW8511", "again"),
        MoreQuarantined(False, 9),
        RowsReadAgain(4, 5),
        CopiedRowsYielded("t", 1, 2),
        RowsLocked("d", 1, "locked"),
        SchemaChange("p", "ALTER", "step over", "skipped"),
        ExecutorLost("1", "h", "gone"),
        Lag(1, "p", 0.0),
        RunFailed("", "no code"),
    ):
        counters.handle(event)
    counters.close()

    def value(name: str, **labels: str) -> Any:
        return registry.get_sample_value(f"shardwright_run_{name}", {"migration": "m", **labels})

    assert (value("epoch"), value("batches_total"), value("lag_seconds")) == (3, 1, 0)
    assert value("batch_duration_seconds_sum") == 0.3
    assert value("changes_total", table="t") == 5
    assert [value("rows_total", table="t", decision=one) for one in ("insert", "update", "delete")] == [1, 2, 3]
    assert (value("chunks_total", table="t"), value("copied_rows_total", table="t")) == (3, 200)
    assert value("copied_bytes_total", table="t") == 2_000, "the next attempt counts from 0"
    assert (
        value("throttled", work="writing", reason="replica_lag")
        == 0
        == value("throttled", work="writing", reason="operator")
    )
    assert value("throttled", work="copying", reason="threads_running") == 0, "the attempt has failed"
    assert value("throttled_seconds_total", work="writing") == 12
    assert value("retries_total", code="SW8101") == 1 == value("errors_total", code="none")
    assert (value("errors_total", code="SW8101"), value("errors_total", code="SW8117")) == (1, 2)
    assert (value("source_isolated", source="s"), value("source_isolated", source="u")) == (0, 1)
    assert (value("quarantined_rows_total"), value("reread_rows_total")) == (10, 4)
    assert (value("conflicts_total", kind="copied_row"), value("conflicts_total", kind="row_lock")) == (2, 1)
    assert value("schema_changes_total", outcome="step_over") == 1 == value("lost_executors_total")
    names = {metric.name for metric in registry.collect() if metric.samples}
    assert {family.full_name.removesuffix("_total") for family in OF_A_RUN} == names
    promtool("check", "metrics", given=generate_latest(registry).decode())


def test_g7_a_scrape_waits_for_no_server_and_servers_are_not_asked_again_by_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("shardwright.runtime.watch.metrics.collector.WAIT_SECONDS", 0.1)
    asked: list[Observation] = []
    away: list[int] = [1]

    def observe() -> Observation:
        wait_until("the server answers", lambda: not away, seconds=20)
        asked.append(replace(WHOLE, at=float(len(asked))))
        return asked[-1]

    collector = ObservedMetrics((Newest(observe),))
    assert [metric.name for metric in collector.collect()] == ["shardwright_build_info"]
    away.clear()
    wait_until("the observation is there", lambda: len(list(collector.collect())) > 1, seconds=20)
    for _ in range(20):
        list(collector.collect())
    assert len(asked) == 1


def test_what_the_rules_and_the_dashboard_name_is_there() -> None:
    dashboard = json.loads((MONITORING / "dashboard.json").read_text(encoding="utf-8"))
    rules = (MONITORING / "rules.yml").read_text(encoding="utf-8")
    parts = ("_bucket", "_sum", "_count")
    for text in (rules, json.dumps(dashboard)):
        named = set(_NAME.findall(text))
        assert len(named) > 8
        unknown = {name for name in named if re.sub(rf"({'|'.join(parts)})$", "", name) not in FAMILIES}
        assert unknown == set()
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) > 15
    assert all(target["expr"] for panel in panels for target in panel["targets"])


def test_the_alerts_of_the_example_fire_and_end() -> None:
    promtool("check", "rules", MONITORING / "rules.yml")
    promtool("check", "config", MONITORING / "prometheus.yml")
    promtool("test", "rules", Path(__file__).with_name("alerts.yml"))
    tested = yaml.safe_load(Path(__file__).with_name("alerts.yml").read_text(encoding="utf-8"))
    cases = [case for test in tested["tests"] for case in test["promql_expr_test"]]
    fired, ended = (
        {_NAMED.search(case["expr"])[1] for case in cases if bool(case["exp_samples"]) is is_on}
        for is_on in (True, False)
    )
    rules = yaml.safe_load((MONITORING / "rules.yml").read_text(encoding="utf-8"))
    assert fired == ended == {rule["alert"] for group in rules["groups"] for rule in group["rules"]}


def _chunk(rows: int, sent: int) -> ChunkCopied:
    return ChunkCopied("t", rows, rows, rows, "t/0", 1, sent, None, None, None)


@pytest.mark.parametrize("text", ["127.0.0.1:9464", "localhost:1", "[::1]:65535", "0.0.0.0:9464"])
def test_an_address_is_printed_as_it_was_given(text: str) -> None:
    assert str(address(text)) == text


@pytest.mark.parametrize("text", ["9464", ":9464", "h:", "h:0", "h:65536", "::1:9464", "[]:9464", "h:９"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="is not HOST:PORT"):
        address(text)
