"""Arithmetic on BIGINT UNSIGNED keys, which most application languages have no integer for (hazard D15)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity
from shardwright.specs.spec.model import Sharded, ShardingRule

_HASH = re.compile(r"\b(crc32|sha2)\s*\(", re.IGNORECASE)


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        distribution = table.entry.distribution
        if not isinstance(distribution, Sharded) or not _is_plain_arithmetic(context.spec.sharding[distribution.rule]):
            continue
        for name in table.shard_key:
            column = table.source.column(name)
            if column is None or column.type.name != "bigint" or not column.type.unsigned or column.auto_increment:
                continue
            message = (
                f"shard key '{name}' of '{table.source.name}' is BIGINT UNSIGNED: a router that keeps it in a signed 64-bit "
                "integer (Java's long) sends keys from 2^63 on to another shard"
            )
            hint = "compute the rest without sign (Long.remainderUnsigned), or shard by crc32 of the key's text"
            yield RULE.finding(message, table.place_of(name), hint=hint)


def _is_plain_arithmetic(rule: ShardingRule) -> bool:
    """Hash algorithms read the key's bytes or digits; `range` and `lookup` compare it, and take no rest."""
    if rule.algorithm is not None:
        return rule.algorithm == "mod"
    return not _HASH.search(f"{rule.database or ''} {rule.table or ''}")


RULE = Rule(
    "SW5108",
    "unsigned-shard-key",
    Severity.WARNING,
    "a BIGINT UNSIGNED shard key whose rest is taken directly",
    check,
)
