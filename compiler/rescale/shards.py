"""The tables of the shards as the next migration finds them: after the DDL of their own plan. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.backward.shard_table import UnknownShape, shard_create, templates_of
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import Plan, StepName, with_suffix
from shardwright.compiler.schema.file import read_schema
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.specs.findings.diagnostics import Diagnostic, Findings, SpecError
from shardwright.specs.spec.model import Spec, TableSpec

_HEADER = """\
-- Written by `shardwright rescale`: the tables that the plan of {migration} makes, after its DDL files.
-- `shardwright import` writes what the servers have. Review and commit.
"""


@dataclass(frozen=True, slots=True)
class Shards:
    """`entries` are the spec's, by logical name; `creates` the CREATE TABLE of one physical table of each."""

    plan: Plan
    entries: Mapping[str, TableSpec]
    creates: Mapping[str, str]

    @property
    def schema(self) -> str:
        """The text of a schema file."""
        header = _HEADER.format(migration=self.plan.migration)
        return header + "".join(f"\n{self._count_words(name)}{create};\n" for name, create in self.creates.items())

    def _count_words(self, logical: str) -> str:
        table = self.plan.table(logical)
        if len(table.suffixes) == 1:
            return ""
        first, last = table.suffixes[0], table.suffixes[-1]
        return f"-- {len(table.suffixes)} tables like this one, from {logical}{first} to {logical}{last}.\n"

    def table(self, logical: str) -> SourceTable:
        text = self.creates[logical]
        (found,) = read_schema(text, file="plan", findings=Findings()).values()
        return found

    def own_tables(self) -> tuple[str, ...]:
        """Tables of the shards' own, which DDL files made."""
        return tuple(dict.fromkeys(change.logical for change in self.plan.ddl if change.own))


def shards_of(spec: Spec, plan: Plan) -> Shards:
    """Raises SpecError (SW5034) at the entry of a table of which it is not known what DDL makes of it."""
    by_name = {entry.to or entry.table: entry for entry in spec.tables}
    entries = {table.logical: by_name[table.logical] for table in plan.tables}
    creates = {}
    for name, entry in entries.items():
        create = plan.step(name, StepName.CREATE_TABLE).statement("create")
        try:
            changed = shard_create(create, templates_of(plan.table(name), plan.ddl))
        except UnknownShape as clause:
            message = f"it is not known what DDL makes of '{name}': {clause}"
            hint = "write the next spec by hand, and its schema file with `shardwright import`"
            raise SpecError([Diagnostic("SW5034", message, spec.span_of((*entry.path, "table")), hint=hint)]) from None
        creates[name] = _plain(with_suffix(changed, plan.table(name).suffixes[0]))
    return Shards(plan, entries, creates)


def _plain(create: str) -> str:
    tree = parse_sql(create)
    assert isinstance(tree, exp.Create)
    tree.set("exists", None)
    return to_sql(tree, "mysql")
