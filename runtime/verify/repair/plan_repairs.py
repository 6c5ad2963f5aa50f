"""What is to be repaired, by a comparison's result file?

Runs in the driver; reads the file, and is pure otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.ledger.dead_letters import Place, QuarantinedKey
from shardwright.runtime.mysql.keys import key_text
from shardwright.runtime.verify.given_keys import WrongKey
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.keys import KeyState, faults_of
from shardwright.runtime.verify.result import MismatchKind
from shardwright.runtime.verify.result_file import NO_RESULT, read_result_file
from shardwright.specs.findings.remedies import START_OVER


def wrong_keys(path: Path, plan: Plan) -> Mapping[str, tuple[Key, ...]]:
    """Logical table -> keys, each once, in the order of the result. Raises InputAtFault when it is no such file
    (SW8520), and when it was made with another plan (SW8521)."""
    migration, fingerprint, found = read_result_file(path, _take_keys)
    if (migration, fingerprint) != (plan.migration, plan.fingerprint):
        raise InputAtFault(
            "SW8521",
            f"{path} compares by plan {fingerprint} of {migration}, and this is plan {plan.fingerprint} of "
            f"{plan.migration}: verify again",
        )
    for logical, keys in found.items():
        _require_keys(path, plan, logical, keys)
    return {logical: keys for logical, keys in found.items() if keys}


def _take_keys(data: Any) -> tuple[str, str, Mapping[str, tuple[Key, ...]]]:
    """Migration, fingerprint, and keys by logical table."""
    found = {str(table["table"]): tuple(_keys(table)) for table in data["tables"]}
    return str(data["migration"]), str(data["fingerprint"]), found


def _keys(table: Mapping[str, Any]) -> dict[Key, None]:
    return {tuple(str(part) for part in one["key"]): None for one in table["mismatches"]}


def _require_keys(path: Path, plan: Plan, logical: str, keys: tuple[Key, ...]) -> None:
    table = next((table for table in plan.tables_to_verify if table.logical == logical), None)
    if table is None:
        raise InputAtFault(NO_RESULT, f"{path} names table {logical}, which the plan does not have")
    for key in keys:
        if len(key) != len(table.key) and not table.identity.counts_rows:
            raise InputAtFault(
                NO_RESULT, f"{path}: the key {', '.join(key)} of {logical} has not {len(table.key)} columns"
            )


@dataclass(frozen=True, slots=True)
class Repair:
    """The row of `held` is read again at the source and replaces what is at `places`. A row that is not at the source
    any more is removed there."""

    held: tuple[QuarantinedKey, ...]
    """Table, source table and key of the row. Where rows go from one source table to another: once for each of them,
    since any of them may have the row by the time it is read, or be named as its owner on a shard."""
    compared: str
    """The table that was found wrong: the row's own, or the lookup table that has the row's place."""
    kinds: tuple[MismatchKind, ...]
    """What is wrong with it."""
    places: frozenset[Place]
    """Shard and physical table of each row that is to go."""
    wrong: WrongKey
    """Its states as they were seen."""

    @property
    def removes(self) -> bool:
        return MismatchKind.EXTRA in self.kinds


@dataclass(frozen=True, slots=True)
class NotRepaired:
    """A key that remains wrong, and why."""

    logical: str
    key: tuple[str, ...]
    why: str

    def __str__(self) -> str:
        return f"{self.logical} ({', '.join(self.key)}): {self.why}"


def plan_repair(plan: Plan, table: TablePlan, wrong: WrongKey, *, delete_extra: bool) -> Repair | NotRepaired:
    kinds = tuple(dict.fromkeys(kind for state in wrong.states for kind in faults_of(state)))
    reason = _reason(plan, table, wrong, kinds, delete_extra=delete_extra)
    if reason is not None:
        return NotRepaired(table.logical, wrong.key, reason)
    compared, named, table = table.logical, len(table.lookup_columns), _with_rows(plan, table)
    types = [column.type for column in table.key_columns]
    key = tuple(key_text(value, kind) for value, kind in zip(wrong.key[:named], types, strict=True))
    places = _places(plan, table, wrong.states) if compared == table.logical else frozenset()
    # On the way back: wherever on the shards the row is by then.
    sources = (table.logical,) if plan.direction.reads_shards else table.sources_of(wrong.key)
    held = tuple(QuarantinedKey(table.logical, source, key) for source in sources)
    return Repair(held, compared, kinds, places, wrong)


def _with_rows(plan: Plan, table: TablePlan) -> TablePlan:
    """The table whose row is to be read again: a lookup table follows from its parent's rows."""
    parent = next((parent for parent, places in plan.parents.items() if places == table.logical), None)
    return table if parent is None else plan.table(parent)


def _reason(
    plan: Plan, table: TablePlan, wrong: WrongKey, kinds: tuple[MismatchKind, ...], *, delete_extra: bool
) -> str | None:
    sources = {held.place for state in wrong.states for held in state.source}
    if len(sources) > 1:
        return f"{' and '.join(sorted(sources))} both hold it: only one of them can be right"
    if table.writes.marks_columns:
        return f"others write its table too: fix it by hand, or {START_OVER}"
    if MismatchKind.EXTRA in kinds and not delete_extra:
        return "it is not at the source: --delete-extra removes it"
    if MismatchKind.EXTRA in kinds and _with_rows(plan, table).deletes.are_ignored:
        return "its table keeps rows that are gone at the source (deletes: ignore)"
    return None


def _places(plan: Plan, table: TablePlan, states: tuple[KeyState, ...]) -> frozenset[Place]:
    """The places that have the row. A table that is copied whole has its row on every shard: no shard loses it while
    the source has it."""
    if table.placement.has_copies and states[0].source:
        return frozenset()
    numbers = _numbers(plan, table)
    return frozenset(numbers[held.place] for state in states for held in state.target)


def _numbers(plan: Plan, table: TablePlan) -> Mapping[str, Place]:
    return {
        f"{plan.databases[shard]}.{physical}": (shard, part) for shard, part, physical in plan.physical_tables(table)
    }
