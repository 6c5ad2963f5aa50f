"""Compiler pass: may a table without a key be moved with `key: all_columns`, and of which steps does it consist?

Every event of such a table has to count exactly once, and a row is found by its values alone. What cannot keep to that
is refused by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shardwright.compiler.columns.mapping import MappedColumn
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import Step
from shardwright.compiler.schema.names import column_note, table_note
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.steps.decode import decode, place_struct
from shardwright.compiler.steps.keyless import (
    keyless_delete,
    keyless_insert,
    keyless_merge,
    keyless_read,
    keyless_route,
    why_value_is_refused,
)
from shardwright.compiler.steps.keyless_verify import keyless_verify_source, keyless_verify_target
from shardwright.compiler.tables.assigned_table import AssignedTable
from shardwright.specs.findings.diagnostics import Findings, Path
from shardwright.specs.spec.model import Sharded, Spec, TableSpec


def check_keyless(
    spec: Spec, entry: TableSpec, source: SourceTable, mapped: Sequence[MappedColumn], *, findings: Findings
) -> None:
    """`entry` says `key: all_columns`."""
    where, notes = spec.span_of((*entry.path, "key")), (table_note(source),)
    if source.row_key:
        message = f"'{entry.table}' has the key ({', '.join(source.row_key)}): rows are found by it"
        findings.error("SW2122", message, where, hint="leave `key` out", notes=notes)
    elif source.unique_keys:
        unique = source.unique_keys[0]
        message = (
            f"unique key '{unique.name}' of '{entry.table}' allows NULL: rows without a key come before others go, and "
            "a unique value cannot be in both"
        )
        hint = f"make ({', '.join(unique.columns)}) NOT NULL at the source and import again: then it is the key"
        findings.error("SW2122", message, where, hint=hint, notes=notes)
    for item in mapped:
        reason = why_value_is_refused(item.column.type)
        if reason is not None:
            message = f"column '{item.column.target}' of '{entry.table}' cannot be a part of a row's identity: {reason}"
            hint = f"columns: {{exclude: [{item.column.source or item.column.target}]}}, or give the table a key"
            note = (column_note(source, item.column.source),) if item.column.source else notes
            findings.error("SW2123", message, where, hint=hint, notes=note)
    for what, path in _features_with_key(spec, entry):
        message = f"'{entry.table}' has no key (`key: all_columns`), and {what}"
        findings.error("SW2124", message, spec.span_of(path))


def _features_with_key(spec: Spec, entry: TableSpec) -> Iterator[tuple[str, Path]]:
    at = entry.path
    if entry.version_column is not None:
        yield "a version is of one row: `version_column` needs a key", (*at, "version_column")
    if entry.write != "rows":
        yield "`write: changed` writes columns of a row that it finds by its key", (*at, "write")
    if entry.groups:
        yield "field groups compare two states of one row: `groups` needs a key", (*at, "groups")
    if entry.deletes.policy in ("ignore", "delay") or entry.deletes.stop_above is not None:
        yield "every delete counts, at once: leave `deletes` out", (*at, "deletes")
    if entry.origin_column is not None:
        yield (
            "equal rows of several sources are counted together: `on_key_collision: add_column`",
            (*at, "on_key_collision"),
        )
    if entry.errors.policy != "stop":
        yield "a refused row has no name by which it is held: `errors: quarantine` needs a key", (*at, "errors")
    if entry.existing_rows == "keep":
        yield (
            "rows that the target has would be counted with the source's: `existing_rows: keep`",
            (*at, "existing_rows"),
        )
    match entry.distribution:
        case Sharded(parent=parent) if parent is not None:
            yield "rows are placed through a parent only where each has a key", (*at, "sharding", "shard_key")
        case _:
            pass
    for other in spec.tables:
        match other.distribution:
            case Sharded(parent=parent) if parent is not None and parent.parent == (entry.to or entry.table):
                yield "rows of another table cannot be placed through it", (*other.path, "sharding", "shard_key")
            case _:
                pass
    if spec.source.stream.name != "binlog":
        yield "messages of a queue may come twice and would count twice: only the binlog will do", ("source", "stream")


def check_keyless_place(spec: Spec, item: AssignedTable, *, findings: Findings) -> None:
    """The whole table is read and placed by the source's server."""
    if item.plan.placement.no_mysql is not None:
        message = (
            f"'{item.plan.logical}' has no key (`key: all_columns`), and its source has to place its rows: MySQL "
            f"cannot compute {item.plan.placement.no_mysql}"
        )
        findings.error("SW2124", message, spec.span_of((*item.resolved.entry.path, "sharding")))


def keyless_steps(item: AssignedTable, create: Step, stage: Step, *, shards: int) -> list[Step]:
    """`create` makes a physical table, `stage` the stage."""
    table, mapping = item.plan, item.mapping
    place = item.mysql_place("source") or (sql.number(table.placement.only_database or 0), sql.number(0))
    return [
        create,
        stage,
        keyless_read(table, mapping, place=place),
        decode(
            table,
            mapping.row_filter,
            before_place=place_struct(item.spark_place("before")),
            after_place=place_struct(item.spark_place("after")),
            identity=mapping,
        ),
        keyless_merge(table),
        keyless_route(table, shards=shards),
        keyless_delete(table),
        keyless_insert(table),
        keyless_verify_source(table, mapping),
        keyless_verify_target(table, misplaced=item.elsewhere()),
    ]
