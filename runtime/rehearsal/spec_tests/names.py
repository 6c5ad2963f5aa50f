"""Which table and which column does a test name? A misspelt name becomes a finding. Pure.

The plan is that of the case's direction: on the way back its source tables are those of the shards, and its targets the
source's own tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from shardwright.compiler.expressions.canonical import NotAValue, canonical
from shardwright.compiler.plan.plan import CopiedColumn, Plan, TablePlan, with_suffix
from shardwright.compiler.plan.table_parts import SourceColumn
from shardwright.runtime.rehearsal.spec_tests.resolved_case import PhysicalTable, physical_tables
from shardwright.specs.findings.diagnostics import Findings, Path, Span
from shardwright.specs.findings.wording import did_you_mean, quote
from shardwright.specs.spec_tests.spec_tests import ANYWHERE, ExpectedTable, WrittenRow
from shardwright.specs.yaml.document import YamlSource
from shardwright.specs.yaml.topology import TopologyFault, expand

Known = TypeVar("Known")


@dataclass(frozen=True, slots=True)
class Names:
    """The plan's names, and where findings about the names of a test go."""

    plan: Plan
    document: YamlSource
    findings: Findings
    source_columns: Mapping[str, Mapping[str, SourceColumn]] = field(default_factory=dict)
    """On the way back: the columns that the source's own tables have, by logical table and name."""

    @property
    def _back(self) -> bool:
        return self.plan.direction.reads_shards

    def source_table(self, name: str, path: Path) -> tuple[TablePlan, str] | None:
        """The table and its source, by `table`, `database.table`, or the logical name when there is one source only."""
        full = [(table, str(source)) for table in self.plan.tables for source in table.sources]
        found = [(table, source) for table, source in full if name in (source, source.split(".", 1)[1])]
        if not found:
            found = [(table, source) for table, source in full if table.logical == name and len(table.sources) == 1]
        if len(found) == 1:
            return found[0]
        if found:
            some = ", ".join(source for _, source in found[:4])
            where = "databases of the shards" if self._back else "source databases"
            message = f"table {quote(name)} is in several {where}"
            self._error("SW8853", message, self._place(path), f"write one of {some}")
            return None
        logical = next((table for table in self.plan.tables if table.logical == name), None)
        message = f"the {'shards have no table' if self._back else 'migration has no source table'} {quote(name)}"
        known = [text for _, source in full for text in (source, source.split(".", 1)[1])]
        hint = did_you_mean(name, known)
        if logical is not None:
            kind = "tables" if self._back else "source tables"
            hint = f"write one of its {kind}: {', '.join(map(str, logical.sources[:4]))}"
        elsewhere = [source for _, source in full if source.split(".", 1)[1] == name.split(".", 1)[-1]]
        if self._back and len(elsewhere) == 1:  # the first copy of a table that is copied whole
            hint = f"the way back reads {elsewhere[0]} only"
        self._error("SW8853", message, self._place(path), hint)
        return None

    def source_values(self, table: TablePlan, row: WrittenRow) -> dict[int, str | None]:
        """Index of the source column and its value, for every value that is right."""
        known = {column.name: index for index, column in enumerate(table.source.columns)}
        values: dict[int, str | None] = {}
        for name, value in row.values.items():
            index = self._column(name, known, table=table, path=(*row.path, name))
            if index is not None:
                column = table.source.columns[index]
                for text in self._value(column, column.name, value, (*row.path, name)):
                    values[index] = text
        return values

    def target_values(self, table: TablePlan, row: WrittenRow) -> dict[str, str | None]:
        """Target column and its value, for every value that is right."""
        known: Mapping[str, SourceColumn | CopiedColumn] = {column.target: column for column in table.columns}
        known = self.source_columns.get(table.logical, known)
        values: dict[str, str | None] = {}
        for name, value in row.values.items():
            column = self._column(name, known, table=table, path=(*row.path, name))
            if column is not None:
                for text in self._value(column, name, value, (*row.path, name)):
                    values[name] = text
        return values

    def physical(self, expected: ExpectedTable) -> tuple[PhysicalTable, ...]:
        """The tables that an entry of `expect` names; empty when there is a finding."""
        if expected.database == ANYWHERE:
            table = next((table for table in self.plan.tables if table.logical == expected.table), None)
            if table is not None:
                return physical_tables(self.plan, table)
            logicals = [each.logical for each in self.plan.tables]
            self._unknown("the migration has no logical table", expected.table, logicals, expected.path)
            return ()
        found: list[PhysicalTable] = []
        for shard in self._shards(expected):
            match = self._on_shard(shard, expected)
            if match is None:
                return ()
            found.append(match)
        return tuple(found)

    def _shards(self, expected: ExpectedTable) -> tuple[int, ...]:
        span = self.document.key_span_of(expected.path[:-1])
        try:
            names = expand(expected.database)
        except TopologyFault as fault:
            self._error(fault.code, fault.message, span, None)
            return ()
        unknown = [name for name in names if name not in self.plan.databases]
        if unknown:
            hint = did_you_mean(unknown[0], self.plan.databases)
            side = "source" if self._back else "target"
            self._error("SW8856", f"the {side} has no database {quote(unknown[0])}", span, hint)
            return ()
        return tuple(self.plan.databases.index(name) for name in names)

    def _on_shard(self, shard: int, expected: ExpectedTable) -> PhysicalTable | None:
        known: dict[str, PhysicalTable] = {}
        for table in self.plan.tables:
            if shard in self.plan.shards(table):
                for part, suffix in enumerate(self.plan.parts(table)):
                    known[with_suffix(table.physical, suffix)] = PhysicalTable(table.logical, shard, part)
        if expected.table not in known:
            message = f"database {self.plan.databases[shard]} has no table"
            self._unknown(message, expected.table, known, expected.path)
        return known.get(expected.table)

    def _unknown(self, message: str, name: str, known: Iterable[str], path: Path) -> None:
        names = list(known)
        physical = [other for other in names if other.startswith(f"{name}_")]
        hint = f"write one of {', '.join(physical[:4])}" if physical else did_you_mean(name, names)
        self._error("SW8856", f"{message} {quote(name)}", self._place(path), hint)

    def _column(self, name: str, known: Mapping[str, Known], *, table: TablePlan, path: Path) -> Known | None:
        if name in known:
            return known[name]
        message = f"table {quote(table.logical)} has no column {quote(name)}"
        renamed = next((column.target for column in table.columns if column.source == name), None)
        source = next((column.source for column in table.columns if column.target == name), None)
        hint = did_you_mean(name, known)
        there, here = ("at the source", "on the shards") if self._back else ("on the shards", "at the source")
        if any(name in (item.source, item.target) for item in table.generated):
            hint = "it is generated: the servers compute it, and a test does not"
        elif renamed in known:
            hint = f"{there} it is named '{renamed}'"
        elif source in known:
            hint = f"{here} it is named '{source}'"
        elif name in self.source_columns.get(table.logical, ()):
            hint = "only the source has it"
        self._error("SW8854", message, self._place(path), hint)
        return None

    def _value(
        self, column: SourceColumn | CopiedColumn, name: str, value: object, path: Path
    ) -> tuple[str | None, ...]:
        """The one text of a value; empty when there is a finding."""
        span = self.document.span_of(path)
        if value is None and not column.nullable:
            self._error("SW8855", f"column '{name}' cannot be NULL", span, None)
            return ()
        try:
            return (None if value is None else canonical(value, column.type),)
        except NotAValue as refused:
            self._error("SW8855", f"column '{name}' ({column.type.name}): {refused.reason}", span, refused.hint)
            return ()

    def _place(self, path: Path) -> Span:
        """The place of the key, where the path ends in a key's name; otherwise of the value."""
        return self.document.key_span_of(path)

    def _error(self, code: str, message: str, span: Span, hint: str | None) -> None:
        self.findings.error(code, message, span, hint=hint)
