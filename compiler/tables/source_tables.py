"""Which source tables an entry of the spec means: names, patterns with exceptions, and tables that are split already.

Every source database holds the same tables, so the schema file describes one of them. Where the source splits its
tables (`tables_suffix`), an entry names them without their suffix, and the schema file holds all of them or one for
all.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.schema.names import UnclearTables
from shardwright.specs.findings.diagnostics import Findings, Note
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import Broadcast, Single, Spec, TableSpec, is_pattern


@dataclass(frozen=True, slots=True)
class SourceFamily:
    """The tables that are one to the application. `described` are in the schema file, `names` in each source
    database."""

    name: str
    described: tuple[SourceTable, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchedTables:
    """What an entry means; the columns of `described[0]` are those of all."""

    families: tuple[SourceFamily, ...]

    @property
    def source_tables(self) -> tuple[SourceTable, ...]:
        return tuple(table for family in self.families for table in family.described)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for family in self.families for name in family.names)


def source_families(catalogue: Mapping[str, SourceTable], suffixes: Sequence[str]) -> Mapping[str, SourceFamily]:
    """The catalogue by the names that a spec uses. A table called like a whole one and a split one is found twice: the
    split one under the name without suffix, the whole one is left out here."""
    if tuple(suffixes) == ("",):
        return {name: SourceFamily(name, (table,), (name,)) for name, table in catalogue.items()}
    members: dict[str, dict[str, SourceTable]] = {}
    whole: dict[str, SourceFamily] = {}
    stem_of = stems(suffixes)
    for name, table in catalogue.items():
        stem = stem_of(name)
        if stem is None:
            whole[name] = SourceFamily(name, (table,), (name,))
        else:
            members.setdefault(stem, {})[name] = table
    split = {}
    for stem, tables in members.items():
        names = tuple(stem + suffix for suffix in suffixes)
        split[stem] = SourceFamily(stem, tuple(tables[name] for name in names if name in tables), names)
    return {**whole, **split}


def stems(suffixes: Sequence[str]) -> Callable[[str], str | None]:
    """A function from a table's name to its name without the longest of the suffixes it ends with; None: with none."""
    known = frozenset(suffixes)
    lengths = sorted({len(suffix) for suffix in suffixes}, reverse=True)

    def stem_of(name: str) -> str | None:
        return next((name[: len(name) - n] for n in lengths if n < len(name) and name[len(name) - n :] in known), None)

    return stem_of


def source_databases(spec: Spec, entry: TableSpec) -> tuple[str, ...]:
    """The databases that the entry's tables are taken from."""
    match entry.distribution:
        case Broadcast(source=str(name)) | Single(source=str(name)):
            return (name,)
        case _:
            return spec.source.databases


def is_unclear(entry: TableSpec, families: Mapping[str, SourceFamily], unclear: UnclearTables) -> bool:
    """Whether tables that have an error in the schema file keep it open which tables the entry means."""
    if unclear.may_match(entry.table):
        return True
    known = families.get(entry.table)
    return unclear.any_name and (known is None or {table.name for table in known.described} != set(known.names))


def match_entry(
    spec: Spec,
    entry: TableSpec,
    families: Mapping[str, SourceFamily],
    *,
    catalogue: Mapping[str, SourceTable],
    findings: Findings,
) -> MatchedTables | None:
    """None after at least one error."""
    found = _by_pattern(spec, entry, families, findings) if entry.is_pattern else None
    if not entry.is_pattern:
        found = _by_name(spec, entry, families, catalogue=catalogue, findings=findings)
    if found is None:
        return None
    broken = [family for family in found.families if not _is_whole(spec, entry, family, catalogue, findings)]
    if broken:
        return None
    return found if _have_equal_columns(spec, entry, found.source_tables, findings) else None


def _by_name(
    spec: Spec,
    entry: TableSpec,
    families: Mapping[str, SourceFamily],
    *,
    catalogue: Mapping[str, SourceTable],
    findings: Findings,
) -> MatchedTables | None:
    if entry.table in families:
        return MatchedTables((families[entry.table],))
    if entry.table in catalogue:  # a whole table whose name happens to end like a suffix
        return MatchedTables((SourceFamily(entry.table, (catalogue[entry.table],), (entry.table,)),))
    hint = did_you_mean(entry.table, families)
    where = spec.span_of((*entry.path, "table"))
    findings.error("SW2101", f"table '{entry.table}' is not in {spec.source.schema}", where, hint=hint)
    return None


def _by_pattern(
    spec: Spec, entry: TableSpec, families: Mapping[str, SourceFamily], findings: Findings
) -> MatchedTables | None:
    where = spec.span_of((*entry.path, "table"))
    every = [name for name in sorted(families) if fnmatch.fnmatchcase(name, entry.table)]
    exceptions_match(spec, entry, every, findings)
    matched = [name for name in every if entry.takes(name)]
    if entry.expect is not None and len(matched) != entry.expect:
        names = ", ".join(matched) or "none"
        message = f"pattern '{entry.table}' matches {len(matched)} tables, not {entry.expect}: {names}"
        findings.error("SW2102", message, where)
        return None
    if not matched:
        findings.error("SW2101", f"pattern '{entry.table}' matches no table of {spec.source.schema}", where)
        return None
    return MatchedTables(tuple(families[name] for name in matched))


def exceptions_match(spec: Spec, entry: TableSpec, matched: Sequence[str], findings: Findings) -> None:
    """Each exception leaves out one of `matched`, the tables of the entry's pattern."""
    for index, item in enumerate(entry.excepted):
        if not any(fnmatch.fnmatchcase(name, item) for name in matched):
            message = f"exception '{item}' leaves out nothing: '{entry.table}' matches no such table"
            where = spec.span_of((*entry.path, "except", index))
            findings.error("SW2017", message, where, hint=did_you_mean(item, matched))


def _is_whole(
    spec: Spec, entry: TableSpec, family: SourceFamily, catalogue: Mapping[str, SourceTable], findings: Findings
) -> bool:
    """A split table is described once for all its parts, or each part is; and no whole table has its name."""
    where = spec.span_of((*entry.path, "table"))
    suffixes = Note("the suffixes are at", spec.span_of(("source", "tables_suffix")))
    if family.name in catalogue and family.name not in family.names:
        first, other = family.described[0], catalogue[family.name]
        notes = (Note(f"'{first.name}' is at", first.span), Note(f"'{other.name}' is at", other.span), suffixes)
        message = f"'{family.name}' is both a whole table and a split one in {spec.source.schema}"
        findings.error("SW2022", message, where, notes=notes)
        return False
    there = {table.name for table in family.described}
    missing = [name for name in family.names if name not in there]
    if missing and len(there) > 1:
        listed = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
        message = (
            f"{spec.source.schema} holds {len(there)} of the {len(family.names)} tables of '{family.name}': no {listed}"
        )
        hint = "describe all of them, or one for all"
        findings.error("SW2021", message, where, hint=hint, notes=(suffixes,))
        return False
    return True


def _have_equal_columns(spec: Spec, entry: TableSpec, described: tuple[SourceTable, ...], findings: Findings) -> bool:
    first = described[0]
    for other in described[1:]:
        if [(c.name, c.type) for c in other.columns] != [(c.name, c.type) for c in first.columns]:
            notes = (Note(f"'{first.name}' is at", first.span), Note(f"'{other.name}' is at", other.span))
            message = f"tables '{first.name}' and '{other.name}' of the pattern have different columns"
            if not entry.is_pattern:
                message = (
                    f"tables '{first.name}' and '{other.name}' are parts of '{entry.table}' with different columns"
                )
            findings.error("SW2103", message, spec.span_of((*entry.path, "table")), notes=notes)
            return False
    return True


def check_overlaps(spec: Spec, matched: Iterable[tuple[TableSpec, MatchedTables]], *, findings: Findings) -> None:
    """No source table is meant by two entries."""
    taken: dict[str, TableSpec] = {}
    for entry, found in matched:
        for name in found.names:
            first = taken.setdefault(name, entry)
            if first is entry:
                continue
            pattern = next((item for item in (entry, first) if item.is_pattern), entry)
            message = f"table '{name}' is meant by two entries: '{first.table}' and '{entry.table}'"
            note = Note("the other entry is at", spec.span_of((*first.path, "table")))
            hint = f"add 'except: [{name}]' to '{pattern.table}'" if pattern.is_pattern else None
            findings.error("SW2018", message, spec.span_of((*entry.path, "table")), hint=hint, notes=(note,))
            break


def check_ignored(
    spec: Spec, families: Mapping[str, SourceFamily], *, unclear: UnclearTables, findings: Findings
) -> bool:
    """Whether every name of `ignore_tables` is that of a table. A pattern may match none: it is for tables that come
    and go, as an online schema change makes them."""
    before = len(findings.items)
    for index, item in enumerate(spec.ignore_tables):
        if unclear.any_name or unclear.may_match(item) or is_pattern(item):
            continue
        if not any(fnmatch.fnmatchcase(name, item) for name in families):
            message = f"'{item}' ignores nothing: {spec.source.schema} holds no such table"
            where = spec.span_of(("ignore_tables", index))
            findings.error("SW2020", message, where, hint=did_you_mean(item, families))
    return not findings.has_stop_since(before)


def stays_where_it_is(spec: Spec, name: str, *, others: Sequence[Spec] = ()) -> bool:
    """Whether no entry of the spec takes the table of that name, and something says so: `ignore_tables`, an exception
    of a pattern, or another spec that takes it."""
    called = {name, stems(spec.source.tables_suffix)(name) or name}

    def is_in(patterns: Iterable[str]) -> bool:
        return any(fnmatch.fnmatchcase(each, pattern) for pattern in patterns for each in called)

    if is_taken(spec, name):
        return False
    return (
        is_in(spec.ignore_tables)
        or any(is_in(entry.excepted) for entry in spec.tables)
        or any(is_in(entry.table for entry in other.tables) for other in others)
    )


def names_that_stay(spec: Spec, tables: Iterable[str], *, others: Sequence[Spec]) -> tuple[str, ...]:
    """Names and patterns of what stays, sorted: those that are written down, and the parts of split tables by name."""
    written = {
        *spec.ignore_tables,
        *(item for entry in spec.tables for item in entry.excepted),
        *(entry.table for other in others for entry in other.tables),
    }
    if tuple(spec.source.tables_suffix) != ("",):
        written.update(name for name in tables if stays_where_it_is(spec, name, others=others))
    return tuple(sorted(written))


def is_taken(spec: Spec, name: str) -> bool:
    """Whether an entry of the spec takes the source table of that name. A group leaves out what `ignore_tables`
    names."""
    called = {name, stems(spec.source.tables_suffix)(name) or name}
    ignored = any(fnmatch.fnmatchcase(each, pattern) for pattern in spec.ignore_tables for each in called)
    return any(entry.takes(each) and not (entry.is_group and ignored) for entry in spec.tables for each in called)


def check_forgotten(
    spec: Spec,
    families: Mapping[str, SourceFamily],
    matched: Iterable[MatchedTables],
    *,
    others: Sequence[Spec],
    findings: Findings,
) -> None:
    """Every table of the schema file is moved, left out by an exception, ignored by name, or moved by another spec."""
    moved = {name for found in matched for name in found.names}
    mentioned = [
        *spec.ignore_tables,
        *(item for entry in spec.tables for item in (*entry.excepted, entry.table)),
        *(entry.table for other in others for entry in other.tables),
    ]
    forgotten = [
        family
        for name, family in sorted(families.items())
        if not moved.intersection(family.names) and not any(fnmatch.fnmatchcase(name, item) for item in mentioned)
    ]
    if not forgotten:
        return
    names = ", ".join(family.name for family in forgotten[:10]) + (", ..." if len(forgotten) > 10 else "")
    are, they = ("tables of", "they are") if len(forgotten) > 1 else ("table of", "it is")
    message = f"{len(forgotten)} {are} {spec.source.schema} are not mentioned, so {they} not moved: {names}"
    if len(forgotten) == 1:
        message = f"table '{names}' of {spec.source.schema} is not mentioned, so it is not moved"
    notes = tuple(Note(f"'{family.name}' is at", family.described[0].span) for family in forgotten[:3])
    hint = f"move it, or say that it stays: ignore_tables: [{forgotten[0].name}]"
    findings.warning("SW2019", message, spec.key_span_of(("tables",)), hint=hint, notes=notes)
