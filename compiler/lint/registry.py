"""Every lint rule, in the order of codes, and how they are run. A new rule is a file in `rules/` and a line here."""

from __future__ import annotations

from shardwright.compiler.lint.context import LintContext
from shardwright.compiler.lint.rule import Rule
from shardwright.compiler.lint.rules import (
    auto_increment,
    bookkeeping_does_not_fit,
    cascade,
    delete_immediate,
    duplicate_index,
    engine,
    floating_unique_key,
    foreign_key_across_shards,
    foreign_key_dropped,
    foreign_key_unmoved,
    hot_broadcast,
    implicit_timestamp,
    key_of_several_sources,
    many_tables,
    nondeterministic_default,
    on_update_timestamp,
    reserved_word,
    row_key_not_primary,
    shard_key_charset,
    shard_key_ignores_case,
    shard_key_not_in_unique_key,
    skewed_rule,
    trigger,
    unsigned_shard_key,
    version_nullable,
    version_ties,
    weight_order,
    weights_equal,
    zero_date_default,
)
from shardwright.specs.findings.diagnostics import Diagnostic

RULES: tuple[Rule, ...] = (
    row_key_not_primary.RULE,
    auto_increment.RULE,
    foreign_key_across_shards.RULE,
    foreign_key_unmoved.RULE,
    foreign_key_dropped.RULE,
    cascade.RULE,
    trigger.RULE,
    nondeterministic_default.RULE,
    on_update_timestamp.RULE,
    floating_unique_key.RULE,
    engine.RULE,
    zero_date_default.RULE,
    implicit_timestamp.RULE,
    duplicate_index.RULE,
    reserved_word.RULE,
    bookkeeping_does_not_fit.RULE,
    shard_key_not_in_unique_key.RULE,
    skewed_rule.RULE,
    shard_key_charset.RULE,
    shard_key_ignores_case.RULE,
    weight_order.RULE,
    weights_equal.RULE,
    unsigned_shard_key.RULE,
    hot_broadcast.RULE,
    many_tables.RULE,
    key_of_several_sources.RULE,
    version_ties.RULE,
    version_nullable.RULE,
    delete_immediate.RULE,
)


def lint(context: LintContext) -> tuple[Diagnostic, ...]:
    """Every finding of every rule, in the order of their places."""
    found = [finding for rule in RULES for finding in rule.check(context)]
    return tuple(sorted(found, key=lambda each: (each.span, each.code, each.message)))
