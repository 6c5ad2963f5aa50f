"""Does a DDL file name a column that its table has never had? A server would refuse the statement at the first of many
physical tables; the author of the pull request is the one who can mend it.

The files are a history, and the plan's CREATE TABLE is the table of today. So a column counts as known when any file
adds, renames or drops it, in whatever order. Names in expressions are left to the server. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from shardwright.compiler.ddl.catching_up import effects_in
from shardwright.compiler.ddl.sql_file import FileStatement
from shardwright.compiler.sql.named_columns import columns_in
from shardwright.specs.findings.diagnostics import Findings, Span
from shardwright.specs.findings.wording import did_you_mean


@dataclass(slots=True)
class NamedColumns:
    """What the files say of the columns of one table."""

    known: set[str] = field(default_factory=set)
    """Columns, in lower case, that some statement adds, renames or drops."""
    needed: list[tuple[str, Span]] = field(default_factory=list)
    """Columns that have to be there, and where a statement names them."""

    def read(self, tree: exp.Expr, statement: FileStatement) -> None:
        self.known.update(effect.name.lower() for effect in effects_in(tree) if effect.kind == "column")
        for action in tree.args.get("actions") or ():
            self.needed += ((name.name, statement.place_of(name)) for name in _needed(action))

    def require(self, logical: str, create: exp.Create, findings: Findings) -> None:
        """`create`: the table of today."""
        columns = [part.name for part in create.this.expressions if isinstance(part, exp.ColumnDef)]
        known = self.known | {name.lower() for name in columns}
        for name, span in self.needed:
            if name.lower() not in known:
                hint = did_you_mean(name, {*columns, *self.known}) or f"its columns are: {', '.join(columns)}"
                findings.error("SW4222", f"table '{logical}' has no column '{name}'", span, hint=hint)


def _needed(action: exp.Expr) -> Iterator[exp.Expr]:
    """The names, with their places."""
    for place in action.find_all(exp.ColumnPosition):
        if place.this is not None:
            yield place.this
    match action:
        case exp.ModifyColumn() if not action.args.get("rename_from"):
            yield action.this.this
        case exp.AlterColumn():
            yield action.this
        case exp.AddConstraint():
            for key in action.find_all(exp.PrimaryKey, exp.UniqueColumnConstraint, exp.IndexColumnConstraint):
                yield from _parts(key)


def _parts(key: exp.Expr) -> Iterator[exp.Expr]:
    """The columns of a key, without those in expressions."""
    schema = key.this
    for part in schema.expressions if isinstance(schema, exp.Schema) else key.expressions:
        plain = part.this if isinstance(part, exp.Ordered) else part
        if isinstance(plain, (exp.Identifier, exp.Column, exp.ColumnPrefix)):
            yield from columns_in(plain)
