"""The tables of the shards' own, as the DDL files make, rename and drop them one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlglot import exp

from shardwright.compiler.ddl.actions import FOREIGN_KEY, FOREIGN_KEY_HINT
from shardwright.compiler.ddl.rewrite import MAX_NAME, table_node, without_comments
from shardwright.compiler.ddl.sql_file import FileStatement
from shardwright.compiler.ddl.whole_tables import WholeTable, own_table, refused_name
from shardwright.compiler.plan.plan import DdlChange, DdlForm, TablePlan
from shardwright.compiler.schema.unclear_tables import UnclearTables
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.span import Span
from shardwright.specs.findings.wording import did_you_mean


class OwnTables:
    """`standing` at this place of the files, by name. `unclear` are logical tables that have an error elsewhere: nothing is said of them."""

    def __init__(self, tables: Mapping[str, TablePlan], findings: Findings, unclear: UnclearTables) -> None:
        self._tables = tables
        self._unclear = unclear
        self._findings = findings
        self.standing: dict[str, TablePlan] = {}

    def change(self, file: str, ordinal: int, statement: FileStatement, found: WholeTable) -> Iterator[DdlChange]:
        """The change that a statement about a whole table is; none, and findings, where it cannot be routed."""
        goes = found.goes.name if found.goes is not None else ""
        if goes and goes not in self._tables and (self._unclear.any_name or goes in self._unclear.names):
            return
        before = len(self._findings.items)
        span = statement.span
        if found.why_not:
            self._findings.error("SW4208", f"this {found.words} cannot be routed: {found.why_not}", span)
        if any(part.args.get("exists") for part in found.node.walk()):
            self._findings.error("SW4218", "IF [NOT] EXISTS would hide the databases that differ; leave it out", span)
        if found.node.find(exp.Reference, exp.ForeignKey):
            self._findings.error("SW4209", FOREIGN_KEY, span, hint=FOREIGN_KEY_HINT)
        if found.goes is not None:
            self._check_goes(found, found.goes, span)
        if found.comes is not None and (found.goes is None or found.comes.name != found.goes.name):
            self._check_comes(found.comes, span)
        if any(item.severity == "error" for item in self._findings.items[before:]):
            return
        logical = (found.goes or found.comes or exp.Table()).name
        if found.goes is not None:
            self.standing.pop(found.goes.name, None)
        if found.comes is not None:
            self.standing[found.comes.name] = own_table(found.comes.name)
        without_comments(found.node.walk())
        for table in (found.goes, found.comes):
            if table is not None:
                table.set("this", table_node(table.name.removesuffix("${suffix}")).this)
        sql = to_sql(found.node, "mysql")
        form = DdlForm("instant", sql)
        yield DdlChange(file, ordinal, logical, sql, found.is_destructive, form, form, own=True)

    def _check_goes(self, found: WholeTable, table: exp.Table, span: Span) -> None:
        name = table.name
        if self._has_database(table, span):
            return
        if name in self._tables:
            self._findings.error(
                "SW4220",
                f"{found.words} {name}: rows of the migration stand in it, and its ledgers count on them",
                span,
                hint="leave the table out of the spec and begin a new migration, or change it by ALTER TABLE",
            )
        elif name not in self.standing:
            hint = did_you_mean(name, self.standing) or "only tables that an earlier statement of these files has made"
            self._findings.error("SW4217", f"no statement before this one has made a table '{name}'", span, hint=hint)

    def _check_comes(self, table: exp.Table, span: Span) -> None:
        if self._has_database(table, span):
            return
        if why := refused_name(table.name, tuple(self._tables.values()), self.standing):
            self._findings.error("SW4221", f"a new table cannot be called '{table.name}': {why}", span)
        if len(table.name) > MAX_NAME:
            message = f"the name '{table.name}' has {len(table.name)} characters; servers allow {MAX_NAME}"
            self._findings.error("SW4005", message, span)

    def _has_database(self, table: exp.Table, span: Span) -> bool:
        if not (table.args.get("db") or table.args.get("catalog")):
            return False
        message = f"name the table '{table.name}' without a database: it stands on every shard"
        self._findings.error("SW4216", message, span)
        return True
