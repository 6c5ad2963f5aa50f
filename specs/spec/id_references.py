"""What the entries of `ids` say about each other, and about the spec's tables and databases."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.specs.findings.diagnostics import Diagnostic, Note, Path
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import IdsSpec, Segment, Sharded, Spec
from shardwright.specs.spec.table_references import Found


def ids_have_a_table(spec: Spec) -> Found:
    """The table is one of the spec's, and not sharded where each of its physical tables would count for itself."""
    tables = {table.to or table.table: table for table in spec.tables}
    for entry in spec.ids:
        path: Path = (*entry.path, "column")
        if entry.table not in tables:
            if any(table.may_be(entry.table) for table in spec.tables):
                continue  # of a group
            message = f"there is no table '{entry.table}' in this spec"
            hint = did_you_mean(entry.table, tables) or "write the table's name on the shards, and a column: users.id"
            yield path, Diagnostic("SW2071", message, spec.span_of(path), hint=hint)
        elif entry.shards == "auto_increment" and isinstance(tables[entry.table].distribution, Sharded):
            path = (*entry.path, "shards")
            message = f"'{entry.table}' is sharded: its tables would count each by itself, and give one number twice"
            hint = "take the numbers from a segment: shards: {table: id_segment, database: DATABASE, name: NAME}"
            yield path, Diagnostic("SW2074", message, spec.span_of(path), hint=hint)


def ids_are_distinct(spec: Spec) -> Found:
    """A column has one entry, and a segment's row counts for one column."""
    columns: dict[str, IdsSpec] = {}
    rows: dict[tuple[str, ...], Segment] = {}
    for entry in spec.ids:
        name, path = f"{entry.table}.{entry.column}".lower(), (*entry.path, "column")
        if name in columns:
            note = Note("the other one", spec.span_of((*columns[name].path, "column")))
            message = f"two entries for column '{entry.table}.{entry.column}'"
            yield path, Diagnostic("SW2073", message, spec.span_of(path), notes=(note,))
        columns.setdefault(name, entry)
        for side, segment in _segments(entry):
            row = (side, segment.database, segment.table.lower(), segment.name.lower())
            if row in rows:
                note = Note("the other one", spec.key_span_of(rows[row].path))
                message = f"two columns take their numbers from row '{segment.name}' of '{segment.table}'"
                yield segment.path, Diagnostic("SW2073", message, spec.key_span_of(segment.path), notes=(note,))
            rows.setdefault(row, segment)


def id_databases_exist(spec: Spec) -> Found:
    """A segment is in a database of its side."""
    for entry in spec.ids:
        for side, segment in _segments(entry):
            known = spec.target.databases if side == "shards" else spec.source.databases
            if known and segment.database not in known:
                path: Path = (*segment.path, "database")
                whose = "target" if side == "shards" else "source"
                message = f"'{segment.database}' is not a {whose} database"
                note = Note(f"{whose} databases are at", spec.span_of((whose, "databases")))
                hint = did_you_mean(segment.database, known[:1000])
                yield path, Diagnostic("SW2075", message, spec.span_of(path), hint=hint, notes=(note,))


def _segments(entry: IdsSpec) -> Iterator[tuple[str, Segment]]:
    for side, counter in (("shards", entry.shards), ("source", entry.source)):
        if isinstance(counter, Segment):
            yield side, counter
