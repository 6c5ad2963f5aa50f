"""Rehearsals alone, without the fixed batch: what they are made of, and that they find faults and shrink what they
find.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.case_text import case_text, spec_test
from shardwright.runtime.rehearsal.dry_run.dry_run import dry_run, scenarios
from shardwright.runtime.rehearsal.dry_run.history import follows, identities
from shardwright.runtime.rehearsal.dry_run.layout import layout
from shardwright.runtime.rehearsal.dry_run.model import Model
from shardwright.runtime.rehearsal.dry_run.rehearsal import as_batch, make_rehearsals
from shardwright.runtime.rehearsal.dry_run.rehearse import RehearsalOptions, rehearse
from shardwright.runtime.rehearsal.dry_run.shrink import shrunk
from shardwright.runtime.rehearsal.dry_run.trial import Bench
from shardwright.runtime.rehearsal.spec_tests.resolve import BothWays, resolve
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import Spec
from shardwright.specs.spec_tests.read import parse_spec_tests
from tests.dry_run.faults import Fault
from tests.support.variants import usual

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOGICALS = ["account", "line", "country", "job", "kinds"]
DECODE, MERGE, ROUTE, FILTER = StepName.DECODE, StepName.MERGE, StepName.ROUTE, StepName.FILTER


def bench(spark: SparkSession, spec: Spec, plan: Plan, functions: Mapping[str, ShardFunction], logical: str) -> Bench:
    model = Model(layout(spec, plan, plan.table(logical), functions))
    return Bench(spark, plan, model, scenarios(model.layout.table))


@pytest.mark.parametrize("logical", LOGICALS)
def test_histories_are_adversarial_and_possible(
    spec: Spec, plan: Plan, functions: Mapping[str, ShardFunction], logical: str
) -> None:
    placed = layout(spec, plan, plan.table(logical), functions)
    table = placed.table
    rehearsals = make_rehearsals(placed, seed=1, count=60)
    assert rehearsals == make_rehearsals(placed, seed=1, count=60) != make_rehearsals(placed, seed=2, count=60)
    owners: dict[tuple[str, ...], int] = {}
    for rehearsal in rehearsals:
        assert follows(table, rehearsal.events), "a source could log it"
        for event in rehearsal.events:
            for _, key in identities(table, event):
                assert owners.setdefault(key, rehearsal.number) == rehearsal.number, "its keys are its own"
    events = [event for rehearsal in rehearsals for event in rehearsal.events]
    assert {event.op for event in events} == {"I", "U", "D"}
    assert any(event.op == "U" and len(identities(table, event)) == 2 for event in events), "keys change"
    if placed.function is not None:
        assert any(_comes_back(placed.place, history.events) for history in rehearsals), "from A to B and back"
    batch = as_batch(rehearsals, seed=1)
    assert set(batch.events) == set(events)
    assert len(batch.events) > len(events), "some events come twice"
    assert [event.position for event in batch.events] != sorted(event.position for event in batch.events)


def _comes_back(place: object, events: Sequence[Event]) -> bool:
    assert callable(place)
    places = [place(image) for event in events for image in (event.before, event.after) if image is not None]
    return any(places[0] != middle and middle != places[-1] == places[0] for middle in places[1:-1])


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), wanted=st.sets(st.sampled_from("IUD"), min_size=1), data=st.data())
def test_shrinking_ends_at_the_smallest(
    spec: Spec, plan: Plan, functions: Mapping[str, ShardFunction], seed: int, wanted: set[str], data: st.DataObject
) -> None:
    """The fault needs one event of each wanted kind: no history that shows it is shorter than that and what must lie
    before."""
    placed = layout(spec, plan, plan.table("account"), functions)
    histories = [each.events for each in make_rehearsals(placed, seed=seed, count=10)]

    def fails(candidates: Sequence[tuple[Event, ...]]) -> list[bool]:
        return [wanted <= {event.op for event in candidate} for candidate in candidates]

    history = data.draw(st.sampled_from(histories))
    if not fails([history])[0]:
        return
    plain = tuple(None if column.nullable else "0" for column in placed.table.source.columns)
    shortest = shrunk(placed.table, history, fails, plain=plain)
    assert fails([shortest]) == [True]
    assert follows(placed.table, shortest)
    assert len(shortest) <= len(history)
    columns = [index for index, column in enumerate(placed.table.source.columns) if column.name == "secret"]
    images = [image for event in shortest for image in (event.before, event.after) if image is not None]
    assert all(image[index] is None for image in images for index in columns), "what does not matter is plain"


@pytest.mark.parametrize("logical", LOGICALS)
def test_histories_can_be_pasted_as_spec_tests(
    spec: Spec, plan: Plan, functions: Mapping[str, ShardFunction], logical: str
) -> None:
    """Every one, with all its extreme values: it reads back to the same events."""
    placed = layout(spec, plan, plan.table(logical), functions)
    for rehearsal in make_rehearsals(placed, seed=3, count=40):
        case = spec_test(placed, plan, rehearsal.events, name='it\'s "this": {one}')
        assert case is not None
        findings = Findings()
        tests = parse_spec_tests(f"version: 1\nmigration: everything\ncases:\n{case}", "tests.yaml")
        (read,) = resolve(tests, BothWays(plan, {}), findings=findings)
        assert findings.items == []
        assert [(e.op, e.before, e.after) for _, e in read.events] == [
            (e.op, e.before, e.after) for e in rehearsal.events
        ]
        assert len(list(case_text(placed, plan, rehearsal.events))) >= len(rehearsal.events)


FAULTS = {
    "the place where the row first went": Fault("account", MERGE, "MAX_BY(`after_place`", "MIN_BY(`after_place`"),
    "places twice": Fault("account", MERGE, "ARRAY_DISTINCT(", "("),
    "ties broken by arrival": Fault("account", MERGE, "`after`, `position`", "`after`, `position`.`file`"),
    "keys as they are written": Fault("account", DECODE, "TRIM(TRAILING ' ' FROM", "CONCAT("),
    "intermediate places are lost": Fault(
        "account",
        MERGE,
        "FLATTEN(COLLECT_LIST(ARRAY(`before_place`, `after_place`)))",
        "ARRAY(MIN_BY(`before_place`, `position`), MAX_BY(`after_place`, `position`))",
    ),
    "an event that comes twice": Fault(
        "account", MERGE, "MAX(`position`) AS", "IF(COUNT(*) > COUNT(DISTINCT `position`), MIN(`position`), MAX(`position`)) AS"
    ),
    "half of the key": Fault("line", DECODE, ", `after`.`position`)", ")"),
    "a row that comes back stays away": Fault("account", MERGE, "THEN 'I'", "THEN 'D'"),
    "moved rows stay behind": Fault("line", ROUTE, "EXPLODE(`places`)", "EXPLODE(IF(`op` = 'U', ARRAY(`after_place`), `places`))"),
    "one shard is left out": Fault("country", ROUTE, "SEQUENCE(0, 2)", "SEQUENCE(0, 1)"),
    "stale rows overwrite": Fault("account", FILTER, "`found_version` AS DECIMAL(38, 0)) >", "`found_version` AS DECIMAL(38, 0)) <"),
}  # fmt: skip
USUAL = ("ties broken by arrival", "moved rows stay behind", "stale rows overwrite")


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.parametrize("name", usual(FAULTS, only=USUAL))
def test_a_rehearsal_finds_and_shrinks(
    spark: SparkSession, spec: Spec, plan: Plan, functions: Mapping[str, ShardFunction], name: str
) -> None:
    fault = FAULTS[name]
    faulty = fault.plant(plan)
    (shown,), unable, count = rehearse(
        [bench(spark, spec, faulty, functions, fault.table)], RehearsalOptions(seed=1, count=40)
    )
    assert (unable, count) == ([], 40)
    assert shown.step is fault.step
    assert 1 <= len(shown.history) <= 4, list(case_text(shown.bench.model.layout, plan, shown.history))
    assert shown.number is not None


@pytest.mark.spark
def test_what_only_a_rehearsal_finds(
    spark: SparkSession, spec: Spec, plan: Plan, functions: Mapping[str, ShardFunction]
) -> None:
    """No history of the fixed batch has four events of one row."""
    wrong = "IF(COUNT(DISTINCT `position`) = 4, MIN(`position`), MAX(`position`)) AS"
    faulty = Fault("account", MERGE, "MAX(`position`) AS", wrong).plant(plan)
    assert dry_run(spark, spec, faulty, functions=functions, rehearsing=RehearsalOptions(count=0)).findings == ()
    result = dry_run(spark, spec, faulty, functions=functions)
    (finding,) = result.findings
    assert finding.code == "SW8705"
    assert "21-merge.spark.sql, table account: column 'position' is wrong" in finding.message
    reported = [note.text for note in finding.notes]
    assert [line[:2] for line in reported if line[0].isdigit()] == ["1.", "2.", "3.", "4."]
    assert any(line.startswith("from rehearsal ") for line in reported)
    assert len(result.cases) == 1
