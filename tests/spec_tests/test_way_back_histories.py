"""Made-up histories of rows that move between shards, played like backward cases, against what the shards' last state
says.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.spec_tests.execute_backward import execute_backward
from shardwright.runtime.rehearsal.spec_tests.resolved_case import GivenRow, ResolvedCase
from shardwright.runtime.rehearsal.spec_tests.schedule import Schedule
from shardwright.runtime.rehearsal.spec_tests.way_back import WayBackPlans
from tests.spec_tests.judging import plans_and_cases

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
FOLDER = Path(__file__).parent / "way_back"
Row = tuple[str | None, ...]
LOGS = ("db_0", "db_1", "db_2")
KEYS = ("a", "b", "c", "d")
STEPS = 8


def table_at(place: int) -> str:
    """As the rule of the folder's spec says."""
    return f"db_{place % 3}.parent_{place // 3 % 2}"


@dataclass
class Application:
    """Writes parents to the shards, some of them in the middle of a move: then the row is in two places."""

    dice: random.Random
    rows: dict[str, list[Row]]
    """By key; the last one is the newest."""
    events: list[tuple[str, Event]] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    """Keys that the shards did not have at some moment."""

    def step(self) -> None:
        key = self.dice.choice(KEYS)
        rows = self.rows.setdefault(key, [])
        if not rows:
            self.put(key)
        elif len(rows) == 2:
            self.dice.choice((self.finish, self.finish, self.give_up, self.change))(key)
        else:
            self.dice.choice((self.put, self.put, self.change, self.finish))(key)

    def rest(self) -> None:
        for key, rows in self.rows.items():
            if len(rows) == 2:
                self.finish(key)

    def put(self, key: str) -> None:
        """A new row, or the new one of a move."""
        taken = [row[1] for row in self.rows[key]]
        place = self.dice.choice([place for place in range(6) if str(place) not in taken])
        self.rows[key].append(self.log("I", None, self.make_row(key, str(place))))

    def finish(self, key: str) -> None:
        self.remove(key, 0)

    def give_up(self, key: str) -> None:
        self.remove(key, 1)

    def change(self, key: str) -> None:
        number = self.dice.randrange(len(self.rows[key]))
        before = self.rows[key][number]
        self.rows[key][number] = self.log("U", before, self.make_row(key, before[1]))

    def remove(self, key: str, number: int) -> None:
        self.log("D", self.rows[key].pop(number), None)
        if not self.rows[key]:
            self.gone.add(key)

    def make_row(self, key: str, place: str | None) -> Row:
        return (key, place, f"n{len(self.events)}", "1.0000", "red")

    def log(self, op: str, before: Row | None, after: Row | None) -> Row:
        row = after or before
        assert row is not None
        at = 100 * (len(self.events) + 1)
        event = Event(table_at(int(row[1] or 0)), op, (1, 1, at, 0), at, before, after)
        self.events.append(("parent", event))
        return row


def history(dice: random.Random, example: ResolvedCase, back: WayBackPlans) -> tuple[Schedule, Application]:
    given = [
        GivenRow("parent", "lab.parent", (key, str(dice.randrange(6)), "", "1.00", "source", None, None))
        for key in KEYS[:3]
    ]
    copied = tuple(back.on_shards(given))
    application = Application(dice, {str(each.row[0]): [tuple(each.row)] for each in copied})
    for _ in range(STEPS):
        application.step()
    application.rest()
    begins_with = tuple(map(back.source_row, given))
    events = tuple(application.events)
    resolved_case = replace(example, given=copied, events=events, begins_with=begins_with)
    if dice.random() < 0.5:
        logs = tuple(dice.sample(LOGS, len(LOGS)))
        return Schedule(resolved_case, (1,) * len(events), "first", logs), application
    half = dice.randrange(1, len(events))
    cut = dice.choice(((1,) * len(events), (len(events),), (half, len(events) - half)))
    return Schedule(resolved_case, cut, "first"), application


@pytest.mark.long
def test_whichever_log_is_late_the_source_ends_as_the_shards(
    spark: SparkSession, dice: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the rows that never were gone keep what only the source has."""
    monkeypatch.chdir(FOLDER)
    plans, cases = plans_and_cases(Path(), spec="spec.yaml", schema="schema.sql", tests="wrong.yaml")
    back = plans.back
    assert back is not None
    made = [history(dice, cases[0], back) for _ in range(40)]
    ends = execute_backward(spark, back, [show for show, _ in made])
    for (show, application), source in zip(made, ends, strict=True):
        found = {str(row["id"]): row for rows in source.rows.values() for row in rows.values()}
        shown = {
            "given": show.resolved_case.given,
            "events": show.resolved_case.events,
            "cut": show.cut,
            "logs": show.logs,
        }
        wanted = {key: rows[0][:3] for key, rows in application.rows.items() if rows}
        assert {key: (row["id"], row["place"], row["name"]) for key, row in found.items()} == wanted, shown
        for key in {*KEYS[:3]} - application.gone:
            assert found[key]["origin"] == "source", shown
