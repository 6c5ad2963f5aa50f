"""From the keys of a small range on both sides to named mismatches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.compiler.plan import TablePlan
from shardwright.runtime.verify import masked
from shardwright.runtime.verify.answers import Held
from shardwright.runtime.verify.asked_rows import Rows
from shardwright.runtime.verify.key_range import Key, key_variables
from shardwright.runtime.verify.result import ColumnDifference, Mismatch, MismatchKind
from shardwright.runtime.verify.sessions import Sessions, ask
from shardwright.runtime.verify.shard_end import ShardEnd
from shardwright.runtime.verify.source_end import SourceEnd


@dataclass(frozen=True, slots=True)
class KeyState:
    """Who holds one key: what decides whether it is right, and whether it changed since the last look."""

    source: tuple[Held, ...]
    target: tuple[Held, ...]

    @property
    def fault(self) -> MismatchKind | None:
        """The gravest thing wrong with the key; None when nothing is, as with one that nobody holds."""
        if not self.source and not self.target:
            return None
        if len(self.source) > 1 or len(self.target) > 1:
            return MismatchKind.DUPLICATE
        if not self.target:
            return MismatchKind.MISSING
        if not self.source:
            return MismatchKind.EXTRA
        if self.source[0].hash != self.target[0].hash:
            return MismatchKind.DIFFERENT
        return MismatchKind.MISPLACED if self.target[0].misplaced else None


def standing_keys(source: SourceEnd, target: ShardEnd, rows: Rows) -> Mapping[Key, KeyState]:
    """Every key that stands on one side at least, in the order the tables give."""
    wanted, found = source.keys(rows), target.keys(rows)
    return {key: KeyState(wanted.get(key, ()), found.get(key, ())) for key in {**wanted, **found}}


def faulty_keys(source: SourceEnd, target: ShardEnd, rows: Rows) -> Mapping[Key, KeyState]:
    """Those that are not right."""
    return {key: state for key, state in standing_keys(source, target, rows).items() if state.fault is not None}


def faults_of(state: KeyState) -> tuple[MismatchKind, ...]:
    """A row can be both different and misplaced; everything else stands alone."""
    fault = state.fault
    if fault is None:
        return ()
    if fault is MismatchKind.DIFFERENT and state.target[0].misplaced:
        return (fault, MismatchKind.MISPLACED)
    return (fault,)


def named(
    table: TablePlan, key: Key, state: KeyState, *, target: ShardEnd, columns: tuple[ColumnDifference, ...]
) -> tuple[Mismatch, ...]:
    """The mismatches of one key."""
    holders = state.source if len(state.source) > 1 else state.target
    places = tuple(held.place for held in holders) or ((target.only_place,) if target.only_place else ())
    return tuple(
        Mismatch(fault, table.logical, key, places, columns if fault is MismatchKind.DIFFERENT else ())
        for fault in faults_of(state)
    )


def differing_columns(
    table: TablePlan, key: Key, state: KeyState, *, sessions: Sessions
) -> tuple[ColumnDifference, ...]:
    """The columns whose values differ; () unless the row stands on both sides. Reads one row of each."""
    if state.fault is not MismatchKind.DIFFERENT:
        return ()
    left, right = (row_values(held, key, sessions) for held in (state.source[0], state.target[0]))
    if left is None or right is None:
        return ()
    return tuple(
        masked.difference(column, one, other)
        for column, one, other in zip(table.columns, left, right, strict=True)
        if one != other
    )


def row_values(held: Held, key: Key, sessions: Sessions) -> tuple[str | None, ...] | None:
    """The row as people see it, column by column; None when it is gone."""
    with sessions.at(held.end) as connection:
        rows = ask(connection, held.sql, key_variables(key), where=held.place)
    return tuple(rows[0]) if rows else None
