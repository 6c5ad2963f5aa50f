"""Names of tables and columns in the schema file: which it has, which of them nothing can be said about because what
describes them has an error (no finding may follow from that), and findings about those that it does not have. Pure.
"""

from __future__ import annotations

import fnmatch
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token

from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.schema.file import read_schema
from shardwright.compiler.schema.triggers import without_triggers
from shardwright.compiler.sql.sql_tokens import end_of, split
from shardwright.specs.findings.diagnostics import Diagnostic, Findings, Note, Path, Span
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import Spec


def check_names(
    source: SourceTable,
    names: Iterable[tuple[Span, str]],
    *,
    findings: Findings,
    table: str | None = None,
    hint: str | None = None,
) -> bool:
    """Whether every name, written at its place, is a column of `source`; `table` is how findings call it, `hint` what
    they advise where no column has a similar name."""
    known = [column.name for column in source.columns]
    fine = True
    for span, name in names:
        if name not in known:
            message = f"column '{name}' is not in table '{table or source.name}'"
            advice = did_you_mean(name, known) or hint
            findings.error("SW2104", message, span, hint=advice, notes=(table_note(source),))
            fine = False
    return fine


def locate(spec: Spec, path: Path, names: Iterable[str]) -> Iterator[tuple[Span, str]]:
    """The names of the list at `path`, each with its place."""
    return ((spec.span_of((*path, index)), name) for index, name in enumerate(names))


def table_note(source: SourceTable) -> Note:
    return Note("columns come from", source.span)


def column_note(source: SourceTable, name: str) -> Note:
    return Note("the column is at", source.column_spans.get(name, source.span))


@dataclass(frozen=True, slots=True)
class UnclearTables:
    """`any_name`: an error hides which tables there are, so that every name that is not known may be one of them."""

    names: frozenset[str] = frozenset()
    any_name: bool = False

    def may_match(self, pattern: str) -> bool:
        return any(fnmatch.fnmatchcase(name, pattern) for name in self.names)


_ABOUT_A_TABLE = frozenset({"SW4101", "SW4102", "SW4105", "SW4107"})

ALL_CLEAR = UnclearTables()
NOTHING_CLEAR = UnclearTables(any_name=True)


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """`tables` by name: those without an error. `unclear` are the others."""

    tables: Mapping[str, SourceTable]
    unclear: UnclearTables


def read_schema_file(
    text: str, *, file: str, findings: Findings, matters: Callable[[str], bool] = lambda name: True
) -> SchemaFile:
    """The schema file's sound tables, and what is known about those with an error. An error of a statement whose tables
    do not matter (they stay where they are) is none."""
    own = Findings()
    tables = read_schema(text, file=file, findings=own)
    errors = [item for item in own.items if item.stops]
    if not errors:
        findings.items += own.items
        return SchemaFile(tables, ALL_CLEAR)
    statements = _statements_of(text)
    unclear = _tables_at(statements, errors)
    if not all(matters(name) for name in unclear.names):
        own.items = [
            item for item in own.items if item.code not in _ABOUT_A_TABLE or _matters(statements, item, matters)
        ]
    findings.items += own.items
    return SchemaFile({name: table for name, table in tables.items() if name not in unclear.names}, unclear)


def _matters(statements: _Statements | None, item: Diagnostic, matters: Callable[[str], bool]) -> bool:
    found = _tables_at(statements, [item])
    return found.any_name or not found.names or any(matters(name) for name in found.names)


class _Statements:
    """The statements of a schema file, to be asked by place. An unsound file may have errors by the thousand: each
    statement is looked into once."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self._statements = list(split(without_triggers(tokens)))
        self._starts = [statement[0].start for statement in self._statements]
        self._ends = [end_of(statement, text) for statement in self._statements]
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self._made: dict[int, UnclearTables] = {}

    def creates(self, span: Span) -> UnclearTables:
        """The tables that the statement at that place creates: none for a comment between statements."""
        offset = self._lines[span.line - 1] + span.column - 1
        number = bisect_right(self._starts, offset) - 1
        if number < 0 or offset > self._ends[number]:
            return ALL_CLEAR
        if number not in self._made:
            statement = self._statements[number]
            names = frozenset(_names_of_creates(statement))
            self._made[number] = UnclearTables(names, not names and not _is_about_something_else(statement))
        return self._made[number]


def _statements_of(text: str) -> _Statements | None:
    """None when the text cannot be cut into words."""
    try:
        return _Statements(text, sqlglot.tokenize(text, dialect="mysql"))
    except TokenError:
        return None


def _tables_at(statements: _Statements | None, found: Iterable[Diagnostic]) -> UnclearTables:
    """The tables that are created by the statements at these places."""
    if statements is None:
        return NOTHING_CLEAR
    created = {statements.creates(item.span) for item in found}
    return UnclearTables(
        frozenset(name for each in created for name in each.names), any(each.any_name for each in created)
    )


def _names_of_creates(statement: Sequence[Token]) -> Iterator[str]:
    """The names after TABLE or VIEW: several, where a semicolon is missing between two statements."""
    words = [token.text.upper() for token in statement]
    for index, word in enumerate(words):
        if word == "TABLE" and index and words[index - 1] not in ("CREATE", "TEMPORARY", "REPLACE"):
            continue
        if word not in ("TABLE", "VIEW"):
            continue
        name = index + 4 if words[index + 1 : index + 4] == ["IF", "NOT", "EXISTS"] else index + 1
        name += 2 if words[name + 1 : name + 2] == ["."] else 0
        if name < len(statement):
            yield statement[name].text


_OTHER_STATEMENTS = frozenset(
    [
        "ALTER",
        "ANALYZE",
        "BEGIN",
        "CALL",
        "COMMIT",
        "DELETE",
        "DROP",
        "FLUSH",
        "GRANT",
        "INSERT",
        "LOCK",
        "RENAME",
        "REPLACE",
        "REVOKE",
        "SELECT",
        "SET",
        "SHOW",
        "START",
        "TRUNCATE",
        "UNLOCK",
        "UPDATE",
        "USE",
    ]
)
_OTHER_OBJECTS = frozenset(
    ["DATABASE", "EVENT", "FUNCTION", "INDEX", "PROCEDURE", "ROLE", "SCHEMA", "SEQUENCE", "SERVER", "USER", "VIEW"]
)


def _is_about_something_else(statement: Sequence[Token]) -> bool:
    words = [token.text.upper() for token in statement[:12]]
    return words[0] in _OTHER_STATEMENTS or (words[0] == "CREATE" and not _OTHER_OBJECTS.isdisjoint(words))
