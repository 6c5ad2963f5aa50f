"""A table so wide that its stage or tombstone table cannot be created (hazard C29)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext, LintTable
from shardwright.compiler.lint.rule import Rule
from shardwright.compiler.lint.stored_size import MAX_COLUMNS, MAX_KEY_BYTES, MAX_ROW_BYTES, key_bytes, row_bytes
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.steps.bookkeeping import STAGE_COLUMNS
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity

_STAGE_BYTES = (
    49  # what the stage's own columns take of a row: 3 BIGINT, 4 INT and a VARCHAR(8); sw_version_before by its type
)
_PLAIN_VERSION = ColumnType("bigint")
_MARKS_BYTES = 2 + 4096  # sw_changed
_PART_BYTES = 4  # the INT that stands before the key in the tombstones' primary key


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        for message in _excess(table):
            note = Note(f"'{table.source.name}' is defined at", table.source.span)
            hint = "leave columns out, or make them shorter or TEXT on the source"
            yield RULE.finding(message, context.span_of(table, "table"), hint=hint, notes=(note,))


def _excess(table: LintTable) -> Iterator[str]:
    types = {column.target: column.type for column in table.columns}
    version = table.target_name(table.entry.version_column) if table.entry.version_column else None
    marked = table.entry.write == "changed"
    nulls = (len(types) + 1 + marked + 7) // 8  # the copied columns, sw_version_before and sw_changed may be NULL
    row = sum(row_bytes(kind) for kind in types.values()) + nulls + _STAGE_BYTES
    row += row_bytes(types[version] if version else _PLAIN_VERSION) + (_MARKS_BYTES if marked else 0)
    key = sum(key_bytes(types[name]) for name in table.resolved.key) + _PART_BYTES
    columns = len(types) + len(STAGE_COLUMNS) + marked
    stands = f"the table that stages changes of '{table.logical}' would"
    if columns > MAX_COLUMNS:
        yield f"{stands} have {columns:,} columns with its own {columns - len(types)}; servers allow {MAX_COLUMNS:,}"
    if row > MAX_ROW_BYTES:
        yield f"{stands} have rows of {row:,} bytes with its own columns; servers allow {MAX_ROW_BYTES:,}"
    if key > MAX_KEY_BYTES:
        yield (
            f"the table that remembers deletes of '{table.logical}' would have a key of {key:,} bytes, {_PART_BYTES} more than "
            f"the row key; servers allow {MAX_KEY_BYTES:,}"
        )


RULE = Rule(
    "SW4317",
    "bookkeeping-does-not-fit",
    Severity.ERROR,
    "a table too wide for the stage or tombstone table that goes with it",
    check,
)
