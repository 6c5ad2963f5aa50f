"""ON UPDATE CURRENT_TIMESTAMP on a table that has columns of its own on the shards (hazard C28)."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from shardwright.compiler.lint.context import LintContext, LintTable
from shardwright.compiler.lint.rule import Rule
from shardwright.compiler.lint.wording import listed
from shardwright.compiler.plan.plan import DdlChange
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        changes = [change for change in context.changes if change.logical == table.logical]
        stamps = [column.name for column in table.facts[0].columns if column.on_update is not None]
        for name in stamps if changes else ():
            added = [(change, column) for change in changes for column in _added(change)]
            if added and table.target_name(name) is not None:
                yield _finding(context, table, name, added)


def _finding(context: LintContext, table: LintTable, name: str, added: list[tuple[DdlChange, str]]) -> Diagnostic:
    message = (
        f"column '{name}' of '{table.source.name}' is ON UPDATE CURRENT_TIMESTAMP, and the shards have columns of their own "
        f"({listed([column for _, column in added])}): an UPDATE that fills those sets '{name}' there too, and `verify` reports "
        "the rows"
    )
    hint = f"write such an UPDATE with SET …, {name} = {name}"
    notes = (
        Note(f"'{name}' is defined at", table.place_of(name)),
        Note(f"'{added[0][1]}' is added by {added[0][0].file}"),
    )
    return RULE.finding(message, context.span_of(table, "table"), hint=hint, notes=notes)


def _added(change: DdlChange) -> tuple[str, ...]:
    """The columns that the change adds."""
    tree = parse_sql(change.template)
    actions = tree.args.get("actions") or () if isinstance(tree, exp.Alter) else ()
    return tuple(action.name for action in actions if isinstance(action, exp.ColumnDef))


RULE = Rule(
    "SW4309",
    "on-update-timestamp",
    Severity.WARNING,
    "ON UPDATE CURRENT_TIMESTAMP on a table to which DDL changes add columns",
    check,
)
