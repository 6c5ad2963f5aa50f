"""What a lint rule is and what it looks at: the whole project, resolved and frozen, made once per compilation. A rule
asks for nothing else.
Pure: reads no file.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.lint.facts import ForeignKey, TableFacts, identifier_place, table_facts
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import CopiedColumn, DdlChange
from shardwright.compiler.schema.triggers import Trigger
from shardwright.compiler.sharding.build import ShardFunction
from shardwright.compiler.tables.choose import ResolvedTable
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Path, Severity, Span
from shardwright.specs.spec.model import Sharded, Single, Spec, TableSpec
from shardwright.specs.spec.sound_parts import names_all_tables

_SHOWN = 6


def as_words(names: Sequence[str]) -> str:
    """ "'a'", "'a' and 'b'", "'a', 'b' and 'c'"; a long list ends in a number."""
    shown = [f"'{name}'" for name in names[:_SHOWN]]
    if len(names) > _SHOWN:
        return f"{', '.join(shown)} and {len(names) - _SHOWN} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def number_of(number: int, what: str) -> str:
    """ "1 index", "3 tables"; `what` is the plural's stem and ends in what an `s` or `es` follows."""
    if number == 1:
        return f"1 {what}"
    return f"{number:,} {what}{'es' if what.endswith('x') else 's'}"


@dataclass(frozen=True, slots=True)
class LintTable:
    """One logical table. `facts` are those of its sources, in their order. `function` and `shard_key` (source columns)
    are
    set when it is sharded and the sharding rule could be compiled. `shards` are the indexes of its databases."""

    resolved: ResolvedTable
    facts: tuple[TableFacts, ...]
    function: ShardFunction | None
    shard_key: tuple[str, ...]
    shards: tuple[int, ...]
    suffixes: tuple[str, ...]

    @property
    def entry(self) -> TableSpec:
        return self.resolved.entry

    @property
    def logical(self) -> str:
        return self.resolved.logical

    @property
    def source(self) -> SourceTable:
        return self.resolved.source

    @property
    def columns(self) -> tuple[CopiedColumn, ...]:
        return self.resolved.columns

    @property
    def physical_count(self) -> int:
        return len(self.shards) * len(self.suffixes)

    def target_name(self, source_column: str) -> str | None:
        """The column's name on the shards; None when it is not copied."""
        wanted = source_column.lower()
        return next((column.target for column in self.columns if column.source.lower() == wanted), None)

    def place_of(self, source_column: str) -> Span:
        """Where the schema file defines the column."""
        spans = {name.lower(): span for name, span in self.source.column_spans.items()}
        return spans.get(source_column.lower(), self.source.span)


@dataclass(frozen=True, slots=True)
class LintContext:
    """`schema` is the schema file's text, `catalogue` all of its tables, `tables` those that are moved and could be
    resolved. `changes` are the routed DDL changes that could be read. `others` are the
    project's specs that move other tables of the same schema file. `by_source` finds a table by the lower-case names of
    its source tables."""

    spec: Spec
    schema: str
    catalogue: Mapping[str, SourceTable]
    triggers: tuple[Trigger, ...]
    tables: tuple[LintTable, ...]
    changes: tuple[DdlChange, ...]
    others: tuple[Spec, ...]
    by_source: Mapping[str, LintTable]

    def span_of(self, table: LintTable, *path: str) -> Span:
        """Where the table's entry in the spec, or its part at `path`, is written."""
        full: Path = (*table.entry.path, *path)
        return self.spec.span_of(full)

    def node_place(self, node: exp.Expr, otherwise: Span) -> Span:
        """Where a node of the schema file stands."""
        return identifier_place(node, self.schema, file=self.spec.source.schema) or otherwise

    def reference_place(self, foreign_key: ForeignKey, child: LintTable) -> Span:
        return self.node_place(foreign_key.node, child.source.span)

    def find_by_source(self, source_table: str) -> LintTable | None:
        """The logical table that a source table becomes a part of; None when it is not moved."""
        return self.by_source.get(source_table.lower())

    def is_meant(self, source_table: str) -> bool:
        """Whether an entry of this spec or of another one means to move it, even where an error keeps it from being
        compiled."""
        specs = (self.spec, *self.others)
        if not all(names_all_tables(spec) for spec in specs):
            return True
        entries = (entry for spec in specs for entry in spec.tables)
        return any(
            fnmatch.fnmatchcase(source_table, entry.table)
            and not any(fnmatch.fnmatchcase(source_table, name) for name in entry.excepted)
            for entry in entries
        )


def by_source(tables: tuple[LintTable, ...]) -> Mapping[str, LintTable]:
    return {name.lower(): table for table in reversed(tables) for name in table.resolved.source_tables}


def lint_table(
    spec: Spec, resolved: ResolvedTable, *, function: ShardFunction | None, shard_key: tuple[str, ...]
) -> LintTable:
    databases = spec.target.databases
    distribution = resolved.entry.distribution
    shards = tuple(range(len(databases)))
    if isinstance(distribution, Single):
        shards = (databases.index(distribution.database),)
    suffixes = spec.suffixes_of(spec.sharding[distribution.rule]) if isinstance(distribution, Sharded) else ("",)
    facts = tuple(table_facts(source) for source in resolved.sources)
    return LintTable(resolved, facts, function, shard_key, shards, suffixes)


Check = Callable[[LintContext], Iterable[Diagnostic]]


@dataclass(frozen=True, slots=True)
class Rule:
    """`name` is kebab-case; `description` one line for docs/reference/lint.md: what the rule finds. `severity` is
    `error` only where running would certainly go wrong."""

    code: str
    name: str
    severity: Severity
    description: str
    check: Check

    def finding(self, message: str, span: Span, *, hint: str | None = None, notes: tuple[Note, ...] = ()) -> Diagnostic:
        """`message` says what will happen, `hint` what to do."""
        return Diagnostic(self.code, message, span, self.severity, hint, notes)
