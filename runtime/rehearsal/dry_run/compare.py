"""Where does Spark's answer differ from the model's? The first difference, with the events that led to it. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shardwright.compiler.plan.plan import StepName
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.model import Answer, Model

_LONG = 160
_IDENTITY: Mapping[StepName, tuple[str, ...]] = {
    StepName.DECODE: ("source_table", "position", "key"),
    StepName.MERGE: ("source_table", "key"),
    StepName.ROUTE: ("source_table", "key", "shard", "part"),
    StepName.FILTER: ("key", "position", "shard", "part", "committed_at"),
    StepName.SNAPSHOT_ROUTE: ("chunk", "shard", "part"),
    StepName.BATCH: ("source_table", "key", "shard", "part"),
}
"""The columns that distinguish the rows of a statement's result."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first wrong row. `events` are those of its key (for a snapshot: the row; then `key` is None)."""

    what: str
    events: str
    expected: str
    got: str
    key: tuple[str, ...] | None = None


def first_difference(
    step: StepName, expected: Sequence[Answer], got: Sequence[Answer], *, model: Model, events: Sequence[Event]
) -> Difference | None:
    """The first difference. None when both hold the same rows, in any order."""
    wanted, found = _by_identity(step, expected), _by_identity(step, got)
    for identity in [*wanted, *(extra for extra in found if extra not in wanted)]:
        ours, theirs = wanted.get(identity, []), found.get(identity, [])
        what = _what(ours, theirs)
        if what is not None:
            row = (ours or theirs)[0]
            described = _events(row, model, events)
            key = None if "chunk" in row else tuple(row["key"] or ())
            return Difference(what, described, _describe(ours, what), _describe(theirs, what), key)
    return None


def _by_identity(step: StepName, answers: Sequence[Answer]) -> dict[str, list[dict[str, Any]]]:
    grouped: dict[str, list[dict[str, Any]]] = {}
    for answer in answers:
        row = dict(answer)
        if isinstance(row.get("places"), list):
            row["places"] = sorted(row["places"], key=json.dumps)  # their order has no meaning
        grouped.setdefault(_text([row.get(name) for name in _IDENTITY[step]]), []).append(row)
    return grouped


def _what(ours: Sequence[Answer], theirs: Sequence[Answer]) -> str | None:
    if len(ours) != len(theirs):
        return "a row is missing" if len(ours) > len(theirs) else "a row is too many"
    for one, other in zip(sorted(ours, key=_text), sorted(theirs, key=_text), strict=True):
        for name in [*one, *(extra for extra in other if extra not in one)]:
            if name not in one or name not in other or one[name] != other[name]:
                return f"column '{name}' is wrong"
    return None


def _describe(rows: Sequence[Answer], what: str) -> str:
    if what.startswith("column"):
        name = what.split("'")[1]
        return ", ".join(_short(row.get(name)) for row in rows)
    return ", ".join(_short(row) for row in rows) or "no row"


def _events(answer: Answer, model: Model, events: Sequence[Event]) -> str:
    if "chunk" in answer:
        return f"a chunk's row {_short(answer['row'])}"
    source, key = answer.get("source_table"), answer["key"]
    own = [
        event
        for event in sorted(events, key=lambda event: event.position)
        if key in [model.identity(image, event.source) for image in (event.before, event.after)]
        and source in (None, event.source)
    ]
    return f"key {_short(key)} with the events {', '.join(map(str, own))}"


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"
