"""A storage engine without transactions (hazard E21)."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.specs.findings.diagnostics import Diagnostic, Severity

_TRANSACTIONAL = frozenset({"", "innodb", "rocksdb", "tokudb", "ndb", "ndbcluster"})


def check(context: LintContext) -> Iterator[Diagnostic]:
    for table in context.tables:
        for facts in table.facts:
            if facts.engine in _TRANSACTIONAL:
                continue
            engine = facts.engine.upper()
            message = (
                f"table '{facts.source.name}' has ENGINE={engine}, without transactions: no snapshot of it is consistent, and "
                "a crash leaves its shards in the middle of a batch"
            )
            hint = "ALTER TABLE … ENGINE=InnoDB on the source, then write ENGINE=InnoDB here"
            yield RULE.finding(message, facts.source.span, hint=hint)
            break


RULE = Rule(
    "SW4311", "engine", Severity.WARNING, "a storage engine without transactions, such as MyISAM or Aria", check
)
