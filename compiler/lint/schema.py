"""Lint rules about the schema file: triggers, engines, indexes, names, and defaults that servers compute differently or
refuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import sqlglot
from sqlglot import exp

from shardwright.compiler.lint.facts import Index
from shardwright.compiler.lint.rule import LintContext, LintTable, Rule, as_words, number_of
from shardwright.compiler.plan.plan import DdlChange
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity, Span


def check_trigger(context: LintContext) -> Iterator[Diagnostic]:
    """Triggers stay at the source: their effects arrive as row changes, they themselves do not."""
    for trigger in context.triggers:
        if context.find_by_source(trigger.table) is None:
            continue
        message = (
            f"trigger '{trigger.name}' ({trigger.event} on '{trigger.table}') stays at the source: what it writes "
            "arrives as row changes, but after cut-over nothing replaces it"
        )
        hint = "move its work into the application, or create it on every physical table at cut-over, not before"
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
                f"table '{facts.source.name}' has ENGINE={engine}, without transactions: no snapshot of it is "
                "consistent, and a crash leaves its shards in the middle of a batch"
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
            tables = number_of(table.physical_count, "physical table")
            message = (
                f"index '{index.name}' of '{table.source.name}' is the beginning of {name} "
                f"({', '.join(wider.columns)}): look-ups can use that one, and {tables} will keep both at every write"
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


_NAMES = frozenset(
    {
        *("uuid", "uuid_short", "uuid_v4", "uuid_v7", "sys_guid", "rand", "random_bytes", "connection_id", "user"),
        *("current_user", "session_user", "system_user", "database", "schema", "nextval", "last_insert_id"),
    }
)
_NODES = (exp.Uuid, exp.Rand, exp.CurrentUser, exp.NextValueFor)


def check_non_deterministic_default(context: LintContext) -> Iterator[Diagnostic]:
    """A default that every server computes for itself, and otherwise each time (hazard C28)."""
    for table in context.tables:
        for column in table.facts[0].columns:
            if column.default is None or not _differs(column.default) or table.target_name(column.name) is None:
                continue
            message = (
                f"column '{column.name}' of '{table.source.name}' has the default {_literal(column.default)}: each "
                "server computes another value, so a row that is written to the source and to a shard differs"
            )
            hint = "set the value in the application: copied rows bring theirs"
            yield NON_DETERMINISTIC_DEFAULT.finding(message, table.place_of(column.name), hint=hint)


def _literal(default: exp.Expr) -> str:
    return default.unnest().sql("mysql").lower()


def _differs(default: exp.Expr) -> bool:
    return not isinstance(default, exp.Literal) and any(
        isinstance(node, _NODES) or (isinstance(node, exp.Anonymous) and node.name.lower() in _NAMES)
        for node in default.walk()
    )


NON_DETERMINISTIC_DEFAULT = Rule(
    "SW4308",
    "non-deterministic-default",
    Severity.WARNING,
    "a default such as uuid() or rand(): every server computes another value",
    check_non_deterministic_default,
)


def check_on_update_timestamp(context: LintContext) -> Iterator[Diagnostic]:
    """ON UPDATE CURRENT_TIMESTAMP on a table that has columns of its own on the shards (hazard C28)."""
    for table in context.tables:
        changes = [change for change in context.changes if change.logical == table.logical]
        stamps = [column.name for column in table.facts[0].columns if column.on_update is not None]
        for name in stamps if changes else ():
            added = [(change, column) for change in changes for column in _new_columns(change)]
            if added and table.target_name(name) is not None:
                yield _finding(context, table, name, added)


def _finding(context: LintContext, table: LintTable, name: str, added: list[tuple[DdlChange, str]]) -> Diagnostic:
    message = (
        f"column '{name}' of '{table.source.name}' is ON UPDATE CURRENT_TIMESTAMP, and the shards have columns of "
        f"their own ({as_words([column for _, column in added])}): an UPDATE that fills those sets '{name}' there too, "
        "and `verify` reports the rows"
    )
    hint = f"write such an UPDATE with SET …, {name} = {name}"
    notes = (
        Note(f"'{name}' is defined at", table.place_of(name)),
        Note(f"'{added[0][1]}' is added by {added[0][0].file}"),
    )
    return ON_UPDATE_TIMESTAMP.finding(message, context.span_of(table, "table"), hint=hint, notes=notes)


def _new_columns(change: DdlChange) -> tuple[str, ...]:
    """The columns that the change adds."""
    tree = parse_sql(change.template)
    actions = tree.args.get("actions") or () if isinstance(tree, exp.Alter) else ()
    return tuple(action.name for action in actions if isinstance(action, exp.ColumnDef))


ON_UPDATE_TIMESTAMP = Rule(
    "SW4309",
    "on-update-timestamp",
    Severity.WARNING,
    "ON UPDATE CURRENT_TIMESTAMP on a table to which DDL changes add columns",
    check_on_update_timestamp,
)


_TEMPORAL = frozenset({"date", "datetime", "timestamp"})
_ZERO_PART = re.compile(r"0000-\d\d-\d\d|\d{4}-00-\d\d|\d{4}-\d\d-00")


def check_zero_date_default(context: LintContext) -> Iterator[Diagnostic]:
    """A default of '0000-00-00' (hazard C8)."""
    for table in context.tables:
        for column in table.facts[0].columns:
            default = column.default
            if not isinstance(default, exp.Literal) or not (default.this == "0" or _ZERO_PART.match(default.this)):
                continue
            known = table.source.column(column.name)
            if known is None or known.type.name not in _TEMPORAL or table.target_name(column.name) is None:
                continue
            message = (
                f"column '{column.name}' of '{table.source.name}' has the default '{default.this}': a session with "
                "NO_ZERO_DATE, which is MySQL's default, can neither insert it nor ALTER the table"
            )
            hint = (
                "let the column be NULL, or choose a real date, on the source; rows that have it are copied as they are"
            )
            yield ZERO_DATE_DEFAULT.finding(message, table.place_of(column.name), hint=hint)


ZERO_DATE_DEFAULT = Rule(
    "SW4312", "zero-date-default", Severity.WARNING, "a default such as '0000-00-00'", check_zero_date_default
)


def check_bare_timestamp(context: LintContext) -> Iterator[Diagnostic]:
    """A bare TIMESTAMP means different columns on different servers (explicit_defaults_for_timestamp)."""
    for table in context.tables:
        for column in table.facts[0].columns:
            if column.says_null or column.default is not None or column.on_update is not None:
                continue
            known = table.source.column(column.name)
            if known is None or known.type.name != "timestamp" or table.target_name(column.name) is None:
                continue
            message = (
                f"column '{column.name}' of '{table.source.name}' is a bare TIMESTAMP: older servers make it NOT NULL "
                "with ON UPDATE CURRENT_TIMESTAMP, newer ones allow NULL, so source and shards may differ"
            )
            hint = "write NULL or NOT NULL and the default, as SHOW CREATE TABLE prints them"
            yield BARE_TIMESTAMP.finding(message, table.place_of(column.name), hint=hint)


BARE_TIMESTAMP = Rule(
    "SW4313",
    "bare-timestamp",
    Severity.WARNING,
    "a TIMESTAMP without NULL, NOT NULL or a default",
    check_bare_timestamp,
)
