"""Lint rules about which change wins and which is seen first: weights, versions, deletes."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.foreign_keys import references
from shardwright.compiler.lint.rule import LintContext, Rule
from shardwright.compiler.tables.choose import is_comparable
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity


def check_weight_order(context: LintContext) -> Iterator[Diagnostic]:
    """Weights that show readers a parent before its details, though the spec means to order them (contract C8)."""
    if len({table.entry.weight for table in context.tables}) < 2:
        return
    for reference in references(context):
        child, parent = reference.child, reference.parent
        if parent is None or parent is child or not reference.is_identifying:
            continue
        if parent.entry.weight > child.entry.weight:
            continue
        message = (
            f"'{child.logical}' (weight {child.entry.weight}) is a child table of '{parent.logical}' (weight "
            f"{parent.entry.weight}), which must be heavier: readers may see a row of '{parent.logical}' without "
            "its child rows"
        )
        hint = f"weights rise from child to parent: give '{parent.logical}' more than {child.entry.weight}"
        note = Note(
            f"the foreign key {reference.foreign_key.title} is at",
            context.reference_place(reference.foreign_key, reference.child),
        )
        yield WEIGHT_ORDER.finding(message, context.span_of(parent, "weight"), hint=hint, notes=(note,))


WEIGHT_ORDER = Rule(
    "SW5105",
    "weight-order",
    Severity.WARNING,
    "a child table that is not lighter than its parent (its primary key begins with a foreign key to it)",
    check_weight_order,
)


def check_weights_equal(context: LintContext) -> Iterator[Diagnostic]:
    """No weights at all, though tables are details of one another (contract C8)."""
    if len(context.tables) < 2 or len(context.tables) < len(context.spec.tables):
        return  # of a table with an error the weight may be another
    if len({table.entry.weight for table in context.tables}) > 1:
        return
    details = [each for each in references(context) if each.is_identifying and each.parent not in (None, each.child)]
    if not details:
        return
    first = details[0]
    assert first.parent is not None
    others = "" if len(details) == 1 else f" (and so are {len(details) - 1} more)"
    message = (
        f"all tables have weight {first.child.entry.weight}, but '{first.child.logical}' is a child table of "
        f"'{first.parent.logical}'{others}: readers may see a parent before its child rows"
    )
    hint = f"give '{first.parent.logical}' a higher weight than '{first.child.logical}'"
    note = Note(
        f"the foreign key {first.foreign_key.title} is at", context.reference_place(first.foreign_key, first.child)
    )
    yield WEIGHTS_EQUAL.finding(message, context.span_of(first.parent, "table"), hint=hint, notes=(note,))


WEIGHTS_EQUAL = Rule(
    "SW5106",
    "weights-equal",
    Severity.WARNING,
    "all weights are equal although some tables are child tables of others",
    check_weights_equal,
)


def check_version_ties(context: LintContext) -> Iterator[Diagnostic]:
    """A version column too coarse to tell two changes apart (contract C2)."""
    for table in context.tables:
        name = table.entry.version_column
        column = None if name is None else table.source.column(name)
        if name is None or column is None:
            continue
        kind = column.type
        if kind.name == "date":
            step = "day"
        elif kind.name in ("datetime", "timestamp") and not kind.precision:
            step = "second"
        else:
            continue
        message = (
            f"version column '{name}' of '{table.logical}' counts in {step}s: what others write on a shard within the "
            f"same {step} has the same version and is overwritten"
        )
        hint = f"use an integer that every write raises, or {kind.name if step == 'second' else 'datetime'}(6)"
        note = Note(f"'{name}' is defined at", table.place_of(name))
        yield VERSION_TIES.finding(message, context.span_of(table, "version_column"), hint=hint, notes=(note,))


VERSION_TIES = Rule(
    "SW6101", "version-ties", Severity.WARNING, "a version column that counts in seconds or days", check_version_ties
)


def check_version_nullable(context: LintContext) -> Iterator[Diagnostic]:
    """A version that may be NULL guards nothing: NULL is neither newer nor older."""
    for table in context.tables:
        name = table.entry.version_column
        column = None if name is None else table.source.column(name)
        if name is None or column is None or not column.nullable or not is_comparable(column.type):
            continue
        message = (
            f"version column '{name}' of '{table.logical}' may be NULL: a row without a version is not guarded, the "
            "source's change overwrites it"
        )
        note = Note(f"'{name}' is defined at", table.place_of(name))
        yield VERSION_NULLABLE.finding(
            message, context.span_of(table, "version_column"), hint="make it NOT NULL on the source", notes=(note,)
        )


VERSION_NULLABLE = Rule(
    "SW6102", "version-nullable", Severity.WARNING, "a version column that may be NULL", check_version_nullable
)


def check_delete_immediate(context: LintContext) -> Iterator[Diagnostic]:
    """Policy immediate remembers no delete, so a chunk may bring the row back (contract C4, hazard B2)."""
    for table in context.tables:
        if table.entry.deletes.policy == "immediate":
            message = (
                f"deletes of '{table.logical}' leave no tombstones: a row deleted while its chunk is being copied "
                "may come back"
            )
            hint = "deletes: until_snapshot costs little and is exact; keep 'immediate' for tables without deletes"
            yield DELETE_IMMEDIATE.finding(message, context.span_of(table, "deletes"), hint=hint)


DELETE_IMMEDIATE = Rule(
    "SW6103",
    "delete-immediate",
    Severity.WARNING,
    "delete policy 'immediate' while rows are copied",
    check_delete_immediate,
)
