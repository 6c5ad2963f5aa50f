"""What must decode, merge, route, filter and snapshot-route answer for a made-up batch? The contract in plain Python.

Pure. Slow and literal on purpose; it shares nothing with the plan's SQL. A row of an answer is a mapping with the
columns of the step's statement.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from shardwright.compiler.columns.mapping import SOURCE
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.steps.pack import is_merged_packed, is_routed_packed
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.layout import Layout, Place, Row

Answer = Mapping[str, Any]

# C5, literally: the combined effect of (earlier, later).
_FOLD = {
    ("I", "I"): "I",
    ("I", "U"): "I",
    ("I", "D"): "D",
    ("U", "I"): "I",
    ("U", "U"): "U",
    ("U", "D"): "D",
    ("D", "I"): "I",
    ("D", "U"): "U",
    ("D", "D"): "D",
}


@dataclass(frozen=True, slots=True)
class Scenario:
    """A made-up answer of the look-up. `version` is the version that the target's row has; `at_home`, on the way back,
    whether the row belongs to the table of the shards that the event comes from."""

    number: int
    found: bool
    snapshot_open: bool
    version: str | None  # "first": the first before-image's; "own": the change's; any other text: that version
    at_home: bool = True


@dataclass(frozen=True, slots=True)
class Model:
    layout: Layout

    def decode(self, events: Sequence[Event]) -> list[Answer]:
        """The answer of decode. A change of the key is a delete and an insert. An image that the filter does not let
        through counts as absent (C5)."""
        answers: list[Answer] = []
        ignored = self.layout.table.deletes.are_ignored
        for event in filter(None, map(self._filter, (it for it in events if not (ignored and it.op == "D")))):
            old, new = self.identity(event.before, event.source), self.identity(event.after, event.source)
            if event.op == "U" and old != new:
                answers.append(self._decode(event, "D", old, before=event.before, after=None))
                answers.append(self._decode(event, "I", new, before=None, after=event.after))
            else:
                key = new if new is not None else old
                answers.append(self._decode(event, event.op, key, before=event.before, after=event.after))
        return answers

    def _filter(self, event: Event) -> Event | None:
        before = event.before if event.before is not None and self.matches(event.before) else None
        after = event.after if event.after is not None and self.matches(event.after) else None
        if before is None and after is None:
            return None
        op = "I" if before is None else "D" if after is None else event.op
        return replace(event, op=op, before=before, after=after)

    def matches(self, row: Row) -> bool:
        return self.layout.mapping.matches(self.layout.texts(row))

    def merge(self, events: Sequence[Event]) -> list[Answer]:
        groups: dict[tuple[str, ...], list[Answer]] = {}
        for change in self.decode(events):
            groups.setdefault((change["source_table"], *change["key"]), []).append(change)
        merged = [_merge(sorted(group, key=lambda one: _order(one["position"]))) for group in groups.values()]
        if not self.layout.table.writes.marks_columns:
            return merged
        return [
            {**answer, "changed": self._marks(group)} for answer, group in zip(merged, groups.values(), strict=True)
        ]

    def _marks(self, group: Sequence[Answer]) -> str:
        """1 for each target column that some event of the row changed, or that is grouped with such a column; else
        0."""
        columns = self.layout.mapping.columns
        changed = [any(_changes(one, item.mapping.reads()) for one in group) for item in columns]
        for names in self.layout.groups:
            members = [at for at, item in enumerate(columns) if item.column.source in names]
            if any(changed[at] for at in members):
                changed = [now or at in members for at, now in enumerate(changed)]
        return "".join("1" if now else "0" for now in changed)

    def route(self, events: Sequence[Event]) -> list[Answer]:
        return [answer for change in self.merge(events) for answer in self._route(change)]

    def decide(self, events: Sequence[Event], scenarios: Sequence[Scenario]) -> list[Answer]:
        """The answer of filter. `committed_at` carries the scenario's number."""
        columns = ("table", "source_table", "shard", "part", "action", "key", "position", "row", "version_before")
        routed = self.route(events)
        logs: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for change in routed:
            logs[tuple(change["key"])].add(change["source_table"])
        return [
            {
                **{name: change[name] for name in columns},
                **self._decision(change, scenario, alone=len(logs[tuple(change["key"])]) == 1),
                "committed_at": scenario.number,
            }
            for change in routed
            for scenario in scenarios
        ]

    def decide_packed(self, events: Sequence[Event]) -> list[Answer]:
        """The answer of the merge that tables have together. On the way back it is what is routed; on the way there,
        while rows are copied, what is decided. None of a table that has a merge of its own."""
        if is_routed_packed(self.layout.table):
            return [{**change, "committed_at": None} for change in self.route(events)]
        return self._decide_without_lookup(events) if is_merged_packed(self.layout.table) else []

    def _decide_without_lookup(self, events: Sequence[Event]) -> list[Answer]:
        """No shard has been asked, so a row counts as found unless it was inserted."""
        columns = ("table", "source_table", "shard", "part", "action", "key", "row", "version_before")
        answers: list[Answer] = []
        for change in self.route(events):
            is_new = change["action"] == "upsert" and change["op"] == "I"
            scenario = Scenario(0, found=not is_new, snapshot_open=True, version=None)
            position = change["position"]
            decided = self._decision(change, scenario, alone=True)
            why = decided["why"] if self.layout.keeps_decisions else None
            answers.append(
                {name: change[name] for name in columns}
                | {"file": position["file"], "offset": position["offset"], "line": position["row"]}
                | {"decision": decided["decision"], "why": why}
            )
        return answers

    def locate(self, rows: Sequence[tuple[str, Row]]) -> list[Answer]:
        """The answer of snapshot-route. `chunk` is the row's number."""
        return [
            {
                "table": self.layout.table.logical,
                "source_table": source,
                "chunk": number,
                "shard": place.shard,
                "part": place.part,
                "row": self.layout.copy(row, source),
            }
            for number, (source, row) in enumerate(rows)
            for place in self.layout.places(row)
        ]

    def identity(self, row: Row | None, source: str) -> list[str] | None:
        """The key as the shards' servers compare it, of a row of that source table."""
        if row is None:
            return None
        key, origin = row_identity(self.layout.table, row), self.layout.table.source_lacks
        return key if origin is None else [*key, origin.of(source)]

    def _decode(self, event: Event, op: str, key: list[str] | None, *, before: Row | None, after: Row | None) -> Answer:
        epoch, file, offset, row = event.position
        return {
            "source_table": event.source,
            "op": op,
            "key": key,
            "position": {"epoch": epoch, "file": file, "offset": offset, "row": row},
            "committed_at": event.committed_at,
            "before": self._texts_by_name(before),
            "after": self._texts_by_name(after),
            "before_place": self._place(before),
            "after_place": self._place(after),
        }

    def _texts_by_name(self, row: Row | None) -> dict[str, str | None] | None:
        if row is None:
            return None
        return self.layout.texts(row)

    def _place(self, row: Row | None) -> dict[str, int] | None:
        return None if row is None else _as_answer(self.layout.place(row))

    def _route(self, change: Answer) -> Iterator[Answer]:
        table = self.layout.table
        broadcast = table.placement.has_copies
        places = [_as_answer(Place(s, 0)) for s in range(self.layout.shards)] if broadcast else change["places"]
        versions = {column.target: column.source for column in table.columns}
        version = versions.get(table.writes.version_column or "")
        for place in places:
            stays = broadcast or place == change["after_place"]
            action = "delete" if change["op"] == "D" else "upsert" if stays else "move_out"
            yield {
                "table": table.logical,
                "source_table": change["source_table"],
                "shard": place["shard"],
                "part": place["part"],
                "action": action,
                "op": change["op"],
                "key": change["key"],
                "position": change["position"],
                "committed_at": change["committed_at"],
                "row": self._row(change) if action == "upsert" else None,
                "version_before": change["first_before"][version] if version and change["first_before"] else None,
                "version": change["after"][version] if version and change["after"] else None,
            }

    def _row(self, change: Answer) -> list[str | None]:
        values = self.layout.mapping.python(change["after"] | {SOURCE: change["source_table"]})
        return values if not self.layout.table.writes.marks_columns else [*values, change["changed"]]

    def _decision(self, change: Answer, scenario: Scenario, *, alone: bool) -> Answer:
        """What is done, and why. `alone`: no other table has events of the row in the batch."""
        table, found = self.layout.table, scenario.found
        several = any(spelt_in_several_ways(column.type) for column in table.key_columns)
        spread = spread_over_shards(table)
        if spread and not (alone and (scenario.at_home or not found)):
            return _make_decision("reread", "events of several shards have no order")
        if spread and table.keeps_columns and change["op"] == "D" and found:
            return _make_decision("delete_if_gone", "the source's row has columns that no shard brings")
        if change["action"] != "upsert":
            if scenario.snapshot_open and table.deletes.are_remembered:
                return _make_decision("defer", "deleted while rows are copied")
            reasons = {
                "the row is there": found,
                "the row may be copied yet": scenario.snapshot_open,
                "the row's key may be spelt differently": several,
            }
            why = next((reason for reason, holds in reasons.items() if holds), None)
            return _make_decision("skip", "no row is there") if why is None else _make_decision("delete", why)
        if not found:
            return _make_decision("insert", "no row, update becomes insert" if change["op"] == "U" else "a new row")
        if not several and self._stale(change, version_in_lookup(change, scenario)):
            return _make_decision("skip", "newer on the target")
        return _make_decision("update", "the row is there")

    def _stale(self, change: Answer, theirs: str | None) -> bool:
        """C2: the target's row is kept only if its version is newer than ours and not the one we started from."""
        kinds = {column.target: column.type for column in self.layout.table.columns}
        name, ours, first = self.layout.table.writes.version_column, change["version"], change["version_before"]
        if name is None or theirs is None or ours is None:
            return False
        kind = kinds[name]
        newer = int(theirs) > int(ours) if kind.is_integer else theirs > ours
        return newer and theirs != first


def _make_decision(decision: str, why: str) -> Answer:
    return {"decision": decision, "why": why}


def spread_over_shards(table: TablePlan) -> bool:
    """Whether rows come back from several tables, so that their logs have no order between them."""
    return table.own is not None and len(table.sources) > 1


def row_identity(table: TablePlan, row: Row) -> list[str]:
    """The key of a source row as its server compares it."""
    values = [(row[column.position] or "", column.type) for column in table.source_key_columns]
    return [value.rstrip(" ") if pads(kind) else value for value, kind in values]


def _changes(change: Answer, names: Collection[str]) -> bool:
    return change["op"] != "U" or any(change["before"][name] != change["after"][name] for name in names)


def version_in_lookup(change: Answer, scenario: Scenario) -> str | None:
    """The version that the look-up finds for this change in this scenario."""
    given: dict[str | None, str | None] = {"first": change["version_before"], "own": change["version"]}
    return given.get(scenario.version, scenario.version)


def _merge(group: Sequence[Answer]) -> Answer:
    first, last = group[0], group[-1]
    op = first["op"]
    for change in group[1:]:
        op = _FOLD[(op, change["op"])]
    places = {_order(place): place for one in group for place in (one["before_place"], one["after_place"]) if place}
    return {
        "source_table": first["source_table"],
        "key": first["key"],
        "op": op,
        "position": last["position"],
        "committed_at": max(change["committed_at"] for change in group),
        "first_before": first["before"],
        "after": last["after"],
        "after_place": last["after_place"],
        "places": [places[key] for key in sorted(places)],
        "events": len(group),
    }


def _order(parts: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(parts.values())


def _as_answer(place: Place) -> dict[str, int]:
    return {"shard": place.shard, "part": place.part}


def pads(kind: ColumnType) -> bool:
    """Only trailing spaces are ignored: a text under a binary collation that is not NO PAD."""
    collation = kind.collation or ""
    return kind.is_text and collation.endswith("_bin") and "nopad" not in collation and "_0900_" not in collation


def spelt_in_several_ways(kind: ColumnType) -> bool:
    """The server ignores letter case or accents: on the shard, different keys of Spark may be one row."""
    return kind.is_text and not (kind.collation or "").endswith("_bin")
