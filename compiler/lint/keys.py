"""Lint rules about row keys, unique keys and numbers that servers count up."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.rule import LintContext, LintTable, Rule, as_words, number_of
from shardwright.compiler.plan.catalogue import UniqueKey
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity


def check_row_key_not_primary(context: LintContext) -> Iterator[Diagnostic]:
    """A row key that is not the source's primary key."""
    for table in context.tables:
        if table.entry.by_all_columns:
            continue
        chosen, primary = table.entry.key or table.source.row_key, table.source.primary_key
        if {name.lower() for name in chosen} == {name.lower() for name in primary}:
            continue
        columns = ", ".join(chosen)
        if primary:
            message = (
                f"rows of '{table.logical}' go by ({columns}), not by the primary key ({', '.join(primary)}): chunks "
                "are read through a secondary index, so the copy is slower and heavier on the source"
            )
            hint = "leave 'key' out, unless the primary key means nothing on the shards"
        else:
            message = (
                f"'{table.source.name}' has no primary key: rows go by a unique key, the shards get PRIMARY KEY "
                f"({columns}), and replicas of the source look for every changed row"
            )
            hint = f"add PRIMARY KEY ({columns}) on the source"
        note = Note(f"'{table.source.name}' is defined at", table.source.span)
        place = context.span_of(table, "key" if table.entry.key else "table")
        yield ROW_KEY_NOT_PRIMARY.finding(message, place, hint=hint, notes=(note,))


ROW_KEY_NOT_PRIMARY = Rule(
    "SW4301",
    "row-key-not-primary",
    Severity.WARNING,
    "a row key other than the primary key, or a table without one",
    check_row_key_not_primary,
)


def check_no_key(context: LintContext) -> Iterator[Diagnostic]:
    """A table without a key: each row that goes is looked for by its values."""
    for table in context.tables:
        if not table.entry.by_all_columns or table.source.row_key:
            continue
        indexes = [index for index in table.facts[0].indexes if all(map(table.target_name, index.columns))]
        if indexes:
            index = indexes[0]
            how = f"index '{index.name}' ({', '.join(index.columns)}) narrows the search: good where it has many values"
            hint = None
        else:
            how = "no index helps: each deleted or updated row costs a scan of its physical table"
            hint = "add an index over columns with many values at the source, and import again"
        message = f"rows of '{table.logical}' have no key and are found by all of their values; {how}"
        note = Note(f"'{table.source.name}' is defined at", table.source.span)
        yield NO_KEY.finding(message, context.span_of(table, "key"), hint=hint, notes=(note,))


NO_KEY = Rule(
    "SW2125",
    "no-key",
    Severity.WARNING,
    "a table that goes by `key: all_columns`: rows that change are looked for, which is slow",
    check_no_key,
)


def check_auto_increment(context: LintContext) -> Iterator[Diagnostic]:
    """AUTO_INCREMENT counts within one table; the shards' tables would count alike (hazard D18)."""
    seeded = {(entry.table, entry.column) for entry in context.spec.ids}
    for table in context.tables:
        for column in table.source.columns:
            name = table.target_name(column.name)
            if not column.auto_increment or name is None or (table.logical, name) in seeded:
                continue
            tables = number_of(table.physical_count, "physical table")
            message = (
                f"column '{column.name}' of '{table.source.name}' is AUTO_INCREMENT: on the shards ({tables}) it is "
                "not, and an INSERT without a value for it fails there"
            )
            if table.physical_count == 1:
                hint = "`ids` in the spec keeps it AUTO_INCREMENT, or names the segment table that counts"
            else:
                hint = (
                    "generate ids in the application before cut-over: from a segment table, which `ids` in the spec "
                    "names, or from time and node (snowflake)"
                )
            yield AUTO_INCREMENT.finding(message, table.place_of(column.name), hint=hint)


AUTO_INCREMENT = Rule(
    "SW4302",
    "auto-increment",
    Severity.WARNING,
    "an AUTO_INCREMENT column of a moved table: the shards cannot number rows together",
    check_auto_increment,
)


def check_floating_unique_key(context: LintContext) -> Iterator[Diagnostic]:
    """A unique key over values without an exact identity (hazard C5). As a row's key such a column is refused
    (SW2112)."""
    for table in context.tables:
        types = {column.target: (column.source, column.type) for column in table.columns}
        sources = {item.target: item.source for item in table.resolved.generated}
        types |= {
            column.name: (sources[column.name], column.type) for column in table.resolved.target_generated_columns()
        }
        for key in table.resolved.every_unique_key:
            floating = [types[name] for name in key.columns if types[name][1].name in ("float", "double")]
            if not floating:
                continue
            column, kind = floating[0]
            message = (
                f"unique key '{key.name}' of '{table.source.name}' compares '{column}', a {kind.name.upper()}: whether "
                "two values are the same depends on how each was computed"
            )
            hint = "make it DECIMAL on the source"
            yield FLOATING_UNIQUE_KEY.finding(message, table.place_of(column), hint=hint)


FLOATING_UNIQUE_KEY = Rule(
    "SW4310", "floating-unique-key", Severity.WARNING, "a unique key over a FLOAT or DOUBLE", check_floating_unique_key
)


def check_shard_key_not_in_unique_key(context: LintContext) -> Iterator[Diagnostic]:
    """A unique key without the shard key holds within one physical table only (hazard D11)."""
    for table in context.tables:
        if table.function is None or table.physical_count == 1:
            continue
        used = {name.lower() for name in table.function.columns()}
        placing = {target for name in used if (target := table.target_name(name)) is not None}
        own = () if table.entry.by_all_columns else (UniqueKey("PRIMARY", table.resolved.key),)
        for key in (*own, *table.resolved.every_unique_key):
            if not placing <= set(key.whole):
                yield _finding(context, table, key, placing)


def _finding(context: LintContext, table: LintTable, key: UniqueKey, placing: set[str]) -> Diagnostic:
    is_own = key.columns == table.resolved.key
    if is_own:
        what = f"the key ({key.words})"
    else:
        what = f"the primary key ({key.words})" if key.name == "PRIMARY" else f"unique key '{key.name}' ({key.words})"
    missing = as_words([column.target for column in table.columns if column.target in placing - set(key.whole)])
    message = (
        f"{what} of '{table.logical}' does not contain {missing}, by which its rows are placed: each of the "
        f"{table.physical_count} physical tables checks only its own rows, so two shards may hold the same value"
    )
    hint = "make the value unique where it is made, add the shard key to the unique key, or shard by the key"
    note = Note(f"'{table.source.name}' is defined at", table.source.span)
    return SHARD_KEY_NOT_IN_UNIQUE_KEY.finding(message, context.span_of(table, "table"), hint=hint, notes=(note,))


SHARD_KEY_NOT_IN_UNIQUE_KEY = Rule(
    "SW5101",
    "shard-key-not-in-unique-key",
    Severity.WARNING,
    "a unique key (or the row key) without the shard key: uniqueness over all shards is lost",
    check_shard_key_not_in_unique_key,
)


def check_key_of_several_sources(context: LintContext) -> Iterator[Diagnostic]:
    """Several sources that each count their rows from 1 (hazard B11)."""
    for table in context.tables:
        number = len(table.resolved.source_databases) * len(table.resolved.source_tables)
        if number == 1 or len(table.resolved.key) > 1 or table.entry.by_all_columns:
            continue
        counted = next((c for c in table.source.columns if c.auto_increment), None)
        if counted is None or table.target_name(counted.name) not in table.resolved.key:
            continue
        message = (
            f"rows of '{table.logical}' come from {number} tables, and their key '{counted.name}' is AUTO_INCREMENT in "
            "each: two rows with one key stop the run"
        )
        hint = "check auto_increment_offset and _increment on the sources, or use a key that distinguishes them"
        note = Note(f"'{counted.name}' is defined at", table.place_of(counted.name))
        yield KEY_OF_SEVERAL_SOURCES.finding(message, context.span_of(table, "table"), hint=hint, notes=(note,))


KEY_OF_SEVERAL_SOURCES = Rule(
    "SW5111",
    "key-of-several-sources",
    Severity.WARNING,
    "an AUTO_INCREMENT key in a table that is put together from several",
    check_key_of_several_sources,
)
