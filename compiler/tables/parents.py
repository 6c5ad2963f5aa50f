"""Compiler pass: tables that are placed through a parent, checked against the schema and linked to it; and the lookup
tables of such a family, as plans of tables: where the parent's rows are, which children no chunk may bring back.

A lookup table is on the first shard, and its rows follow from the changes of another table. Staging, look-up, upsert
and delete treat it like any other table, so it advances with the batch: same stages, same ledger, same recovery
(contract C1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sqlglot import exp

from shardwright.compiler.columns.generated_columns import refuse_generated
from shardwright.compiler.columns.identity import check_identity
from shardwright.compiler.columns.origin import name_with_quotation_mark, origin_column, part_of
from shardwright.compiler.plan.catalogue import Column, ColumnType, SourceTable
from shardwright.compiler.plan.plan import (
    FROM,
    PART,
    SHARD,
    CopiedColumn,
    TablePlan,
    bookkeeping_name,
    lookup_stage_name,
)
from shardwright.compiler.plan.table_parts import (
    Deletes,
    LedgerTables,
    OneDatabase,
    Origin,
    ParentLink,
    RowKey,
    SourceName,
)
from shardwright.compiler.schema.names import check_names, column_note, locate
from shardwright.compiler.tables.choose import ResolvedTable
from shardwright.specs.findings.diagnostics import Findings, Note, Path
from shardwright.specs.spec.model import ParentKey, Sharded, Spec


def placement_table(parent: TablePlan) -> TablePlan:
    """Parent key -> database and table index of the row, as of the stream's position. Of a parent that has a parent
    itself: parent key -> the key of that parent. Then the place is found there, so that no row of this table changes
    when one above it moves; and the rows below such a row are children of it, by `ParentLink.via`.

    Of several source tables each has rows of its own, which follow from its log alone. While a parent goes from one to
    another, whichever of the two logs is read first, both or none may have it; the first one by name counts."""
    link, name = parent.placement.parent, places_name(parent.logical)
    recorded = source_to_record(parent)
    key = (*parent.key_columns, *(() if recorded is None else (origin_column(recorded).column,)))
    if link is None:
        table = _lookup_table(parent, name, (*key, _number(SHARD), _number(PART)))
    else:
        above = dict(zip(above_names(parent), parent.via_columns, strict=True))
        columns = (replace(column, target=target, nullable=False) for target, column in above.items())
        table = _lookup_table(parent, name, (*key, *columns))
        link = ParentLink(link.parent, tuple(above), link.places, "")
        table = replace(table, placement=replace(table.placement, parent=link))
    identity = RowKey(columns=tuple(column.target for column in key), origin=recorded or parent.identity.origin)
    return replace(table, identity=identity)


def source_to_record(table: TablePlan) -> Origin | None:
    """The column of its lookup table that says which source table a row is from, where the row's key does not."""
    if len(table.sources) == 1 or table.identity.origin is not None:
        return None
    return Origin(FROM, part_of(table.sources))


def above_names(parent: TablePlan) -> tuple[str, ...]:
    """The columns of its lookup table that hold the key of its own parent. The row's own key may have the same columns
    of the source."""
    return tuple(f"sw_above_{number}" for number, _ in enumerate(parent.via_columns, start=1))


def table_of_excluded_keys(child: TablePlan) -> TablePlan:
    """Keys of a child's rows that were deleted or went to another parent while chunks are copied. Of several source
    tables each has keys of its own, as it has tombstones (`steps.owners`)."""
    assert child.placement.parent is not None
    key = child.key_columns
    if (recorded := source_to_record(child)) is not None:
        key = (*key, origin_column(recorded).column)
    identity = RowKey(columns=tuple(column.target for column in key))
    return replace(_lookup_table(child, child.placement.parent.excluded, key), identity=identity)


def places_name(parent: str) -> str:
    return bookkeeping_name("_sw_place_", parent)


def name_of_excluded_table(child: str) -> str:
    return bookkeeping_name("_sw_left_", child)


def _lookup_table(table: TablePlan, name: str, columns: tuple[CopiedColumn, ...]) -> TablePlan:
    """Its own key is the caller's to set."""
    return TablePlan(
        logical=name,
        weight=table.weight,
        source=replace(table.source, columns=(), reads=(), where=None),
        columns=columns,
        identity=RowKey(columns=table.key),
        placement=OneDatabase(database=0, suffixes=("",)),
        ours=LedgerTables(stage=lookup_stage_name(name)),
        deletes=Deletes(delay=table.deletes.delay),
        own=table.own,
    )


def _number(name: str) -> CopiedColumn:
    return CopiedColumn(name, name, ColumnType("int"), nullable=False, position=0)


EXACT_DELETES = frozenset({"until_snapshot", "immediate"})


def parent_link(
    spec: Spec, table: ResolvedTable, tables: Mapping[str, ResolvedTable], *, findings: Findings
) -> ParentLink | None:
    """The link to the parent among `tables` (by logical name); None after a finding, or when the parent itself could
    not be resolved, which has a finding of its own."""
    distribution = table.entry.distribution
    assert isinstance(distribution, Sharded) and distribution.parent is not None
    asked = distribution.parent
    parent = tables.get(asked.parent)
    path: Path = (*table.entry.path, "sharding", "shard_key")
    known = check_names(
        table.source, locate(spec, (*path, "via"), asked.via), findings=findings, table=table.entry.table
    )
    if parent is None or not known:
        return None
    targets = {column.source: column.target for column in table.columns if column.source}
    uses = dict.fromkeys(asked.via, "shard key")
    check_identity(spec, table.entry, table.source, table.mapped, names=uses, findings=findings)
    fine = _via_is_copied(spec, table, asked, targets, findings=findings)
    fine = _via_fits(spec, table, asked, parent=parent, findings=findings) and fine
    fine = _sources_fit(spec, table, parent, findings=findings) and fine
    if table.entry.deletes.policy not in EXACT_DELETES:
        message = (
            f"delete policy '{table.entry.deletes.policy}' of '{table.logical}', which is placed through its parent"
        )
        hint = "until_snapshot is exact for it"
        findings.error("SW2057", message, spec.span_of((*table.entry.path, "deletes")), hint=hint)
    if table.entry.write == "changed":
        message = f"'write: changed' of '{table.logical}', a co-located child table, is not supported yet"
        findings.error("SW2162", message, spec.span_of((*table.entry.path, "write")))
        fine = False
    _warn_without_index(spec, table, asked, findings=findings)
    if not fine:
        return None
    of_source = () if parent.origin is None or table.origin is None else (table.origin.column,)
    via = (*(targets[name] for name in asked.via), *of_source)
    return ParentLink(asked.parent, via, places_name(asked.parent), name_of_excluded_table(table.logical))


def _via_is_copied(
    spec: Spec, table: ResolvedTable, asked: ParentKey, targets: Mapping[str, str], *, findings: Findings
) -> bool:
    fine = True
    for index, name in enumerate(asked.via):
        if name not in targets:
            fine = False
            path: Path = (*table.entry.path, "sharding", "shard_key", "via", index)
            use = "parent's key"
            if refuse_generated(spec, table.entry, table.source, name, use=use, path=path, findings=findings):
                continue
            message = f"column '{name}' of '{table.entry.table}' holds the parent's key and is not copied to the target"
            findings.error("SW2056", message, spec.span_of(path))
    return fine


def _via_fits(spec: Spec, table: ResolvedTable, asked: ParentKey, *, parent: ResolvedTable, findings: Findings) -> bool:
    path: Path = (*table.entry.path, "sharding", "shard_key", "via")
    sources = {column.target: column.source for column in parent.columns}
    key = tuple(sources[name] for name in parent.key if sources[name])
    if len(asked.via) != len(key):
        message = (
            f"'via' names {len(asked.via)} columns, but the key of '{asked.parent}' has {len(key)}: {', '.join(key)}"
        )
        note = Note("the parent is at", spec.span_of(parent.entry.path))
        findings.error("SW2054", message, spec.span_of(path), notes=(note,))
        return False
    fine = True
    for index, (name, wanted) in enumerate(zip(asked.via, key, strict=True)):
        mine, theirs = table.source.column(name), parent.source.column(wanted)
        if mine is None or theirs is None or _same_values(mine.type, theirs.type):
            continue
        message = f"column '{name}' ({_words(mine)}) cannot hold '{asked.parent}.{wanted}' ({_words(theirs)})"
        notes = (column_note(table.source, name), column_note(parent.source, wanted))
        findings.error("SW2055", message, spec.span_of((*path, index)), notes=notes)
        fine = False
    return fine


def _sources_fit(spec: Spec, table: ResolvedTable, parent: ResolvedTable, *, findings: Findings) -> bool:
    """Whether it is known from which source table the parent of each row is, as far as the parent's key needs it."""
    names = [SourceName(database, name) for database in parent.source_databases for name in parent.source_tables]
    quoted = name_with_quotation_mark(Origin(FROM, part_of(names)).of(str(name)) for name in names)
    if quoted is not None and parent.origin is None and len(names) > 1:
        message = (
            f"'{parent.logical}' is a parent, and its lookup table cannot hold the name {quoted} of a source table"
        )
        findings.error("SW2173", message, spec.span_of((*parent.entry.path, "table")))
        return False
    if parent.origin is None or (table.origin and table.origin.part == parent.origin.part == "database"):
        return True
    note = Note("the parent is at", spec.span_of(parent.entry.path))
    message = (
        f"rows of '{table.logical}' do not say which source table of '{parent.logical}' their parent is in, and "
        f"'{parent.origin.column}' is part of its key"
    )
    findings.error("SW2172", message, spec.span_of((*table.entry.path, "sharding", "shard_key")), notes=(note,))
    return False


def _same_values(mine: ColumnType, theirs: ColumnType) -> bool:
    """Whether equal values have equal text, and the server compares them as it compares the parent's key."""
    if mine.is_integer and theirs.is_integer:
        return True
    if mine.is_text and theirs.is_text:
        return (mine.charset, mine.collation) == (theirs.charset, theirs.collation)
    if mine.name == theirs.name == "varbinary":
        return True
    return mine == theirs


def _words(column: Column) -> str:
    kind = column.type
    size = ", ".join(str(number) for number in (kind.length, kind.precision, kind.scale) if number is not None)
    words = [kind.name + (f"({size})" if size else ""), "unsigned" if kind.unsigned else "", kind.collation or ""]
    return " ".join(word for word in words if word)


def _warn_without_index(spec: Spec, table: ResolvedTable, asked: ParentKey, *, findings: Findings) -> None:
    wanted = {name.lower() for name in asked.via}
    source = table.source
    keys = [source.primary_key, *(key.columns for key in source.unique_keys), *_plain_keys(source)]
    if any({name.lower() for name in columns[: len(wanted)]} == wanted for columns in keys):
        return
    names = ", ".join(asked.via)
    message = f"no key of '{table.entry.table}' begins with {names}: a parent that comes or moves costs a table scan"
    hint = f"add KEY ({names}) at the source, or on the target by a DDL change"
    place = spec.span_of((*table.entry.path, "sharding", "shard_key", "via"))
    findings.warning("SW2058", message, place, hint=hint)


def _plain_keys(source: SourceTable) -> Iterator[tuple[str, ...]]:
    for part in source.statement.this.expressions:
        if isinstance(part, exp.IndexColumnConstraint):
            yield tuple(item.name for item in part.expressions)
