"""Tables without a key: which made-up batch does the dry run try on them, and what must the statements answer? Pure.

The made-up rows come, change and go again and again, and many are equal. The model counts them with Python's Counter.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from shardwright.runtime.rehearsal.dry_run.batch import BatchMaker, Event, MadeUpBatch
from shardwright.runtime.rehearsal.dry_run.layout import Layout, Row
from shardwright.runtime.rehearsal.dry_run.model import Answer, Model, Scenario

ROWS, EVENTS = 12, 150
"""How many different rows there are, and how often one of them comes, changes or goes."""
NO_LOOK_UP: Final = (Scenario(0, found=False, snapshot_open=False, version=None),)


def make_keyless_batch(layout: Layout) -> MadeUpBatch:
    """Makes the table's batch: always the same one."""
    maker, dice = BatchMaker(layout), random.Random(0)
    sources = [str(source) for source in layout.table.sources]
    rows = [maker.row((), number) for number in range(ROWS)]
    there = [(dice.choice(sources), row) for row in rows for _ in range(dice.randrange(5))]  # before the batch
    for _ in range(EVENTS):
        source, after = dice.choice(sources), dice.choice(rows)
        op = dice.choice("IUDD") if there else "I"
        if op != "I":
            source, before = there.pop(dice.randrange(len(there)))
        maker.add(source, op, None if op == "I" else before, None if op == "D" else after)
        there += [] if op == "D" else [(source, after)]
    for number in range(maker.longest):
        maker.add(sources[-1], "I", None, maker.row((), number, spread=False))
    events = list(maker.events)
    dice.shuffle(events)
    return MadeUpBatch(tuple(events), pairs=0, rows=())


class KeylessModel(Model):
    """A row is all that the target has of it. Merge says how many copies of it come or go."""

    def identity(self, row: Row | None, source: str) -> list[Any] | None:
        return None if row is None else self.layout.copy(row, source)

    def merge(self, events: Sequence[Event]) -> list[Answer]:
        copies: Counter[tuple[str, ...]] = Counter()
        changes: dict[tuple[str, ...], list[Answer]] = {}
        for change in self.decode(events):
            if change["op"] != "U":
                row = (change["source_table"], *change["key"])
                copies[row] += 1 if change["op"] == "I" else -1
                changes.setdefault(row, []).append(change)
        return [
            {
                "source_table": row[0],
                "key": list(row[1:]),
                "op": "I" if copies[row] > 0 else "D",
                "copies": abs(copies[row]),
                "position": max((one["position"] for one in some), key=lambda at: tuple(at.values())),
                "committed_at": max(one["committed_at"] for one in some),
                "home": some[0]["after_place"] or some[0]["before_place"],
            }
            for row, some in changes.items()
            if copies[row]
        ]

    def _route(self, change: Answer) -> Iterator[Answer]:
        home = change["home"]
        copy = {**change, "places": [home], "after_place": home, "first_before": None, "after": None}
        for _ in range(change["copies"]):
            yield from super()._route(copy)

    def _row(self, change: Answer) -> list[str | None]:
        row: list[str | None] = change["key"]
        return row

    def _decision(self, change: Answer, scenario: Scenario, *, alone: bool) -> Answer:
        if change["action"] == "delete":
            return {"decision": "delete", "why": "one row less"}
        return {"decision": "insert", "why": "one row more"}
