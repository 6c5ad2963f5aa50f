"""Which mismatches do the keys of a small range show on both sides? Values of masked columns are never reported: a
report says only that such a column differs and how long each value is.

Runs in the driver; reads single rows of both sides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import CopiedColumn, TablePlan
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.verify.answers import RowHash
from shardwright.runtime.verify.cause import Cause
from shardwright.runtime.verify.key_range import Key, key_variables
from shardwright.runtime.verify.result import ColumnDifference, Mismatch, MismatchKind
from shardwright.runtime.verify.sessions import Sessions, ask
from shardwright.runtime.verify.shard_end import ShardEnd
from shardwright.runtime.verify.source_end import SourceEnd
from shardwright.runtime.verify.statement_calls import Rows
from shardwright.runtime.verify.value_causes import LONG_VALUE, Pair, RowPair, cause_of_row


def difference(
    column: CopiedColumn, source: str | None, target: str | None, *, cause: Cause | None = None
) -> ColumnDifference:
    """Both values of a column that differs, as a report may hold them."""
    return ColumnDifference(column.target, reportable(column, source), reportable(column, target), cause)


def reportable(column: CopiedColumn, value: str | None) -> str | None:
    """A value of the target's column, as a report may hold it. None remains None: NULL is no secret."""
    return mask_value(column.type, value) if column.is_masked else value


def mask_value(kind: ColumnType, value: str | None) -> str | None:
    """How long a value is, instead of the value. The hash of a long one is left out, too: few telephone numbers have
    the same hash."""
    if value is None:
        return None
    shortened = LONG_VALUE.fullmatch(value)
    if shortened:
        return f"(masked, {shortened[1]} bytes)"
    if kind.is_bytes:
        return f"(masked, {len(value) // 2} bytes)"
    return f"(masked, {len(value)} characters)"


@dataclass(frozen=True, slots=True)
class KeyState:
    """Which tables hold one key: this decides whether it is right, and whether it changed since the last check."""

    source: tuple[RowHash, ...]
    target: tuple[RowHash, ...]

    @property
    def fault(self) -> MismatchKind | None:
        """The gravest thing wrong with the key; None when nothing is, as with a key that no table holds."""
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


def read_key_states(source: SourceEnd, target: ShardEnd, rows: Rows) -> Mapping[Key, KeyState]:
    """Every key that at least one side has, in the order of the tables."""
    wanted, found = source.keys(rows), target.keys(rows)
    return {key: KeyState(wanted.get(key, ()), found.get(key, ())) for key in {**wanted, **found}}


def find_mismatches(source: SourceEnd, target: ShardEnd, rows: Rows) -> Mapping[Key, KeyState]:
    """The keys that are not right."""
    return {key: state for key, state in read_key_states(source, target, rows).items() if state.fault is not None}


def faults_of(state: KeyState) -> tuple[MismatchKind, ...]:
    """A row can be both different and misplaced; every other fault is alone."""
    fault = state.fault
    if fault is None:
        return ()
    if fault is MismatchKind.DIFFERENT and state.target[0].misplaced:
        return (fault, MismatchKind.MISPLACED)
    return (fault,)


@dataclass(frozen=True, slots=True)
class Naming:
    """What a report says of wrong keys: one row is read at each side that has it."""

    table: TablePlan
    source: SourceEnd
    target: ShardEnd
    sessions: Sessions

    def mismatches(self, key: Key, state: KeyState, *, read_rows: bool = True) -> tuple[Mismatch, ...]:
        """The mismatches of one key; without `read_rows` they have no differing columns and no place where the row
        belongs."""
        holders = state.source if len(state.source) > 1 else state.target
        places = tuple(held.place for held in holders)
        columns = self._column_differences(key, state) if read_rows else ()
        belongs = self.right_place(key, state) if read_rows else None
        found = {column.column: column.cause for column in columns if column.cause is not None}
        cause = cause_of_row(found, [column.column for column in columns])
        return tuple(
            Mismatch(fault, self.table.logical, key, places, belongs, columns, cause)
            if fault is MismatchKind.DIFFERENT
            else Mismatch(fault, self.table.logical, key, places, belongs)
            for fault in faults_of(state)
        )

    def _column_differences(self, key: Key, state: KeyState) -> tuple[ColumnDifference, ...]:
        """Empty unless the row is on both sides."""
        if state.fault is not MismatchKind.DIFFERENT:
            return ()
        left, right = (row_values(held, key, self.sessions) for held in (state.source[0], state.target[0]))
        if left is None or right is None:
            return ()
        differing = [pair for pair in zip(self.table.columns, left, right, strict=True) if pair[1] != pair[2]]
        pairs = [Pair(column, one, other) for column, one, other in differing if one is not None and other is not None]
        causes = RowPair(self.table, key, state.source[0], state.target[0], self.sessions).causes(pairs)
        return tuple(
            difference(column, one, other, cause=causes.get(column.target)) for column, one, other in differing
        )

    def right_place(self, key: Key, state: KeyState) -> str | None:
        """The physical table that should have the source's row; None where the source has no such row or several, or
        where its server cannot compute the place."""
        if len(state.source) != 1:
            return None
        if self.target.only_place:
            return self.target.only_place
        try:
            place = self.source.place(key, state.source[0])
        except CouldNotCheck:
            return None  # a hash function that only the shards have: the mismatch itself is certain
        return None if place is None else self.target.name_of(place)


def row_values(held: RowHash, key: Key, sessions: Sessions) -> tuple[str | None, ...] | None:
    """The row in readable form, column by column; None when it is gone."""
    with sessions.at(held.end) as connection:
        rows = ask(connection, held.sql, key_variables(key), where=held.place)
    return tuple(rows[0]) if rows else None
