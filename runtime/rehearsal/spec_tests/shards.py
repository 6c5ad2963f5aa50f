"""What do a plan's targets hold after a batch's decisions and a chunk's rows? The MySQL side in plain Python, in
memory.

  insert, update   the row becomes as decided, and its tombstone is removed
  delete, move_out the row is removed; `defer` writes a tombstone first
  skip             nothing
  a chunk's row    is inserted only where no row is and no tombstone forbids it

Pure. Upserts run before what leaves, light tables before heavy ones, as in `stream.apply.substeps`. Of a table whose
rows have owners, a source table deletes only what is its own; where another one owns the row, the source's last state
says which of the two has it, as `sources.row_owners` asks the source. Collisions of unique values are not modelled:
only the server's collation says whether two values are equal. The lookup tables of families are tables like others. On
the way back the targets are the source's own tables: a row that is updated keeps the columns that the shards do not
bring, one that is inserted gets those of `fresh`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from shardwright.compiler.plan.plan import CopiedColumn, Plan, TablePlan
from shardwright.runtime.rehearsal.dry_run.model import pads
from shardwright.runtime.rehearsal.spec_tests.resolved_case import PhysicalTable, TargetRow

Key = tuple[str, ...]


@dataclass(slots=True)
class Shards:
    plan: Plan
    """Whose targets these are."""
    fresh: Mapping[str, TargetRow] = field(default_factory=dict)
    """By logical table: what an inserted row has in columns that no row brings. On the way back only."""
    holding: Set[tuple[str, str, Key]] = frozenset()
    """The rows that the source has in the end: logical table, source table, key. Of tables whose rows have owners."""
    rows: dict[PhysicalTable, dict[Key, TargetRow]] = field(default_factory=dict)
    """What is in each physical table, by key. Of tables without a key each copy has a number before its values."""
    _copies: int = 0
    _tombstones: set[tuple[PhysicalTable, Key, str]] = field(default_factory=set)
    """Each with the source table whose delete it remembers."""
    _owners: dict[tuple[PhysicalTable, Key], str] = field(default_factory=dict)

    def look_up(self, place: PhysicalTable, key: Sequence[str]) -> TargetRow | None:
        """The look-up's answer."""
        return self.rows.get(place, {}).get(tuple(key))

    def copy(self, place: PhysicalTable, row: Sequence[str | None], source: str) -> None:
        table = self.plan.table(place.logical)
        named = _by_column(table, row)
        key = identity(named, table.key_columns)
        if key is None or (place, key, source) in self._tombstones:
            return
        owner = self.owner(place, key)
        if owner not in (None, source) and (place.logical, owner, key) not in self.holding:
            del self.rows[place][key], self._owners[place, key]
        if self.rows.setdefault(place, {}).setdefault(key, named) is named:
            self._own(place, key, source)

    def owner(self, place: PhysicalTable, key: Key) -> str | None:
        """The source table that the row came from, where rows have owners."""
        return self._owners.get((place, key))

    def _own(self, place: PhysicalTable, key: Key, source: str) -> None:
        if self.plan.table(place.logical).ours.owner is not None:
            self._owners[place, key] = source

    def begin_with(self, place: PhysicalTable, row: TargetRow) -> None:
        table = self.plan.table(place.logical)
        lacks = table.target_lacks
        whole = row if lacks is None else {**row, lacks.column: lacks.of(place.name_in(self.plan))}
        key = identity(whole, table.key_columns)
        if key is not None:
            self.rows.setdefault(place, {})[key] = row

    def apply(self, decisions: Sequence[Mapping[str, Any]]) -> None:
        """Applies one batch. A decision has the columns of the plan's filter."""
        weights = {table.logical: table.weight for table in self.plan.target_tables}
        upserts = self._drop_losers([each for each in decisions if each["action"] == "upsert"], decisions)
        leaving = [each for each in decisions if each["action"] != "upsert"]
        for decision in sorted(upserts, key=lambda each: weights[each["table"]]):
            self._upsert(decision)
        for decision in sorted(leaving, key=lambda each: -weights[each["table"]]):
            self._leave(decision)

    def _drop_losers(
        self, upserts: Sequence[Mapping[str, Any]], decisions: Sequence[Mapping[str, Any]]
    ) -> list[Mapping[str, Any]]:
        """Without those of source tables that do not have the row any more, where another one has it."""
        leaving = {(_place(each), *_row(each)) for each in decisions if each["action"] != "upsert"}
        won: dict[tuple[PhysicalTable, Key], Mapping[str, Any]] = {}
        alone: list[Mapping[str, Any]] = []
        for each in upserts:
            place, (source, key) = _place(each), _row(each)
            if self.plan.table(place.logical).ours.owner is None:
                alone.append(each)
                continue
            before = won.get((place, key))
            owner = self.owner(place, key) if before is None else before["source_table"]
            stays = owner not in (None, source) and (place.logical, owner, key) in self.holding
            if not stays or (before is None and (place, owner, key) in leaving):
                won[place, key] = each
        return [*alone, *won.values()]

    def _upsert(self, decision: Mapping[str, Any]) -> None:
        if decision["decision"] not in ("insert", "update"):
            return
        place, key = _place(decision), tuple(decision["key"])
        if self.plan.table(place.logical).identity.counts_rows:
            self._copies += 1
            key = (str(self._copies), *key)
        self._tombstones.discard((place, key, decision["source_table"]))
        self._own(place, key, decision["source_table"])
        table, rows = self.plan.table(place.logical), self.rows.setdefault(place, {})
        if not table.writes.marks_columns:
            kept = rows.get(key, self.fresh.get(place.logical, {})) if table.own is not None else {}
            named = _by_column(table, decision["row"])
            rows[key] = {**kept, **{column.target: named[column.target] for column in table.physical_columns}}
            return
        *values, marks = decision["row"]
        named = _by_column(table, values)
        changed = {name: value for (name, value), mark in zip(named.items(), marks, strict=True) if mark == "1"}
        rows[key] = {**rows[key], **changed} if key in rows else named

    def _leave(self, decision: Mapping[str, Any]) -> None:
        if decision["decision"] not in ("delete", "defer"):
            return
        place, (source, key) = _place(decision), _row(decision)
        if self.plan.table(place.logical).identity.counts_rows:
            key = next((copy for copy in self.rows.get(place, {}) if copy[1:] == key), key)
        if decision["decision"] == "defer":
            self._tombstones.add((place, key, source))
        if self.owner(place, key) not in (None, source):
            return
        self._owners.pop((place, key), None)
        self.rows.get(place, {}).pop(key, None)


def identity(row: TargetRow, columns: Sequence[CopiedColumn]) -> Key | None:
    """These columns of the row as the server compares them; None when one is NULL, which equals nothing."""
    values = [(row[column.target], column.type) for column in columns]
    found = tuple(value.rstrip(" ") if pads(kind) else value for value, kind in values if value is not None)
    return found if len(found) == len(columns) else None


def _place(decision: Mapping[str, Any]) -> PhysicalTable:
    return PhysicalTable(decision["table"], decision["shard"], decision["part"])


def _row(decision: Mapping[str, Any]) -> tuple[str, Key]:
    return decision["source_table"], tuple(decision["key"])


def _by_column(table: TablePlan, row: Sequence[str | None]) -> TargetRow:
    return dict(zip((column.target for column in table.columns), row, strict=True))
