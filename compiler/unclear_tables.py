"""Names of tables that nothing can be said about, because what describes them has an error: no finding may follow from that."""

from __future__ import annotations

import fnmatch
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token

from shardwright.compiler.catalogue import SourceTable
from shardwright.compiler.schema_file import read_schema
from shardwright.compiler.sql_tokens import belongs_to, split
from shardwright.compiler.triggers import without_triggers
from shardwright.specs.diagnostics import Findings
from shardwright.specs.span import Span


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
    """The schema file's sound tables, and what is known about those with an error. An error of a statement whose tables do not
    matter (they stay where they are) is none."""
    own = Findings()
    tables = read_schema(text, file=file, findings=own)
    errors = [item for item in own.items if item.stops]
    if not errors:
        findings.items += own.items
        return SchemaFile(tables, ALL_CLEAR)
    unclear = _tables_at(text, [item.span for item in errors])
    if not all(matters(name) for name in unclear.names):
        own.items = [
            item for item in own.items if item.code not in _ABOUT_A_TABLE or _matters(text, item.span, matters)
        ]
    findings.items += own.items
    return SchemaFile({name: table for name, table in tables.items() if name not in unclear.names}, unclear)


def _matters(text: str, span: Span, matters: Callable[[str], bool]) -> bool:
    found = _tables_at(text, [span])
    return found.any_name or not found.names or any(matters(name) for name in found.names)


def _tables_at(text: str, places: Iterable[Span]) -> UnclearTables:
    """The tables that are created by the statements at these places."""
    try:
        tokens = sqlglot.tokenize(text, dialect="mysql")
    except TokenError:
        return NOTHING_CLEAR
    statements = list(split(without_triggers(tokens)))
    starts = [statement[0].start for statement in statements]
    lines = [0, *(offset + 1 for offset, character in enumerate(text) if character == "\n")]
    names: set[str] = set()
    any_name = False
    for span in places:
        offset = lines[span.line - 1] + span.column - 1
        number = bisect_right(starts, offset) - 1
        if number < 0 or not belongs_to(statements[number], offset, text):
            continue  # a comment between statements
        created = set(_created(statements[number]))
        any_name = any_name or (not created and not _is_about_something_else(statements[number]))
        names |= created
    return UnclearTables(frozenset(names), any_name)


def _created(statement: Sequence[Token]) -> Iterator[str]:
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
