"""Does a DDL file name a column that its table has never had? A server would refuse the statement at the first of many
physical tables; the author of the pull request is the one who can mend it.

The files are a history, and the plan's CREATE TABLE is the table of today. So a column counts as known when any file
adds, renames or drops it, in whatever order. Names in expressions are left to the server. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from shardwright.compiler.ddl.alter.read import AlterTable
from shardwright.compiler.ddl.statements.sql_file import FileStatement
from shardwright.specs.findings.diagnostics import Findings, Span
from shardwright.specs.findings.wording import did_you_mean


@dataclass(slots=True)
class NamedColumns:
    """What the files say of the columns of one table."""

    known: set[str] = field(default_factory=set)
    """Columns, in lower case, that some statement adds, renames or drops."""
    needed: list[tuple[str, Span]] = field(default_factory=list)
    """Columns that have to be there, and where a statement names them."""

    def read(self, alter: AlterTable, statement: FileStatement) -> None:
        self.known.update(effect.name.lower() for effect in alter.effects() if effect.kind == "column")
        for clause in alter.clauses:
            self.needed += ((name.name, statement.place_of(name)) for name in clause.prerequisites())

    def require(self, logical: str, create: exp.Create, findings: Findings) -> None:
        """`create`: the table of today."""
        columns = [part.name for part in create.this.expressions if isinstance(part, exp.ColumnDef)]
        known = self.known | {name.lower() for name in columns}
        for name, span in self.needed:
            if name.lower() not in known:
                hint = did_you_mean(name, {*columns, *self.known}) or f"its columns are: {', '.join(columns)}"
                findings.error("SW4222", f"table '{logical}' has no column '{name}'", span, hint=hint)
