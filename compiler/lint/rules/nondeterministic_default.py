"""A default that every server computes for itself, and otherwise each time (hazard C28)."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity

_NAMES = frozenset(
    {
        *("uuid", "uuid_short", "uuid_v4", "uuid_v7", "sys_guid", "rand", "random_bytes", "connection_id", "user"),
        *("current_user", "session_user", "system_user", "database", "schema", "nextval", "last_insert_id"),
    }
)
_NODES = (exp.Uuid, exp.Rand, exp.CurrentUser, exp.NextValueFor)


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        for column in table.facts[0].columns:
            if column.default is None or not _differs(column.default) or table.target_name(column.name) is None:
                continue
            message = (
                f"column '{column.name}' of '{table.source.name}' has the default {_written(column.default)}: each server "
                "computes another value, so a row that is written to the source and to a shard differs"
            )
            hint = "let the application bring the value, as copied rows do"
            yield RULE.finding(message, table.place_of(column.name), hint=hint)


def _written(default: exp.Expr) -> str:
    return default.unnest().sql("mysql").lower()


def _differs(default: exp.Expr) -> bool:
    return not isinstance(default, exp.Literal) and any(
        isinstance(node, _NODES) or (isinstance(node, exp.Anonymous) and node.name.lower() in _NAMES)
        for node in default.walk()
    )


RULE = Rule(
    "SW4308",
    "non-deterministic-default",
    Severity.WARNING,
    "a default such as uuid() or rand(): every server computes another value",
    check,
)
