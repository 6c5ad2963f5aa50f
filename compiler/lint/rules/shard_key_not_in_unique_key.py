"""A unique key without the shard key holds within one physical table only (hazard D11)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext, LintTable
from shardwright.compiler.lint.rule import Rule
from shardwright.compiler.lint.wording import listed
from shardwright.compiler.plan.catalogue import UniqueKey
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        if table.function is None or table.physical_count == 1:
            continue
        used = {name.lower() for name in table.function.columns()}
        placing = {target for name in used if (target := table.target_name(name)) is not None}
        for key in (UniqueKey("PRIMARY", table.resolved.key), *table.resolved.unique_keys):
            if not placing <= set(key.columns):
                yield _finding(context, table, key, placing)


def _finding(context: LintContext, table: LintTable, key: UniqueKey, placing: set[str]) -> Diagnostic:
    columns = ", ".join(key.columns)
    is_own = key.columns == table.resolved.key
    if is_own:
        what = f"the key ({columns})"
    else:
        what = f"the primary key ({columns})" if key.name == "PRIMARY" else f"unique key '{key.name}' ({columns})"
    missing = listed([column.target for column in table.columns if column.target in placing - set(key.columns)])
    message = (
        f"{what} of '{table.logical}' does not contain {missing}, by which its rows are placed: each of the "
        f"{table.physical_count} physical tables checks only its own rows, so two shards may hold the same value"
    )
    hint = "make the value unique where it is made, add the shard key to the unique key, or shard by the key"
    note = Note(f"'{table.source.name}' is defined at", table.source.span)
    return RULE.finding(message, context.span_of(table, "table"), hint=hint, notes=(note,))


RULE = Rule(
    "SW5101",
    "shard-key-not-in-unique-key",
    Severity.WARNING,
    "a unique key (or the row key) without the shard key: uniqueness over all shards is lost",
    check,
)
