"""Compiler pass: each entry of the spec's `tables` with the source tables it means, the columns it copies, its key and
version, and its field groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from shardwright.compiler.columns.choose import RESERVED_PREFIXES, ChosenColumns, choose_columns
from shardwright.compiler.columns.generated_columns import inputs, refuse_generated
from shardwright.compiler.columns.identity import check_identity, check_unique_keys
from shardwright.compiler.columns.mapping import MappedColumn
from shardwright.compiler.columns.way_back import values_of_new_rows
from shardwright.compiler.ddl.target.origin_keys import OriginKey
from shardwright.compiler.plan.catalogue import (
    Column,
    ColumnType,
    FunctionalKey,
    PrefixKey,
    SourceTable,
    UniqueKey,
)
from shardwright.compiler.plan.json_form import BACKWARD
from shardwright.compiler.plan.plan import CopiedColumn, GeneratedColumn
from shardwright.compiler.plan.table_parts import EventGroup, Origin, SourceName
from shardwright.compiler.schema.names import SchemaFile, UnclearTables, check_names, column_note, locate, table_note
from shardwright.compiler.sql.key_expressions import rename_columns as renamed_key
from shardwright.compiler.sql.sql_text import why_name_is_refused
from shardwright.compiler.sql.transport import pads_spaces, why_key_is_refused
from shardwright.compiler.tables.source_tables import (
    MatchedTables,
    check_forgotten,
    check_ignored,
    check_overlaps,
    is_unclear,
    match_entry,
    source_databases,
    source_families,
    stems,
)
from shardwright.specs.findings.diagnostics import Findings, Path
from shardwright.specs.spec.model import Sharded, Spec, TableSpec
from shardwright.specs.spec.sound_parts import has_readable_source, is_readable, names_all_tables, names_what_stays

if TYPE_CHECKING:
    from shardwright.compiler.columns.row_filter import RowFilter


def event_groups(
    spec: Spec, entry: TableSpec, source: SourceTable, columns: Sequence[CopiedColumn], *, findings: Findings
) -> tuple[EventGroup, ...]:
    """The groups whose changes make events. All are checked: a group of columns that are not there groups nothing."""
    renamed = {column.source: column.target for column in columns if column.source}
    found: list[EventGroup] = []
    for group in entry.groups:
        path = (*group.path, "columns")
        if not check_names(source, locate(spec, path, group.columns), findings=findings):
            continue
        left_out = [(index, name) for index, name in enumerate(group.columns) if name not in renamed]
        for index, name in left_out:
            generated = any(column.generated and column.name == name for column in source.columns)
            why = "generated: no change brings it" if generated else "not copied to the target"
            message = f"column '{name}' of group '{group.name}' is {why}"
            findings.error("SW2029", message, spec.span_of((*path, index)))
        if group.on_change == "event" and not left_out:
            found.append(EventGroup(group.name, tuple(renamed[name] for name in group.columns)))
    return tuple(found)


def _path_of_key(entry: TableSpec) -> Path:
    return (*entry.path, "key") if entry.key else (*entry.path, "table")


_VERSIONS = frozenset({"date", "datetime", "timestamp"})
"""Beside integers: the types whose canonical text is ordered as their values are."""


_HOW_TO_GET_A_KEY = (
    "add one at the source and import again: ALTER TABLE ... ADD COLUMN row_id BIGINT UNSIGNED NOT NULL "
    "AUTO_INCREMENT INVISIBLE, ADD PRIMARY KEY (row_id). Queries do not see the column unless they name it. Or, slow: "
    "key: all_columns"
)


def is_comparable(kind: ColumnType) -> bool:
    """Whether values of this type can serve as versions."""
    return kind.is_integer or kind.name in _VERSIONS


def row_key(spec: Spec, entry: TableSpec, source: SourceTable, *, findings: Findings) -> tuple[str, ...]:
    if entry.key is None:
        if not source.row_key:
            message = f"table '{entry.table}' has no primary key and no unique key whose columns are NOT NULL"
            findings.error(
                "SW2106",
                message,
                spec.span_of((*entry.path, "table")),
                hint=_HOW_TO_GET_A_KEY,
                notes=(table_note(source),),
            )
        return source.row_key
    if not check_names(source, locate(spec, (*entry.path, "key"), entry.key), findings=findings):
        return ()
    candidates = [set(source.primary_key), *(set(unique.columns) for unique in source.unique_keys)]
    nullable = [column.name for column in source.columns if column.nullable and column.name in entry.key]
    if set(entry.key) not in candidates or nullable:
        message = f"key ({', '.join(entry.key)}) of '{entry.table}' is not a primary key or a unique key without NULL"
        findings.error("SW2111", message, spec.span_of((*entry.path, "key")), notes=(table_note(source),))
    return entry.key


def check_key_types(
    spec: Spec, entry: TableSpec, source: SourceTable, *, key: tuple[str, ...], findings: Findings
) -> None:
    for name in key:
        column = source.column(name)
        reason = why_key_is_refused(column.type) if column else None
        if reason:
            where = spec.span_of(_path_of_key(entry))
            message = f"key column '{name}' of '{entry.table}': {reason}"
            written = column is None or why_key_is_refused(replace(column.type, collation="utf8mb4_bin")) is not None
            hint = None if written else "write COLLATE in the schema file; `shardwright import` asks the source for it"
            findings.error("SW2112", message, where, hint=hint, notes=(column_note(source, name),))


def check_version_column(
    spec: Spec, entry: TableSpec, source: SourceTable, columns: tuple[CopiedColumn, ...], *, findings: Findings
) -> None:
    name, path = entry.version_column, (*entry.path, "version_column")
    if name is None or not check_names(source, ((spec.span_of(path), name),), findings=findings):
        return
    copied = next((column for column in columns if column.source == name), None)
    if refuse_generated(spec, entry, source, name, use="version", path=path, findings=findings):
        return
    if copied is None:
        message = f"version column '{name}' of '{entry.table}' is not copied to the target"
        findings.error("SW2114", message, spec.span_of(path))
    elif not is_comparable(copied.type):
        message = (
            f"version column '{name}' of '{entry.table}': {copied.type.name.upper()} values cannot be compared here"
        )
        findings.error("SW2114", message, spec.span_of(path), notes=(column_note(source, name),))


@dataclass(frozen=True, slots=True)
class ResolvedTable:
    """`source` is the first of `sources`, whose columns all the others share; `source_tables` are the tables in each of
    `source_databases`. `columns` are those of `mapped`, asked for too often to be made each time; `generated` are
    computed by the target. Key and unique keys by target names; the column of `origin` is the last of each. A column
    whose mapping has an error counts as copied.
    `born` are values for rows that are inserted on the shards, on their way back. `columns_are_known`: no error leaves
    in doubt which columns are meant. `is_sound`: none was found in its name, its key and the names of its columns
    either; else the key may be empty."""

    entry: TableSpec
    logical: str
    sources: tuple[SourceTable, ...]
    source_databases: tuple[str, ...]
    source_tables: tuple[str, ...]
    mapped: tuple[MappedColumn, ...]
    columns: tuple[CopiedColumn, ...]
    generated: tuple[GeneratedColumn, ...]
    row_filter: RowFilter | None
    key: tuple[str, ...]
    unique_keys: tuple[UniqueKey, ...]
    event_groups: tuple[EventGroup, ...]
    born: Mapping[str, str]
    columns_are_known: bool
    is_sound: bool
    origin: Origin | None = None
    prefix_keys: tuple[PrefixKey, ...] = ()

    @property
    def source(self) -> SourceTable:
        return self.sources[0]

    @property
    def every_unique_key(self) -> tuple[UniqueKey, ...]:
        """Those that the target has beside its key: over whole columns, over how values begin or over expressions."""
        return (*self.unique_keys, *self.prefix_keys)

    @property
    def has_owners(self) -> bool:
        """Whether rows of several sources may meet under one key. Equal rows without a key are only counted."""
        several = len(self.source_databases) * len(self.source_tables) > 1
        return several and self.origin is None and not self.entry.by_all_columns

    @property
    def origin_key(self) -> OriginKey | None:
        """What the target's DDL needs to know of `origin`."""
        if self.origin is None:
            return None
        return OriginKey(self.origin.column, self.origin.values(self.source_databases, self.source_tables))

    def target_generated_columns(self) -> Iterator[Column]:
        """The columns that the target computes, under their names there."""
        names = {item.source: item.target for item in self.generated}
        for column in self.source.columns:
            if column.name in names:
                yield replace(column, name=names[column.name])


def resolve_tables(
    spec: Spec, schema: SchemaFile, *, findings: Findings, others: Sequence[Spec] = ()
) -> tuple[ResolvedTable, ...]:
    """Every entry whose tables are known; what is wrong is in `findings`. `others` are the specs of the project that
    move tables of the same schema file."""
    if not has_readable_source(spec):
        return ()
    families = source_families(schema.tables, spec.source.tables_suffix)
    unclear = _by_spec_names(schema.unclear, spec.source.tables_suffix)
    entries = [entry for entry in spec.tables if is_readable(spec, entry) and not is_unclear(entry, families, unclear)]
    matched = [
        (entry, found)
        for entry in entries
        if (found := match_entry(spec, entry, families, catalogue=schema.tables, findings=findings)) is not None
    ]
    check_overlaps(spec, matched, findings=findings)
    # A name that no table has was meant to be another's, perhaps that of one which seems to be forgotten.
    names_are_right = check_ignored(spec, families, unclear=unclear, findings=findings) and len(matched) == len(entries)
    if names_are_right and names_what_stays(spec) and all(names_all_tables(other) for other in others):
        check_forgotten(spec, families, [found for _, found in matched], others=others, findings=findings)
    resolved: dict[str, ResolvedTable] = {}
    for entry, found in matched:
        table = _resolve(spec, entry, found, findings=findings)
        if table.logical in resolved:
            message = f"two entries make the logical table '{table.logical}'"
            findings.error("SW2109", message, spec.span_of((*entry.path, "table")))
            continue
        resolved[table.logical] = table
    return tuple(resolved.values())


def _by_spec_names(unclear: UnclearTables, suffixes: Sequence[str]) -> UnclearTables:
    """With the names that a spec uses for parts of split tables."""
    if tuple(suffixes) == ("",):
        return unclear
    stem_of = stems(suffixes)
    found = frozenset(stem for name in unclear.names if (stem := stem_of(name)) is not None)
    return replace(unclear, names=unclear.names | found)


def _resolve(spec: Spec, entry: TableSpec, matched: MatchedTables, *, findings: Findings) -> ResolvedTable:
    sources = matched.source_tables
    source = sources[0]
    chosen = choose_columns(spec, entry, source, findings=findings)
    origin, added = _origin(spec, entry, matched, chosen, findings=findings)
    last = tuple(item.column.target for item in added)
    mapped = (*chosen.mapped, *added)
    columns = tuple(item.column for item in mapped)
    logical, before = entry.to or entry.table, len(findings.items)
    _check_logical_name(spec, entry, logical, findings=findings)
    renamed = {column.source: column.target for column in columns if column.source}
    key = () if entry.by_all_columns else _resolve_key(spec, entry, source, renamed, findings=findings)
    if entry.by_all_columns and chosen.are_sound:
        from shardwright.compiler.tables.keyless import check_keyless

        check_keyless(spec, entry, source, mapped, findings=findings)
    is_sound = chosen.are_sound and not findings.has_stop_since(before)
    uses = dict.fromkeys(key, "key") | ({entry.version_column: "version"} if entry.version_column else {})
    check_identity(spec, entry, source, mapped, names=uses, findings=findings)
    check_unique_keys(spec, entry, source, mapped, findings=findings)
    check_version_column(spec, entry, source, columns, findings=findings)
    born = values_of_new_rows(spec, entry, source, mapped, findings=findings) if chosen.are_sound else {}
    on_target = renamed | {column.source: column.target for column in chosen.generated}
    changed = frozenset(column.source for column in columns if column.mapping != "copied")
    return ResolvedTable(
        entry=entry,
        logical=logical,
        sources=sources,
        source_databases=source_databases(spec, entry),
        source_tables=matched.names,
        mapped=mapped,
        columns=columns,
        generated=chosen.generated,
        row_filter=_row_filter(spec, entry, source, findings=findings),
        key=tuple(c.target for c in columns) if entry.by_all_columns else (*(renamed[name] for name in key), *last),
        unique_keys=tuple(
            UniqueKey(unique.name, (*unique.columns, *last)) for unique in other_unique_keys(source, key, on_target)
        ),
        event_groups=event_groups(spec, entry, source, columns, findings=findings),
        born=born,
        columns_are_known=chosen.are_known,
        is_sound=is_sound,
        origin=origin,
        prefix_keys=()
        if entry.by_all_columns
        else tuple(
            renamed_key(unique, {name: name for name in unique.columns}, last=last)
            for unique in prefix_keys(source, on_target, changed=changed)
        ),
    )


def _origin(
    spec: Spec, entry: TableSpec, matched: MatchedTables, chosen: ChosenColumns, *, findings: Findings
) -> tuple[Origin | None, tuple[MappedColumn, ...]]:
    """What says which source table a row is from, where the spec asks for it, with its column."""
    if entry.origin_column is None:
        return None, ()
    from shardwright.compiler.columns.origin import origin_column, row_origin

    sources = [SourceName(database, name) for database in source_databases(spec, entry) for name in matched.names]
    origin = row_origin(spec, entry, matched.source_tables[0], chosen, sources=sources, findings=findings)
    return origin, () if origin is None else (origin_column(origin),)


def other_unique_keys(source: SourceTable, key: Sequence[str], names: Mapping[str, str]) -> tuple[UniqueKey, ...]:
    """The unique keys beside the row's key, of whose columns all are in `names`: the source's name -> the target's."""
    candidates = [UniqueKey("PRIMARY", source.primary_key), *source.unique_keys]
    return tuple(
        UniqueKey(item.name, tuple(names[name] for name in item.columns))
        for item in candidates
        if item.columns and set(item.columns) != set(key) and all(name in names for name in item.columns)
    )


def prefix_keys(
    source: SourceTable, names: Mapping[str, str], *, changed: Set[str] = frozenset()
) -> tuple[PrefixKey, ...]:
    """The unique keys over how values begin and over expressions, of whose columns all are in `names` (the source's
    name -> the target's). None that compares a value of `changed`: how it begins is another matter on the target. None
    over a CHAR whose collation tells spaces at the end apart: its index pads what it compares, which no function does.
    None with an expression over a TIMESTAMP, which each session reads in its own time zone."""
    return tuple(
        renamed_key(item, names)
        for item in source.prefix_keys
        if all(name in names for name in item.columns)
        and not any(length > 0 and _is_padded_in_index(source, name) for name, length in item.parts)
        and not (isinstance(item, FunctionalKey) and _reads_timestamp(source, item.columns_read))
        and changed.isdisjoint(read for name in item.columns for read in inputs(source, name))
    )


def _reads_timestamp(source: SourceTable, names: Sequence[str]) -> bool:
    read = (source.column(each) for name in names for each in (name, *inputs(source, name)))
    return any(column is not None and column.type.name == "timestamp" for column in read)


def _is_padded_in_index(source: SourceTable, name: str) -> bool:
    column = source.column(name)
    if column is None or column.type.name != "char":
        return False
    return column.type.collation is None or not pads_spaces(column.type)


def _check_logical_name(spec: Spec, entry: TableSpec, logical: str, *, findings: Findings) -> None:
    where = spec.span_of((*entry.path, "to" if entry.to else "table"))
    if reason := why_name_is_refused(logical):
        findings.error("SW2116", f"table name {logical!r} {reason}", where)
    if logical.startswith(RESERVED_PREFIXES):
        findings.error("SW2107", f"table name '{logical}': the prefix is reserved", where)
    elif logical.lower() == BACKWARD:
        message = f"table name '{logical}': the plan keeps the way back under this name"
        findings.error("SW2107", message, where, hint="give the logical table another name with `to`")


def _resolve_key(
    spec: Spec, entry: TableSpec, source: SourceTable, renamed: Mapping[str, str], *, findings: Findings
) -> tuple[str, ...]:
    """The source columns that rows go by; empty after some of the errors."""
    key = row_key(spec, entry, source, findings=findings)
    missing = [name for name in key if name not in renamed]
    for name in missing:
        if refuse_generated(spec, entry, source, name, use="key", path=_path_of_key(entry), findings=findings):
            continue
        message = f"key column '{name}' of table '{entry.table}' is not copied"
        findings.error("SW2105", message, spec.span_of((*entry.path, "columns")))
    if missing:
        return ()
    check_key_types(spec, entry, source, key=key, findings=findings)
    return key


def _row_filter(spec: Spec, entry: TableSpec, source: SourceTable, *, findings: Findings) -> RowFilter | None:
    if entry.where is None:
        return None
    from shardwright.compiler.columns.row_filter import read_filter

    return read_filter(spec, entry.where, source, span=spec.span_of((*entry.path, "where")), findings=findings)


def shard_key_names(
    spec: Spec, table: ResolvedTable, distribution: Sharded, *, findings: Findings
) -> tuple[str, ...] | None:
    """The source columns that place the table's rows; None when one is unknown or not copied."""
    rule = spec.sharding[distribution.rule]
    names = distribution.shard_key or rule.shard_key
    own = distribution.shard_key is not None
    path: Path = (*table.entry.path, "sharding", "shard_key") if own else (*rule.path, "shard_key")
    hint = None if own else f"name the column of this table: sharding: {{rule: {rule.name}, shard_key: [COLUMN]}}"
    named = locate(spec, path, names)
    if not check_names(table.source, named, findings=findings, table=table.entry.table, hint=hint):
        return None
    copied = {column.source for column in table.columns}
    for index, name in enumerate(names):
        use, place = "shard key", (*path, index)
        if refuse_generated(spec, table.entry, table.source, name, use=use, path=place, findings=findings):
            return None
        if name not in copied:
            message = f"shard key column '{name}' of table '{table.entry.table}' is not copied to the target"
            findings.error("SW2113", message, spec.span_of((*table.entry.path, "columns")))
            return None
    uses = dict.fromkeys(names, "shard key")
    check_identity(spec, table.entry, table.source, table.mapped, names=uses, findings=findings)
    return names
