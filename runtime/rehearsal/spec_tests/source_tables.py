"""Which rows do a plan's source tables have in a spec test? Given rows are completed by the columns' defaults. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from shardwright.compiler.columns.generated_columns import inputs
from shardwright.compiler.expressions.canonical import NotAValue, canonical
from shardwright.compiler.plan.catalogue import SPATIALS, ColumnType, SourceTable
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.plan.table_parts import SourceColumn
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.layout import Row
from shardwright.runtime.rehearsal.dry_run.model import row_identity
from shardwright.runtime.rehearsal.dry_run.values import plain_value
from shardwright.runtime.rehearsal.spec_tests.names import Names
from shardwright.specs.findings.diagnostics import Span
from shardwright.specs.spec_tests.spec_tests import Delete, GivenTable, Insert, Update, WrittenEvent, WrittenRow

COMPUTED = "no server computes generated columns here"
NOW = "2000-01-01 00:00:00"
"""The value of CURRENT_TIMESTAMP in a test."""


def column_defaults(table: TablePlan, catalogue: Mapping[str, SourceTable]) -> tuple[str | None, ...]:
    """The value of every source column that a test does not name, in table order.

    Columns without a default are NULL, or the type's zero when they are NOT NULL.
    """
    source = _find_definition(table, catalogue)
    written = {} if source is None else _defaults(source)
    return tuple(_default_of(column, written.get(column.name.lower())) for column in table.source.columns)


def _find_definition(table: TablePlan, catalogue: Mapping[str, SourceTable]) -> SourceTable | None:
    """The CREATE TABLE of the table: one of its sources', or the one that describes tables split by suffix."""
    names = (*table.source.tables, table.logical)
    columns = [column.name for column in table.source.columns]
    candidates = [catalogue[name] for name in names if name in catalogue] or list(catalogue.values())
    return next((each for each in candidates if [column.name for column in each.columns] == columns), None)


def _defaults(source: SourceTable) -> dict[str, exp.Expression]:
    return {
        part.name.lower(): constraint.kind.this
        for part in source.statement.this.expressions
        if isinstance(part, exp.ColumnDef)
        for constraint in part.constraints
        if isinstance(constraint.kind, exp.DefaultColumnConstraint)
    }


def _default_of(column: SourceColumn, written: exp.Expression | None) -> str | None:
    if isinstance(written, exp.Null) or (written is None and column.nullable):
        return None
    try:
        return plain_default(column.type) if written is None else _evaluate(written, column)
    except NotAValue:
        return plain_default(column.type)


def plain_default(kind: ColumnType) -> str | None:
    """The value of a NOT NULL column without default that a test does not name; None when the type has no plain one."""
    return None if kind.name in SPATIALS else plain_value(kind)


def _evaluate(written: exp.Expression, column: SourceColumn) -> str | None:
    if isinstance(written, exp.Literal):
        return canonical(written.name, column.type)
    if isinstance(written, exp.Neg) and isinstance(written.this, exp.Literal):
        return canonical(f"-{written.this.name}", column.type)
    if isinstance(written, exp.Boolean):
        return canonical(bool(written.this), column.type)
    if isinstance(written, exp.CurrentTimestamp):
        return canonical(NOW, column.type)
    raise NotAValue("an expression")


@dataclass(slots=True)
class SourceTables:
    """Rows by source table. What the server would refuse, or what changes nothing, becomes a finding."""

    names: Names
    catalogue: Mapping[str, SourceTable]
    needed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By logical table, columns that decide where a row is, beside those by which the plan places it."""
    _rows: dict[str, list[Row]] = field(default_factory=dict)
    _logged: int = 0

    def give(self, given: GivenTable) -> Iterator[tuple[TablePlan, str, Row]]:
        """Rows that exist from the beginning."""
        known = self.names.source_table(given.table, given.path)
        if known is None:
            return
        table, source = known
        for written in given.rows:
            row = self._row(table, written)
            if row is not None and self._add(table, source, row, written):
                yield table, source, row

    def put(self, source: str, row: Row) -> None:
        """The row exists from the beginning, although no test has written it."""
        self._rows.setdefault(source, []).append(row)

    def log(self, event: WrittenEvent) -> Iterator[tuple[TablePlan, Event]]:
        """The change events of a written event: an update or a delete may change several rows."""
        match event:
            case Insert():
                known = self.names.source_table(event.table, (*event.path, "insert"))
                row = None if known is None else self._row(known[0], event.row)
                if known is not None and row is not None and self._add(*known, row, event.row):
                    yield known[0], self._event(known[1], "I", None, row)
            case Update():
                yield from self._update(event)
            case Delete():
                known = self.names.source_table(event.table, (*event.path, "delete"))
                if known is None:
                    return
                for row in self._find_rows(*known, event.where):
                    self._rows[known[1]].remove(row)
                    yield known[0], self._event(known[1], "D", row, None)

    def _update(self, event: Update) -> Iterator[tuple[TablePlan, Event]]:
        known = self.names.source_table(event.table, (*event.path, "update"))
        if known is None:
            return
        table, source = known
        changes = self.names.source_values(table, event.set)
        changed_names = {name.lower() for name in event.set.values}
        stale = [
            name
            for name, reads in self._inputs_of_generated(table)
            if reads & changed_names and name not in event.set.values
        ]
        if stale:
            self._require(f"this update of {table.logical}", stale, COMPUTED, event.set)
            return
        for row in self._find_rows(table, source, event.where):
            changed = tuple(changes.get(index, value) for index, value in enumerate(row))
            self._rows[source].remove(row)
            if self._add(table, source, changed, event.set):
                yield table, self._event(source, "U", row, changed)

    def _find_rows(self, table: TablePlan, source: str, where: WrittenRow) -> list[Row]:
        wanted = self.names.source_values(table, where)
        if len(wanted) < len(where.values):
            return []  # already reported
        rows = self._rows.get(source, [])
        found = _filter_rows(rows, wanted)
        if not found:
            message = f"no row of {source} matches at this moment"
            hint = f"it has {len(rows)} row{'s' if len(rows) != 1 else ''} here"
            others = (str(other) for other in table.sources if _filter_rows(self._rows.get(str(other), []), wanted))
            elsewhere = next(others, None) if wanted else None
            if elsewhere is not None:
                hint += f"; {elsewhere} has one that matches"
            self.names.findings.error("SW8857", message, self._span(where), hint=hint)
        return found

    def _row(self, table: TablePlan, written: WrittenRow) -> Row | None:
        values = self.names.source_values(table, written)
        if len(values) < len(written.values):
            return None  # already reported
        key = set() if table.identity.counts_rows else {column.source for column in table.source_key_columns}
        placing = (
            *table.placement.shard_key,
            *(via.source for via in table.via_columns),
            *self.needed.get(table.logical, ()),
        )
        needed = {name.lower() for name in (*key, *placing)}
        missing = [
            column.name
            for index, column in enumerate(table.source.columns)
            if column.name.lower() in needed
            and index not in values
            and not (column.nullable and column.name not in key)
        ]
        computed = [name for name, _ in self._inputs_of_generated(table) if name not in written.values]
        for names, why in ((missing, "key and shard key are never made up"), (computed, COMPUTED)):
            if names:
                self._require(f"a row of {table.logical}", names, why, written)
                return None
        defaults = column_defaults(table, self.catalogue)
        return tuple(values.get(index, default) for index, default in enumerate(defaults))

    def _inputs_of_generated(self, table: TablePlan) -> Iterator[tuple[str, frozenset[str]]]:
        """The generated columns that the plan reads, each with the names, in lower case, of what it is computed
        from."""
        source = _find_definition(table, self.catalogue)
        read = {column.name for column in table.source.reads}
        for column in source.columns if source is not None else ():
            if source is not None and column.generated and column.name in read:
                yield column.name, frozenset(name.lower() for name in inputs(source, column.name))

    def _require(self, what: str, names: Sequence[str], why: str, written: WrittenRow) -> None:
        named = " and ".join(f"'{name}'" for name in names)
        self.names.findings.error("SW8858", f"{what} needs its {named}: {why}", self._span(written))

    def _add(self, table: TablePlan, source: str, row: Row, written: WrittenRow) -> bool:
        rows = self._rows.setdefault(source, [])
        identity = row_identity(table, row)
        if not table.identity.counts_rows and any(row_identity(table, other) == identity for other in rows):
            message = f"{source} has a row with key ({', '.join(identity)}) already"
            self.names.findings.error("SW8857", message, self._span(written))
            return False
        rows.append(row)
        return True

    def _event(self, source: str, op: str, before: Row | None, after: Row | None) -> Event:
        self._logged += 1
        return Event(source, op, (1, 1, 100 * self._logged, 0), 1_700_000_000 + self._logged, before, after)

    def _span(self, row: WrittenRow) -> Span:
        return self.names.document.span_of(row.path)


def _filter_rows(rows: Sequence[Row], wanted: Mapping[int, str | None]) -> list[Row]:
    return [row for row in rows if all(row[index] == value for index, value in wanted.items())]
