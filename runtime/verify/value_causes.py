"""By which relaxed rule are the values of two rows equal? A shard's server compares them again, column by column.

Runs in the driver, in threads; reads single rows of both sides, and sends their values to the server of the side that
should be equal. Values of masked columns are compared, too; only the rule's name comes back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import CopiedColumn, TablePlan
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.verify.answers import RowHash
from shardwright.runtime.verify.cause import Cause
from shardwright.runtime.verify.key_range import Key, key_variables
from shardwright.runtime.verify.sessions import Sessions, ask

LONG_VALUE: Final = re.compile(r"(\d+) bytes, SHA-256 [0-9a-f]{64}")
"""The form in which the plan's statements show a long value."""
Side = Literal["source", "target"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Both values of a column that differs, as text."""

    column: CopiedColumn
    source: str
    target: str

    @property
    def is_long(self) -> bool:
        return bool(LONG_VALUE.fullmatch(self.source) or LONG_VALUE.fullmatch(self.target))


@dataclass(frozen=True, slots=True)
class RowPair:
    """One row of both sides."""

    table: TablePlan
    key: Key
    source: RowHash
    target: RowHash
    sessions: Sessions

    def causes(self, pairs: Sequence[Pair]) -> Mapping[str, Cause]:
        """By column of the target; a column that no rule finds equal is not in it."""
        from shardwright.compiler.steps.loose_rules import has_rule  # sqlglot, where something differs

        asked = self._in_full([pair for pair in pairs if has_rule(pair.column.type)])
        if not asked:
            return {}
        try:
            return self._ask(asked)
        except CouldNotCheck:  # a value that the server cannot convert: the others are compared
            return {} if len(asked) == 1 else {name: cause for pair in asked for name, cause in self._one(pair).items()}

    def _one(self, pair: Pair) -> Mapping[str, Cause]:
        try:
            return self._ask([pair])
        except CouldNotCheck:
            return {}

    def _ask(self, pairs: Sequence[Pair]) -> Mapping[str, Cause]:
        from shardwright.compiler.steps.loose_rules import loose_rules

        kinds: tuple[ColumnType, ...] = tuple(pair.column.type for pair in pairs)
        values: dict[str, object] = {}
        for number, pair in enumerate(pairs, start=1):
            values |= {f"sw_source_{number}": pair.source, f"sw_target_{number}": pair.target}
        with self.sessions.at(self.target.end) as connection:
            (found,) = ask(connection, loose_rules(kinds), values, where=self.target.place)
        return {pair.column.target: Cause(rule) for pair, rule in zip(pairs, found, strict=True) if rule is not None}

    def _in_full(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Without the pairs whose values are too long to be read in full."""
        long = [pair for pair in pairs if pair.is_long]
        whole = [pair for pair in pairs if not pair.is_long]
        if not long:
            return whole
        columns = [column for column in self.table.columns if column in [pair.column for pair in long]]
        source, target = self._read(self.source, "source", columns), self._read(self.target, "target", columns)
        for column, one, other in zip(columns, source, target, strict=False):
            if one is not None and other is not None:
                whole.append(Pair(column, one, other))
        return whole

    def _read(self, held: RowHash, side: Side, columns: Sequence[CopiedColumn]) -> Sequence[str | None]:
        from shardwright.compiler.steps.loose_rules import full_values

        database, _, name = held.place.partition(".")
        names = [column.target for column in columns]
        sql = full_values(self.table, side, (database, name), names)
        if sql is None:
            return ()
        try:
            with self.sessions.at(held.end) as connection:
                rows = ask(connection, sql, key_variables(self.key), where=held.place)
        except CouldNotCheck:
            return ()
        return tuple(rows[0]) if rows else ()


def cause_of_row(found: Mapping[str, Cause], columns: Sequence[str]) -> Cause | None:
    """What explains all columns that differ; None where one of them is not explained. Where several causes do, the one
    of the first column."""
    causes = [found.get(name) for name in columns]
    return causes[0] if causes and None not in causes else None
