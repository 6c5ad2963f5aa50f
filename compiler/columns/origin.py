"""Compiler pass: the column that says which source table a row is from. With it, equal keys of several source tables
are several rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.columns.choose import ChosenColumns, faults_of_name
from shardwright.compiler.columns.mapping import SOURCE, MappedColumn, Texts
from shardwright.compiler.plan.catalogue import ColumnType, SourceTable
from shardwright.compiler.plan.plan import CopiedColumn
from shardwright.compiler.plan.table_parts import Origin, OriginPart, SourceName
from shardwright.compiler.sql.origin import origin_in_spark, origin_text
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import Spec, TableSpec

_LONGEST = {"database": 64, "table": 64, "both": 129}
_WORDS = {"database": "database", "table": "table", "both": "database and table"}
_COLLATION = ("utf8mb4", "utf8mb4_bin")


@dataclass(frozen=True, slots=True)
class FromSource:
    """The name of the row's source table, or a part of it."""

    origin: Origin

    def spark(self, image: str) -> exp.Expr:
        return origin_in_spark(self.origin)

    def mysql(self) -> exp.Expr:
        return origin_text(self.origin)

    def python(self, row: Texts) -> str | None:
        return self.origin.of(row[SOURCE] or "")

    def reads(self) -> frozenset[str]:
        return frozenset()


def row_origin(
    spec: Spec,
    entry: TableSpec,
    source: SourceTable,
    chosen: ChosenColumns,
    *,
    sources: Sequence[SourceName],
    findings: Findings,
) -> Origin | None:
    """None where the entry asks for none, and after an error."""
    name = entry.origin_column
    if name is None or not chosen.are_known:
        return None
    span = spec.span_of((*entry.path, "on_key_collision", "add_column"))
    faults = [*_faults(entry, source, chosen, name), *_faults_of_sources(entry, sources)]
    for code, message in faults:
        findings.error(code, message, span)
    return None if faults else Origin(name, part_of(sources))


def origin_column(origin: Origin) -> MappedColumn:
    charset, collation = _COLLATION
    column = CopiedColumn(
        source="",
        target=origin.column,
        type=ColumnType("varchar", length=_LONGEST[origin.part], charset=charset, collation=collation),
        nullable=False,
        position=-1,
        mapping=f"the source's {_WORDS[origin.part]}",
    )
    return MappedColumn(column, FromSource(origin), origin_kind(origin))


def origin_kind(origin: Origin) -> exp.DataType:
    return exp.DataType.build(f"VARCHAR({_LONGEST[origin.part]})", dialect="mysql")


def part_of(sources: Sequence[SourceName]) -> OriginPart:
    """As much of the names as tells them apart."""
    if len({source.database for source in sources}) == 1:
        return "table"
    return "database" if len({source.table for source in sources}) == 1 else "both"


def name_with_quotation_mark(names: Iterable[str]) -> str | None:
    """The first name that a statement for one source table cannot have as a value."""
    return next((name for name in names if set(name) & set("'\\`")), None)


def _faults(entry: TableSpec, source: SourceTable, chosen: ChosenColumns, name: str) -> Iterator[tuple[str, str]]:
    targets = [*(item.column.target for item in chosen.mapped), *(item.target for item in chosen.generated)]
    yield from faults_of_name(entry, name, {target.lower() for target in targets})
    taken = {column.name.lower() for column in source.columns} - {target.lower() for target in targets}
    if name.lower() in taken:
        yield "SW2067", f"column '{name}' of '{entry.table}' would have the name of a column of the source"
    if entry.backward.rule is not None:
        why = "a row returns to the table that the column names"
        yield "SW2067", f"'{entry.table}' has a column '{name}' and a rule in `backward.sharding`: {why}"


def _faults_of_sources(entry: TableSpec, sources: Sequence[SourceName]) -> Iterator[tuple[str, str]]:
    if len(sources) == 1:
        yield "SW2066", f"'{entry.table}' has one source table, {sources[0]}: it has no equal keys"
    quoted = name_with_quotation_mark(map(str, sources))
    if quoted is not None:
        yield "SW2067", f"the name of source table {quoted} has a quotation mark or a backslash and can be no value"
    seen: dict[str, str] = {}
    for source in map(str, sources):
        if (first := seen.setdefault(source.casefold(), source)) is not source:
            yield "SW2067", f"source tables {first} and {source} differ in letter case only"
            return
