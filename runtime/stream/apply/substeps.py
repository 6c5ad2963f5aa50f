"""In which order does a staged batch take effect (contract C7, C8)?

Pure: the order as data, no database.

    upserts       light to heavy: child rows are there before their parent appears
    deferred      after each weight's upserts: rows whose unique value a moving row held until now
    deletes       heavy to light: a parent disappears before its child rows
    move_out      with the deletes: what a moved row leaves behind, once it is at its new place

Every weight of a line is a barrier: the next one starts when all shards have committed it. Deletes come after upserts
because a parent may stay while all its child rows are replaced by others: the new ones are there before the old ones
go. A deleted row whose unique value is wanted in the batch goes earlier, within the transaction of the upsert (C6).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.ledger.stage_summary import NEW, PLACED, Summary

Action = Literal["delete", "upsert", "deferred", "move_out"]


@dataclass(frozen=True, slots=True)
class SubStep:
    """One barrier: `action` for the tables of one weight. `name` is its key in the shards' ledgers."""

    action: Action
    weight: int

    @property
    def name(self) -> str:
        return f"{self.action}:{self.weight}"

    @property
    def place(self) -> str:
        """As failpoints name it."""
        return self.action.replace("_", "-")


@dataclass(frozen=True, slots=True)
class PartWork:
    """What a shard does in a sub-step for one physical table."""

    logical: str
    part: int
    rows: int
    """How many were staged; some may have been superseded since, or wait. 0: all new rows are in place already."""
    all_new: bool = False
    """As far as the batch knows, none of the rows exists yet."""


def substeps(tables: Sequence[TablePlan], work: Mapping[int, Summary]) -> Iterator[SubStep]:
    """The barriers of a batch, in order; those without work on any shard are left out."""
    touched = {logical for summary in work.values() for logical in summary}
    present = [table for table in tables if table.logical in touched]
    light_to_heavy = sorted({table.weight for table in present})
    for weight in light_to_heavy:
        yield SubStep("upsert", weight)
        if any(table.identity.every_unique_key for table in present if table.weight == weight):
            yield SubStep("deferred", weight)
    for weight in reversed(light_to_heavy):
        yield SubStep("delete", weight)
        yield SubStep("move_out", weight)


def part_work(substep: SubStep, tables: Mapping[str, TablePlan], summary: Summary) -> tuple[PartWork, ...]:
    """The physical tables of one shard that take part in the sub-step.

    `deferred` needs both a row to insert and a row that leaves in the same physical table.
    """
    found: list[PartWork] = []
    for logical in sorted(summary):
        if tables[logical].weight != substep.weight:
            continue
        actions = summary[logical]
        if substep.action == "deferred":
            parts = set(actions.get("upsert", {})) & set(actions.get("move_out", {}))
            parts = parts if tables[logical].identity.every_unique_key else set()
        else:
            parts = set(actions.get(substep.action, {}))
            parts |= set(actions.get(PLACED, {})) if substep.action == "upsert" else set()
        staged = actions.get("upsert" if substep.action == "deferred" else substep.action, {})
        new = actions.get(NEW, {}) if substep.action == "upsert" else {}
        found += [
            PartWork(logical, int(part), staged.get(part, 0), staged.get(part) == new.get(part))
            for part in sorted(parts, key=int)
        ]
    return tuple(found)


def last_substeps(tables: Sequence[TablePlan], work: Mapping[int, Summary]) -> Mapping[int, SubStep]:
    """Each shard's last sub-step of a batch: after it the shard has its whole share."""
    by_name = {table.logical: table for table in tables}
    return {
        shard: substep
        for substep in substeps(tables, work)
        for shard, summary in work.items()
        if part_work(substep, by_name, summary)
    }
