"""Lint rules about whole tables of the schema file: triggers, engines, indexes, names."""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot

from shardwright.compiler.lint.facts import Index
from shardwright.compiler.lint.rule import LintContext, Rule, counted
from shardwright.specs.findings.diagnostics import Diagnostic, Severity, Span


def check_trigger(context: LintContext) -> Iterator[Diagnostic]:
    """Triggers stay at the source: their effects arrive as row changes, they themselves do not."""
    for trigger in context.triggers:
        if context.moved(trigger.table) is None:
            continue
        message = (
            f"trigger '{trigger.name}' ({trigger.event} on '{trigger.table}') stays at the source: what it writes arrives as "
            "row changes, but after the switch nothing does its work"
        )
        hint = "move its work into the application, or create it on every physical table at the switch, not before"
        yield TRIGGER.finding(message, trigger.span, hint=hint)


TRIGGER = Rule(
    "SW4307", "trigger", Severity.WARNING, "a trigger on a moved table: it is not carried to the shards", check_trigger
)


_TRANSACTIONAL = frozenset({"", "innodb", "rocksdb", "tokudb", "ndb", "ndbcluster"})


def check_engine(context: LintContext) -> Iterator[Diagnostic]:
    """A storage engine without transactions (hazard E21)."""
    for table in context.tables:
        for facts in table.facts:
            if facts.engine in _TRANSACTIONAL:
                continue
            engine = facts.engine.upper()
            message = (
                f"table '{facts.source.name}' has ENGINE={engine}, without transactions: no snapshot of it is consistent, and "
                "a crash leaves its shards in the middle of a batch"
            )
            hint = "ALTER TABLE … ENGINE=InnoDB on the source, then write ENGINE=InnoDB here"
            yield ENGINE.finding(message, facts.source.span, hint=hint)
            break


ENGINE = Rule(
    "SW4311", "engine", Severity.WARNING, "a storage engine without transactions, such as MyISAM or Aria", check_engine
)


def check_duplicate_index(context: LintContext) -> Iterator[Diagnostic]:
    """An index that another one contains: every physical table pays for it at every write."""
    for table in context.tables:
        indexes = table.facts[0].indexes
        for position, index in enumerate(indexes):
            wider = _wider(index, indexes, position)
            if wider is None:
                continue
            name = "the primary key" if wider.name == "PRIMARY" else f"'{wider.name}'"
            tables = counted(table.physical_count, "physical table")
            message = (
                f"index '{index.name}' of '{table.source.name}' is the beginning of {name} ({', '.join(wider.columns)}): "
                f"look-ups can use that one, and {tables} will keep both at every write"
            )
            hint = "drop it on the source before the move"
            yield DUPLICATE_INDEX.finding(message, context.node_place(index.node, table.source.span), hint=hint)


def _wider(index: Index, indexes: tuple[Index, ...], position: int) -> Index | None:
    """The other index that begins with this one's columns; of two equal ones the first stays."""
    if index.unique:
        return None
    columns = tuple(name.lower() for name in index.columns)
    for place, other in enumerate(indexes):
        theirs = tuple(name.lower() for name in other.columns)
        if place == position or theirs[: len(columns)] != columns:
            continue
        if len(theirs) > len(columns) or other.unique or place < position:
            return other
    return None


DUPLICATE_INDEX = Rule(
    "SW4314", "duplicate-index", Severity.WARNING, "an index that is the beginning of another", check_duplicate_index
)


_RESERVED = frozenset(sqlglot.Dialect.get_or_raise("mysql").generator_class.RESERVED_KEYWORDS)


def check_reserved_word(context: LintContext) -> Iterator[Diagnostic]:
    """A name that the spec gives and every statement of the application must quote."""
    for table in context.tables:
        entry = table.entry
        given: list[tuple[str, Span]] = []
        if entry.to and table.suffixes == ("",):
            given.append((entry.to, context.span_of(table, "to")))
        for source, target in entry.columns.rename.items():
            given.append((target, context.span_of(table, "columns", "rename", source)))
        for name, span in given:
            if name.lower() in _RESERVED:
                message = f"'{name}' is a reserved word: a statement of the application that does not quote it fails"
                yield RESERVED_WORD.finding(message, span, hint="choose another name; plans quote every name")


RESERVED_WORD = Rule(
    "SW4316",
    "reserved-word",
    Severity.WARNING,
    "a reserved word as the new name of a table or column",
    check_reserved_word,
)
