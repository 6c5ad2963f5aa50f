"""Every lint rule, in the order of codes, and how they are run. A new rule is a check and a `Rule` in the module of its
theme, and a line here.
"""

from __future__ import annotations

from shardwright.compiler.lint import foreign_keys, keys, order, schema, sharding, size
from shardwright.compiler.lint.rule import LintContext, Rule
from shardwright.specs.findings.diagnostics import Diagnostic

RULES: tuple[Rule, ...] = (
    keys.NO_KEY,
    keys.ROW_KEY_NOT_PRIMARY,
    keys.AUTO_INCREMENT,
    foreign_keys.FOREIGN_KEY_ACROSS_SHARDS,
    foreign_keys.FOREIGN_KEY_TO_UNMOVED_TABLE,
    foreign_keys.FOREIGN_KEY_LEFT_OUT,
    foreign_keys.CASCADE,
    schema.TRIGGER,
    schema.NON_DETERMINISTIC_DEFAULT,
    schema.ON_UPDATE_TIMESTAMP,
    keys.FLOATING_UNIQUE_KEY,
    schema.ENGINE,
    schema.ZERO_DATE_DEFAULT,
    schema.BARE_TIMESTAMP,
    schema.DUPLICATE_INDEX,
    schema.RESERVED_WORD,
    size.BOOKKEEPING_DOES_NOT_FIT,
    keys.SHARD_KEY_NOT_IN_UNIQUE_KEY,
    sharding.SKEWED_RULE,
    sharding.SHARD_KEY_CHARSET,
    sharding.SHARD_KEY_IGNORES_CASE,
    order.WEIGHT_ORDER,
    order.WEIGHTS_EQUAL,
    sharding.UNSIGNED_SHARD_KEY,
    size.HOT_BROADCAST,
    size.MANY_TABLES,
    keys.KEY_OF_SEVERAL_SOURCES,
    order.VERSION_TIES,
    order.VERSION_NULLABLE,
    order.DELETE_IMMEDIATE,
)


def lint(context: LintContext) -> tuple[Diagnostic, ...]:
    """Every finding of every rule, in the order of their places."""
    found = [finding for rule in RULES for finding in rule.check(context)]
    return tuple(sorted(found, key=lambda each: (each.span, each.code, each.message)))
