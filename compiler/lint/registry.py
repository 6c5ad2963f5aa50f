"""Every lint rule, in the order of codes. A new rule is a file in `rules/` and a line here."""

from __future__ import annotations

from shardwright.compiler.lint.rule import Rule
from shardwright.compiler.lint.rules import (
    auto_increment,
    cascade,
    delete_immediate,
    duplicate_index,
    engine,
    foreign_key_across_shards,
    foreign_key_dropped,
    foreign_key_unmoved,
    implicit_timestamp,
    nondeterministic_default,
    shard_key_not_in_unique_key,
    trigger,
    version_nullable,
    version_ties,
    weight_order,
    weights_equal,
    zero_date_default,
)

RULES: tuple[Rule, ...] = (
    auto_increment.RULE,
    foreign_key_across_shards.RULE,
    foreign_key_unmoved.RULE,
    foreign_key_dropped.RULE,
    cascade.RULE,
    trigger.RULE,
    nondeterministic_default.RULE,
    engine.RULE,
    zero_date_default.RULE,
    implicit_timestamp.RULE,
    duplicate_index.RULE,
    shard_key_not_in_unique_key.RULE,
    weight_order.RULE,
    weights_equal.RULE,
    version_ties.RULE,
    version_nullable.RULE,
    delete_immediate.RULE,
)
