"""What the page shows of an observation is bounded, changes in small pieces, and has nothing that the output filter would
not print."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.events.copy import ChunkCopied
from shardwright.runtime.events.run import RunFailed, RunStarted
from shardwright.runtime.events.stream import BatchApplied, Lag
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.ledger.orders import Order
from shardwright.runtime.run.status.status import ShardStatus
from shardwright.runtime.watch.newest import FRESH_SECONDS, Newest
from shardwright.runtime.watch.observation import Observation, RunObserved, ServerAnswer
from shardwright.runtime.watch.page.cells import Cells
from shardwright.runtime.watch.page.delta import apply_patch, difference
from shardwright.runtime.watch.page.differences import read_differences
from shardwright.runtime.watch.page.feed import Feed
from shardwright.runtime.watch.page.headline import headline_of
from shardwright.runtime.watch.page.heat import COLUMNS, LINES, HeatInput, heat_map
from shardwright.runtime.watch.page.history import EVENTS, SAMPLES, History
from shardwright.runtime.watch.page.hub import Hub
from shardwright.runtime.watch.page.state import plain, state_of
from shardwright.specs.findings.safe_output import harmless
from tests.support.waiting import wait_until
from tests.watch.example import LARGE, ODD
from tests.watch.test_metrics import WHOLE

STATUS: Any = WHOLE.status

NOTHING = Observation("m", 1.0, 0.5, None, None, (ServerAnswer("h:1", "ledger", False, "SW8101", "away"),))


def test_g8_a_thousand_tables_on_256_shards_are_small_and_change_in_small_pieces() -> None:
    first = {**state_of(LARGE.observe(), LARGE.names), "heat": LARGE.map_heat(LARGE.observe())}
    then = {**state_of(LARGE.observe(1), LARGE.names), "heat": first["heat"]}
    whole, patch = json.dumps(first), difference(first, then)
    print(f"whole state {len(whole):,} bytes, one change {len(json.dumps(patch)):,}")
    assert len(whole) < 250_000 and len(json.dumps(patch)) < 50_000
    assert (len(first["tables"]), len(first["shards"])) == (1_000, 256)
    assert sum(len(shard) == 1 for shard in first["shards"].values()) == LARGE.away
    assert len(first["heat"]["lines"]) == LINES and len(first["heat"]["columns"]) <= COLUMNS
    assert len(first["dead_letters"]) == 100 < first["now"]["dead_letter_kinds"]
    assert apply_patch(first, json.loads(json.dumps(patch))) == then
    assert "heat" not in patch and "sources" in patch and difference(then, then) == {}


def test_g8_an_observation_of_a_thousand_tables_costs_less_than_a_fiftieth_of_a_core() -> None:
    """The heat map has a limit of its own: `Newest.share`."""
    hub, history, observations = Hub(), History(), [LARGE.observe(step) for step in range(4)]
    for number in range(SAMPLES):
        history.sample(None, now=5.0 * number)
        history.handle(RunFailed("SW8101", f"failure {number}"))
    hub.publish({**state_of(observations[0], LARGE.names), **history.parts()})
    spent = []
    for version, found in enumerate(observations[1:], start=1):
        began = time.process_time()
        hub.publish({**state_of(found, LARGE.names), **history.parts()})
        assert hub.wait_for_change(version, 0.0).kind == "delta"
        spent.append(time.process_time() - began)
    print(f"{1000 * min(spent):.1f} ms each {FRESH_SECONDS:g} s")
    assert min(spent) < FRESH_SECONDS / 50


def test_a_patch_makes_the_new_state_whatever_came_and_went() -> None:
    old = {"a": {"1": [1], "2": [2]}, "b": {"x": 1}, "c": 3, "d": {"e": {"f": 1}}}
    new = {"a": {"2": [2], "3": [3]}, "b": 7, "d": {"e": {"f": 1, "g": {}}}, "h": {}}
    patch = difference(old, new)
    assert patch == {"a": {"1": None, "3": [3]}, "b": 7, "c": None, "d": {"e": {"g": {}}}, "h": {}}
    assert apply_patch(old, patch) == new


def test_i3_every_text_is_as_the_output_filter_prints_it() -> None:
    odd = replace(
        WHOLE,
        migration=ODD,
        servers=(ServerAnswer(ODD, "shard", False, ODD, ODD * 100),),
        run=RunObserved(1, ODD, True),
        status=replace(
            STATUS,
            order=Order(paused=True, paused_by=ODD, reason=ODD),
            shards=(ShardStatus(ODD, 1, "b", 3, 30, 4),),
            tables=(replace(STATUS.tables[0], table=ODD),),
        ),
    )
    heat = plain(heat_map(HeatInput(Cells((ODD, "b"), {ODD: [1, 30]}), {ODD: 3}, {ODD: {ODD: 2}})))
    history = History()
    history.handle(RunFailed(ODD, ODD))
    state = {**state_of(odd, (ODD,)), "heat": heat, **history.parts()}
    texts = list(_texts(state))
    assert sum("<img" in text for text in texts) >= 12
    assert [text for text in texts if text != harmless(text)] == []
    assert max(map(len, texts)) < 700 * 6
    json.dumps(state, allow_nan=False)


def test_b4_what_is_not_known_is_left_out() -> None:
    state = state_of(NOTHING, ("a", "b"))
    assert state["tables"] == {} == state["sources"] == state["cutover"] == state["verified"]
    assert state["shards"] == {"0": ["a"], "1": ["b"]} and "batch" not in state["now"]
    assert state["away"] == {"0": ["h:1", "ledger", "SW8101", "away"]}
    assert plain({"a": float("nan"), "b": [float("inf"), None], "c": None}) == {"b": [None, None]}


@pytest.mark.parametrize(
    ("found", "word", "tone"),
    [
        (NOTHING, "unknown", "bad"),
        (replace(NOTHING, servers=(), begun=False), "not begun", "calm"),
        (replace(NOTHING, servers=(), finished=True), "finished", "calm"),
        (replace(WHOLE, servers=()), "cutting over", "warn"),
        (replace(WHOLE, cutover=None, servers=()), "copying", "warn"),
        (replace(WHOLE, cutover=None, run=RunObserved(3, "h", False)), "no run", "bad"),
        (replace(WHOLE, cutover=None, servers=(), status=replace(STATUS, snapshot_complete=True, rows_held=0)), "following", "good"),
        (replace(WHOLE, cutover=None, servers=(), status=replace(STATUS, order=Order(paused=True, paused_by="ann"))), "paused", "warn"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_the_headline(found: Observation, word: str, tone: str) -> None:
    head = headline_of(found)
    assert (head["word"], head["tone"]) == (word, tone)


def test_the_last_hour_of_a_run_is_what_its_events_say_and_is_bounded() -> None:
    history = History()
    history.sample(None, now=1_000.0)
    for event in (
        RunStarted("f", 3, 8),
        ChunkCopied("t", 100, 100, 100, "t/0", 1, 1, None, None, None),
        BatchApplied(1, 50, "p", 1.5, 0.3),
        Lag(1, "p", 2.5),
    ):
        history.handle(event)
    history.sample(None, now=1_004.0)
    history.sample(None, now=1_010.0)
    assert list(history.parts()["samples"].values()) == [[1_010.0, 2.5, 10.0, 5.0]]
    assert [event[2] for event in history.parts()["events"].values()] == ["plan f, epoch 3: 8 tables created"]
    for number in range(SAMPLES + 10):
        history.sample(None, now=1_010.0 + 5 * (number + 1))
        history.handle(RunFailed("SW8101", f"failure {number}"))
    before = history.parts()
    assert (len(before["samples"]), len(before["events"])) == (SAMPLES, EVENTS)
    assert [*before["events"].values()][-1][1] == "bad"
    history.handle(RunFailed("SW8101", "one more"))
    assert len(difference(before, history.parts())["events"]) == 2, "one came, and one is gone"


def test_without_a_run_the_last_hour_is_what_observations_say() -> None:
    history = History()
    for number, rows in enumerate((30, 80)):
        tables = (replace(STATUS.tables[0], rows_copied=rows),)
        for now in (5.0 * number, 5.0 * number + 5.0):
            history.sample(replace(WHOLE, status=replace(STATUS, tables=tables)), now=now)
    assert list(history.parts()["samples"].values()) == [[5.0, 2.5, None, None], [10.0, 2.5, 10.0, None]]


def test_the_heat_map_has_the_largest_tables_and_lists_the_worst_cells() -> None:
    shards = tuple(f"s{number}" for number in range(130))
    rows: dict[str, list[int | None]] = {f"t{number}": [number] * 130 for number in range(40)}
    rows["t39"] = [39] * 129 + [390]
    rows["t0"] = [None] * 130
    made = heat_map(HeatInput(Cells(shards, rows), {"t7": 130_000, "t8": 0}, {"t3": {"s5": 4}}))
    assert made["columns"]["0"] == ["s0 to s2", 3] and made["columns"]["43"] == ["s129", 1]
    names = [line[0] for line in made["lines"].values()]
    assert names[:3] == ["t3", "t7", "t39"] and names[-1] == "" and len(names) == LINES
    assert made["lines"]["0"][2:4] == [[9, None, 0], [9, None, 4]], "rows, rows left, wrong rows"
    assert made["lines"]["1"][2] == [21, 3_000, 0], "what is left is expected where the rows are"
    assert made["lines"][str(LINES - 1)][1] == 41 - LINES
    assert list(made["worst"].values()) == [
        ["wrong", "t3", "s5", 4, None],
        ["left", "t7", "s99", 1_000, None],
        ["uneven", "t39", "s129", 390, 42],
    ]
    assert heat_map(HeatInput(Cells((), {}), {})) == {"columns": {}, "lines": {}, "worst": {}}


def test_differences_are_counted_where_the_rows_are(tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    one = {"places": ["a.t_1", "b.t_2"], "belongs": "c.t_3", "key": ["secret"]}
    report.write_text(
        json.dumps({"verdict": "different", "tables": [{"table": "t", "mismatches": [one, {**one, "places": []}]}]}),
        encoding="utf-8",
    )
    found = read_differences(report)
    assert found.wrong == {"t": {"a": 1, "b": 1, "c": 1}} and found.mismatches == 2
    assert "secret" not in json.dumps(found.summary)
    report.write_text("[]", encoding="utf-8")
    with pytest.raises(InputAtFault, match="cannot be read as a result of verify"):
        read_differences(report)


def test_a_page_gets_the_whole_state_once_and_then_changes_and_a_slow_one_the_whole_again() -> None:
    hub = Hub()
    assert hub.wait_for_change(0, 0.0) is None
    hub.publish({"a": 1})
    first = hub.wait_for_change(0, 0.0)
    assert (first.kind, json.loads(first.data)) == ("state", {"a": 1})
    assert hub.wait_for_change(first.version, 0.0) is None
    hub.publish({"a": 1, "b": 2})
    second = hub.wait_for_change(first.version, 0.0)
    assert (second.kind, json.loads(second.data)) == ("delta", {"b": 2})
    hub.publish({"a": 1, "b": 3})
    late = hub.wait_for_change(first.version, 0.0)
    assert (late.kind, json.loads(late.data)) == ("state", {"a": 1, "b": 3})
    hub.publish({"a": 1, "b": 3})
    assert hub.wait_for_change(late.version, 0.0) is None, "nothing has changed"


def test_g7_servers_are_asked_seldom_while_no_page_looks_and_each_page_gets_the_end() -> None:
    asked: list[int] = []

    def observe() -> Observation:
        asked.append(1)
        return WHOLE

    feed = Feed(Newest(observe), lambda _direction: ("d",), lambda _found: {}, History())
    ends: list[Any] = []

    def look() -> None:
        seen = 0
        with feed.hub.look():
            while not (feed.hub.is_closed and (message := feed.hub.wait_for_change(seen, 0.05)) is None):
                message = feed.hub.wait_for_change(seen, 0.05)
                seen = seen if message is None else message.version
            ends.append(seen)

    feed.refresh()
    wait_until("it was asked", lambda: asked, seconds=20)
    for _ in range(30):
        feed.refresh()
    assert len(asked) == 1
    page = threading.Thread(target=look)
    page.start()
    wait_until("a page looks", lambda: feed.hub.pages == 1, seconds=20)
    with feed.keep_current():
        feed.history.handle(RunFailed("", "the last words"))
    page.join(20)
    assert ends == [feed.hub.wait_for_change(0, 0.0).version]
    assert b"the last words" in feed.hub.wait_for_change(0, 0.0).data


def test_an_answer_that_takes_long_is_asked_for_less_often() -> None:
    asked: list[int] = []
    newest = Newest(lambda: asked.append(1), share=1e-9)
    for _ in range(5):
        newest.refresh(every=0.0)
        newest.wait(float("inf") if not asked else 0.0)
    assert len(asked) == 1


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, str):
        yield value
