"""What the specs of one project say about each other: a migration's name and a target table belong to one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shardwright.specs.findings.diagnostics import Diagnostic, Note
from shardwright.specs.spec.model import Spec, TableSpec
from shardwright.specs.spec.table_references import meeting_suffix, suffixes_of_table


def check_project(specs: Sequence[Spec]) -> Iterator[tuple[Spec, Diagnostic]]:
    """Each finding with the spec it stands in: the later one of the two."""
    for index, spec in enumerate(specs):
        for first in specs[:index]:
            if spec.migration and spec.migration == first.migration:
                note = Note("the other spec's name stands at", first.span_of(("migration",)))
                message = f"migration '{spec.migration}' has two specs"
                yield spec, Diagnostic("SW2024", message, spec.span_of(("migration",)), notes=(note,))
            else:
                yield from ((spec, finding) for finding in _shared_tables(first, spec))


def _shared_tables(first: Spec, second: Spec) -> Iterator[Diagnostic]:
    shared = frozenset(first.target.databases) & frozenset(second.target.databases)
    if not shared:
        return
    known = {table.to or table.table: table for table in first.tables}
    for table in second.tables:
        found = _shared_with(first, known, second, table)
        if found is not None:
            other, name = found
            database = next(item for item in second.target.databases if item in shared)
            path = (*table.path, "to" if table.to else "table")
            message = f"'{database}.{name}' is a target of the migration '{first.migration}' too"
            note = Note("the other entry stands at", first.span_of((*other.path, "table")))
            yield Diagnostic("SW2023", message, second.span_of(path), notes=(note,))


def _shared_with(
    first: Spec, known: dict[str, TableSpec], second: Spec, table: TableSpec
) -> tuple[TableSpec, str] | None:
    """A table of `first` with a physical table in common, and that one's name. Databases are compared by the caller."""
    logical = table.to or table.table
    candidates = [known[logical[:length]] for length in range(1, len(logical) + 1) if logical[:length] in known]
    candidates += [other for name, other in known.items() if name.startswith(logical) and name != logical]
    for other in candidates:
        theirs = (other.to or other.table, suffixes_of_table(first, other))
        name = meeting_suffix((logical, suffixes_of_table(second, table)), theirs)
        if name is not None:
            return other, name
    return None
