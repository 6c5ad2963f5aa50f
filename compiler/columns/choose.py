"""Compiler pass: the target's columns of one table, each with its mapping. Casts, masks, defaults and derived columns
are imported when a spec asks for one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from shardwright.compiler.columns.mapping import FromColumn, MappedColumn, as_copied
from shardwright.compiler.plan.catalogue import NOT_IN_MESSAGES, Column, SourceTable
from shardwright.compiler.plan.plan import OUR_PREFIXES, CopiedColumn, GeneratedColumn
from shardwright.compiler.schema.names import check_names, column_note, locate
from shardwright.compiler.sql.sql_text import why_name_is_refused
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import CastColumn, ColumnDefault, MaskedColumn, Spec, TableSpec

_NOT_FROM_MESSAGES = "read the changes from the binlog (source.stream), or exclude the column"
RESERVED_PREFIXES = ("sw_", *OUR_PREFIXES)


@dataclass(frozen=True, slots=True)
class ChosenColumns:
    """`mapped` are the target's columns whose values come from the source; one whose mapping has an error stands as if
    copied. `generated` are those that the target computes. `are_known`: there is no doubt which are meant; else all
    are there. `are_sound`: the target can have all of them, too."""

    mapped: tuple[MappedColumn, ...]
    generated: tuple[GeneratedColumn, ...]
    are_known: bool
    are_sound: bool


def choose_columns(spec: Spec, entry: TableSpec, source: SourceTable, *, findings: Findings) -> ChosenColumns:
    """Copied columns in the source's order, then derived ones in the spec's; generated ones apart."""
    before = len(findings.items)
    known = _check_lists(spec, entry, source, findings)
    about_mappings = Findings()
    _check_mapped_names(spec, entry, source, about_mappings, known=known)
    made: list[MappedColumn] = []
    taken: set[str] = set()
    computed: list[Column] = []
    for position, column in enumerate(source.columns):
        if known and not _is_chosen(entry, column):
            continue
        if column.generated:
            computed.append(column)
            continue
        target = entry.columns.rename.get(column.name, column.name)
        copied = CopiedColumn(column.name, target, column.type, column.nullable, position)
        if known:
            _check_copied(spec, entry, source, column, findings=findings)
            for code, message in faults_of_name(entry, target, taken):
                findings.error(code, message, spec.span_of((*entry.path, "columns", "rename", column.name)))
            taken.add(target.lower())
        made.append(_map_column(spec, entry, source, column, copied, findings=about_mappings))
    generated = _choose_generated(spec, entry, source, computed, made, findings=findings if known else Findings())
    for item in generated:
        for code, message in faults_of_name(entry, item.target, taken):
            findings.error(code, message, spec.span_of((*entry.path, "columns", "rename", item.source)))
        taken.add(item.target.lower())
    for wanted in entry.columns.derive:
        from shardwright.compiler.columns.derive import derive_column

        derived = derive_column(spec, wanted, source, findings=about_mappings)
        if derived is not None:
            if known:
                for code, message in faults_of_name(entry, wanted.name, taken):
                    findings.error(code, message, spec.key_span_of(wanted.path))
                taken.add(wanted.name.lower())
            made.append(derived)
    sound = not findings.has_stop_since(before)
    findings.items += about_mappings.items
    return ChosenColumns(tuple(made), generated, known, sound)


def _choose_generated(
    spec: Spec,
    entry: TableSpec,
    source: SourceTable,
    wanted: Sequence[Column],
    mapped: Sequence[MappedColumn],
    *,
    findings: Findings,
) -> tuple[GeneratedColumn, ...]:
    if not wanted:
        return ()
    from shardwright.compiler.columns.generated_columns import choose_generated_columns

    return choose_generated_columns(spec, entry, source, wanted, mapped, findings=findings)


def _is_chosen(entry: TableSpec, column: Column) -> bool:
    choices = entry.columns
    return column.name not in choices.exclude and (choices.include is None or column.name in choices.include)


def _check_lists(spec: Spec, entry: TableSpec, source: SourceTable, findings: Findings) -> bool:
    """Whether all columns that are included, excluded and renamed are there."""
    choices, path = entry.columns, (*entry.path, "columns")
    included = check_names(source, locate(spec, (*path, "include"), choices.include or ()), findings=findings)
    excluded = check_names(source, locate(spec, (*path, "exclude"), choices.exclude), findings=findings)
    renamed = ((spec.span_of((*path, "rename", name)), name) for name in choices.rename)
    return check_names(source, renamed, findings=findings) and included and excluded


def _check_mapped_names(spec: Spec, entry: TableSpec, source: SourceTable, findings: Findings, *, known: bool) -> None:
    choices = entry.columns
    mapped: list[CastColumn | ColumnDefault | MaskedColumn] = [*choices.cast, *choices.default, *choices.mask]
    by_name = {column.name: column for column in source.columns}
    for item in mapped:
        span = spec.key_span_of(item.path)
        there = check_names(source, ((span, item.name),), findings=findings)
        if there and known and not _is_chosen(entry, by_name[item.name]):
            message = f"column '{item.name}' of '{entry.table}' is not copied: there is nothing to {item.path[-2]}"
            findings.error("SW2138", message, span)
        elif there and by_name[item.name].generated:
            message = f"column '{item.name}' of '{entry.table}' is generated: there is no value to {item.path[-2]}"
            hint = "exclude it, and derive a column of another name"
            findings.error("SW2110", message, span, hint=hint, notes=(column_note(source, item.name),))


def _check_copied(spec: Spec, entry: TableSpec, source: SourceTable, column: Column, *, findings: Findings) -> None:
    hint = None
    if column.unreadable:
        code = "SW4106"
        message = f"column '{column.name}' of '{entry.table}': {column.unreadable}, exclude it"
    elif column.type.name == "json" and spec.source.stream.name != "binlog" and spec.source.dialect == "mysql":
        code = "SW2115"
        message = f"column '{column.name}' of '{entry.table}': a queue's messages do not hold MySQL's JSON exactly"
        hint = _NOT_FROM_MESSAGES
    elif column.type.name in NOT_IN_MESSAGES and spec.source.stream.name != "binlog":
        code = "SW2115"
        kind = column.type.name.upper()
        message = f"column '{column.name}' of '{entry.table}': a queue's messages are not read for {kind}"
        hint = _NOT_FROM_MESSAGES
    elif column.type.name == "vector" and spec.source.dialect == "mariadb":
        code = "SW4106"
        message = f"column '{column.name}' of '{entry.table}': MariaDB's VECTOR is not supported yet, exclude it"
        hint = "if the source is MySQL, say so: source: {dialect: mysql}"
    else:
        return
    where = spec.span_of((*entry.path, "table"))
    findings.error(code, message, where, hint=hint, notes=(column_note(source, column.name),))


def faults_of_name(entry: TableSpec, target: str, taken: Set[str]) -> Iterator[tuple[str, str]]:
    """Codes and messages. `taken` are the lower-case names of the target's columns before."""
    if reason := why_name_is_refused(target):
        yield "SW2116", f"column name {target!r} {reason}"
    if target.startswith(RESERVED_PREFIXES):
        yield "SW2107", f"column name '{target}': the prefix is reserved"
    if target.lower() in taken:
        yield "SW2108", f"two columns of '{entry.table}' are called '{target}' on the target"


def _map_column(
    spec: Spec, entry: TableSpec, source: SourceTable, column: Column, copied: CopiedColumn, *, findings: Findings
) -> MappedColumn:
    choices = entry.columns
    if not (choices.cast or choices.mask or choices.default):
        return as_copied(copied)
    cast = next((item for item in choices.cast if item.name == column.name), None)
    mask = next((item for item in choices.mask if item.name == column.name), None)
    default = next((item for item in choices.default if item.name == column.name), None)
    made: MappedColumn | None = None
    if mask is not None:
        for other in _mappings_with_mask(cast is not None, default is not None):
            message = f"column '{column.name}' has a mask and a {other}"
            findings.error("SW2139", message, spec.key_span_of(mask.path), hint="a mask excludes other mappings")
        from shardwright.compiler.columns.masks import mask_column

        made = mask_column(mask, column, copied, span=spec.span_of(mask.path), findings=findings)
    elif cast is not None:
        from shardwright.compiler.columns.casts import cast_column

        made = cast_column(spec, cast, source, column, copied, findings=findings)
    made = made or as_copied(copied)
    if default is None or mask is not None:
        return made
    from shardwright.compiler.columns.literal_default import literal_default
    from shardwright.compiler.columns.transform import default_for

    text = literal_default(default.literal, column, span=spec.span_of(default.path), findings=findings)
    if text is None or not column.nullable:
        if not column.nullable:
            message = f"column '{column.name}' is NOT NULL: its default is never used"
            findings.warning("SW2140", message, spec.key_span_of(default.path))
        return made
    assert isinstance(made.mapping, FromColumn)
    words = f"{made.column.mapping}, NULL becomes {default.literal}"
    return replace(
        made,
        column=replace(made.column, mapping=words, reversibility="lossy"),
        mapping=FromColumn(column.name, (default_for(text, column.type), *made.mapping.steps)),
    )


def _mappings_with_mask(cast: bool, default: bool) -> Iterator[str]:
    if cast:
        yield "cast"
    if default:
        yield "default"
