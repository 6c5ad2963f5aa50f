"""How do the two plans of a migration fit together in a backward case? What the source and the shards begin with, and
which columns the source's tables have. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.backward.shard_table import shard_table
from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.plan.table_parts import SourceColumn
from shardwright.runtime.rehearsal.dry_run.layout import Row, layout
from shardwright.runtime.rehearsal.spec_tests.forward_rule import ForwardRule
from shardwright.runtime.rehearsal.spec_tests.resolved_case import GivenRow, PhysicalTable, TargetRow, physical_tables
from shardwright.runtime.rehearsal.spec_tests.shards import Shards
from shardwright.runtime.rehearsal.spec_tests.source_tables import column_defaults
from shardwright.specs.spec.model import Spec


@dataclass(frozen=True, slots=True)
class WayBackPlans:
    """`catalogue` is the schema file, `shards` what it would say of the physical tables of the shards. `fresh`: by
    logical table, what a row of the source has in all columns that can be written when no row brings them."""

    plan: Plan
    rule: ForwardRule
    catalogue: Mapping[str, SourceTable]
    shards: Mapping[str, SourceTable]
    fresh: Mapping[str, TargetRow]

    def source_columns(self) -> Mapping[str, Mapping[str, SourceColumn]]:
        """By logical table and name, the columns of the source that can be written."""
        return {
            table.logical: {
                column.name: column for column in table.source.columns if column.name in self.fresh[table.logical]
            }
            for table in self.rule.plan.tables
        }

    def shard_key_columns(self) -> Mapping[str, frozenset[str]]:
        """By logical table, the shards' columns that decide where a row of theirs belongs."""
        return {
            table.logical: frozenset(
                column.target for column in table.columns if column.source in table.placement.shard_key
            )
            | {column.target for column in table.via_columns}
            for table in self.rule.plan.tables
        }

    def source_row(self, given: GivenRow) -> tuple[PhysicalTable, TargetRow]:
        """A row of the source as a target of the backward plan."""
        table = self.plan.table(given.logical)
        at = next(place for place in physical_tables(self.plan, table) if place.name_in(self.plan) == given.source)
        columns = self.rule.plan.table(given.logical).source.columns
        return at, {column.name: value for column, value in zip(columns, given.row, strict=True)}

    def on_shards(self, given: Sequence[GivenRow]) -> Iterator[GivenRow]:
        """What the forward plan has copied of these rows of the source, as the backward plan reads it."""
        rows: dict[str, list[GivenRow]] = defaultdict(list)
        for each in given:
            if self.rule.moves(each.logical, each.row):
                rows[each.logical].append(each)
        for logical, members in rows.items():
            table, forward = self.plan.table(logical), self.rule.plan.table(logical)
            defaults = column_defaults(table, self.shards)
            for each in members:
                place = self.rule.place(logical, each.row, self._rows_above(each, rows))
                copied = self.rule.copy(logical, each.row, each.source)
                values = tuple(
                    copied.get(column.name, default)
                    for column, default in zip(table.source.columns, defaults, strict=True)
                )
                yield GivenRow(logical, self.rule.plan.physical_name(forward, place.shard, place.part), values)

    def _rows_above(self, child: GivenRow, rows: Mapping[str, Sequence[GivenRow]]) -> Mapping[str, Sequence[Row]]:
        """The rows that may be above it, by logical table."""
        found = {}
        for logical in self.rule.parents_of(child.logical):
            origin = self.rule.plan.table(logical).identity.origin
            found[logical] = [
                each.row
                for each in rows.get(logical, ())
                if origin is None or origin.of(each.source) == origin.of(child.source)
            ]
        return found

    def home(self, logical: str, row: TargetRow, source: Shards) -> str | None:
        """The look-up's answer: where a row that the source has belongs on the shards. `source` is all that it has."""
        parents = {
            parent: [
                self._in_order(parent, other)
                for table, rows in source.rows.items()
                if table.logical == parent
                for other in rows.values()
            ]
            for parent in self.rule.parents_of(logical)
        }
        return self.rule.home(logical, self._in_order(logical, row), parents)

    def _in_order(self, logical: str, row: TargetRow) -> Row:
        return tuple(row.get(column.name) for column in self.rule.plan.table(logical).source.columns)


def way_back_plans(spec: Spec, compiled: CompiledPlan, catalogue: Mapping[str, SourceTable]) -> WayBackPlans | None:
    """None where there is no way back."""
    if compiled.backward is None:
        return None
    forward, backward = compiled.plan, compiled.backward.plan
    layouts = {
        table.logical: layout(spec, forward, table, compiled.functions, compiled.mappings.get(table.logical))
        for table in forward.tables
    }
    shards = {}
    for table in forward.tables:
        create = forward.step(table.logical, StepName.CREATE_TABLE).statement("create")
        shards[table.logical] = shard_table(table, create, forward.ddl)
    fresh = {}
    for table in forward.tables:
        own = backward.table(table.logical).own
        assert own is not None
        names = (column.name for column in table.source.columns)
        values = dict(zip(names, column_defaults(table, catalogue), strict=True)) | dict(own.born)
        fresh[table.logical] = {name: values[name] for name in own.whole_row}
    return WayBackPlans(backward, ForwardRule(forward, layouts), catalogue, shards, fresh)
