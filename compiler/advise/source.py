"""The database that is asked about: its schema, its rows, and what the application does with it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from shardwright.compiler.advise.statistics import RowCounts, Statistics, TableStatistics
from shardwright.compiler.advise.usage import TableColumn, Usage, measure_usage
from shardwright.compiler.lint.facts import TableFacts, table_facts
from shardwright.compiler.plan.catalogue import Column, SourceTable
from shardwright.compiler.schema.file import read_schema
from shardwright.compiler.schema.table_names import TableNames, make_table_names
from shardwright.compiler.sql.server_lexer import create_table, statements_of
from shardwright.compiler.workload.merge import group_statements
from shardwright.compiler.workload.statement import StatementGroup, WorkloadStatement
from shardwright.specs.findings.diagnostics import Findings

_UNKNOWN = TableStatistics(rows=0)


@dataclass(frozen=True, slots=True)
class LoggedWrites:
    """What a binary log has of the tables, exactly. Tables and columns in small letters."""

    seconds: float
    transactions: int
    """Those with rows of the tables."""
    inserted: Mapping[str, int]
    updated: Mapping[str, int]
    deleted: Mapping[str, int]
    """Rows by table."""
    changed: Mapping[TableColumn, int]
    """Updated rows that got another value, by column."""
    keys: Mapping[str, tuple[int, int]]
    """By a key's name: transactions with rows that hold it, and how many of these have several values of it."""

    @property
    def rows(self) -> int:
        return sum(sum(some.values()) for some in (self.inserted, self.updated, self.deleted))


@dataclass(frozen=True, slots=True)
class SourceDatabase:
    """`tables`, `facts` and `statistics` by the key that `names` gives a table's name. `schema` is the text
    that they were read from, and `file` its name in the project."""

    name: str
    dialect: str
    file: str
    schema: str
    names: TableNames
    tables: Mapping[str, SourceTable]
    facts: Mapping[str, TableFacts]
    statistics: Statistics
    statements: Sequence[WorkloadStatement]
    groups: Sequence[StatementGroup]
    usage: Usage = field(repr=False)
    unread: Mapping[str, str] = field(default_factory=dict)
    """Tables that the schema reader cannot read, as they are written, each with the reason."""
    logged: LoggedWrites | None = None
    """What the server's binary log has, where it was read."""

    def rows(self, table: str) -> int:
        """`table` is a key, here and below."""
        return self.statistics.get(table, _UNKNOWN).rows

    @property
    def has_sizes(self) -> bool:
        return bool(self.statistics)

    @property
    def has_row_counts(self) -> bool:
        """Whether the server counts how many rows are read and changed."""
        return any(one.counts is not None for one in self.statistics.values())

    def row_counts(self, table: str) -> RowCounts | None:
        return self.statistics.get(table, _UNKNOWN).counts

    def with_statements(self, statements: Sequence[WorkloadStatement]) -> SourceDatabase:
        groups = group_statements(statements)
        columns_of = {
            name: frozenset(column.name.lower() for column in table.columns) for name, table in self.tables.items()
        }
        usage = measure_usage(groups, columns_of, self.names)
        return replace(self, statements=statements, groups=groups, usage=usage)

    def with_statistics(self, statistics: Statistics) -> SourceDatabase:
        """`statistics` by names as the server writes them, or as a file has them."""
        return replace(self, statistics={self.names.key_of(name): one for name, one in statistics.items()})

    def column(self, table: str, name: str) -> Column:
        found = self.tables[table].column(name)
        assert found is not None
        return found

    def column_names(self, table: str, columns: Iterable[str]) -> list[str]:
        """As the schema writes them."""
        return [self.column(table, name).name for name in columns]

    def tables_that_stay(self, left_out: Mapping[str, str]) -> Mapping[str, str]:
        """Those that cannot be read, and those of `left_out`, each with the reason; as the schema writes them."""
        return {**self.unread, **{self.tables[table].name: reason for table, reason in left_out.items()}}

    def row_key(self, table: str) -> tuple[str, ...]:
        """In small letters."""
        return tuple(name.lower() for name in self.tables[table].row_key)

    @property
    def largest_rows(self) -> int:
        return max((one.rows for one in self.statistics.values()), default=0)


@dataclass(frozen=True, slots=True)
class SchemaText:
    """Where a schema is from: the database's name, the kind of server, the file's name and its text."""

    database: str
    dialect: str
    file: str
    text: str


def make_source(
    schema: SchemaText,
    *,
    statistics: Statistics,
    statements: Sequence[WorkloadStatement],
) -> SourceDatabase:
    """`statements` may be empty."""
    findings = Findings()
    tables = read_schema(schema.text, file=schema.file, findings=findings)
    names = make_table_names(tables)
    known = {names.key_of(name): table for name, table in tables.items()}
    source = SourceDatabase(
        schema.database,
        schema.dialect,
        schema.file,
        schema.text,
        names,
        known,
        {name: table_facts(table) for name, table in known.items()},
        {},
        (),
        (),
        Usage(),
        _find_unread(schema.text, tables, findings),
    )
    return source.with_statistics(statistics).with_statements(statements)


def _find_unread(text: str, known: Mapping[str, SourceTable], findings: Findings) -> Mapping[str, str]:
    """The tables of the text that are not `known` by their names, each with the first finding about it."""
    unread: dict[str, str] = {}
    for words in statements_of(text):
        table = create_table(words)
        if table is None or table.name.text in known:
            continue
        first, last = (text.count("\n", 0, end) + 1 for end in (table.start, table.end))
        about = [one for one in findings.items if first <= one.span.line <= last]
        reason = f"{about[0].code}: {about[0].message}" if about else "it cannot be read"
        unread.setdefault(table.name.text, reason)
    return unread
