"""Lint rules about sharding rules and shard keys: uneven spread, keys that two sides read differently."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shardwright.compiler.lint.rule import LintContext, LintTable, Rule
from shardwright.compiler.lint.spread import Spread, key_patterns, sample_size, spreads
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.sharding.algorithms import SPREADING
from shardwright.compiler.sharding.build import check_independence
from shardwright.specs.findings.diagnostics import Diagnostic, Findings, Note, Severity, Span
from shardwright.specs.spec.model import Sharded, ShardingRule

_HINT = "hash the key first: crc32(key) % n for databases, (crc32(key) div n) % m for tables"
_HINT_OF_ALGORITHM = "take an algorithm that mixes all bits of the key: crc32_mod, murmur3_32, xxhash64 or md5_prefix"


def check_skewed_rule(context: LintContext) -> Iterator[Diagnostic]:
    """A sharding function that spreads usual keys unevenly (hazard D17)."""
    done = set()
    for table in context.tables:
        distribution = table.entry.distribution
        if not isinstance(distribution, Sharded) or table.function is None or len(table.shard_key) != 1:
            continue
        rule, column = context.spec.sharding[distribution.rule], table.source.column(table.shard_key[0])
        if column is None or (rule.name, column.type) in done or not _means_to_spread(rule, table):
            continue
        done.add((rule.name, column.type))
        yield from _skew(context, rule, table, column)


def _means_to_spread(rule: ShardingRule, table: LintTable) -> bool:
    """An expression that leaves places empty by its range has a finding of its own (SW5004)."""
    if rule.algorithm is not None:
        return rule.algorithm in SPREADING
    assert table.function is not None
    database, part = table.function.database.interval, table.function.table.interval
    return (database.low, database.high) == (0, len(table.shards) - 1) and (part.low, part.high) == (
        0,
        len(table.suffixes) - 1,
    )


def _skew(context: LintContext, rule: ShardingRule, table: LintTable, column: Column) -> Iterator[Diagnostic]:
    """The first pattern that is spread badly; what is only usual is left out where keys are known to count up."""
    assert table.function is not None
    databases, tables = len(table.shards), len(table.suffixes)
    empty_tables_are_known = _same_rest_of_both(table)
    counts_up = _counts_up(context, rule.name)
    for pattern in key_patterns(column.type):
        if not pattern.is_certain and counts_up:
            continue
        keys = pattern.make(sample_size(databases, tables))
        found = spreads(table.function, column.name, keys, databases=databases, tables=tables)
        if empty_tables_are_known:
            found = tuple(spread for spread in found if spread.what != "physical tables")
        worst = max((spread for spread in found if spread.is_skewed), key=_times_even, default=None)
        if worst is not None:
            message = (
                f"rule '{rule.name}' spreads unevenly: with keys that {pattern.words}, the fullest of {worst.places} "
                f"{worst.what} gets {worst.share:.0%} of the rows of '{table.logical}' (even: {1 / worst.places:.1%})"
            )
            note = Note(f"'{column.name}' is defined at", table.place_of(column.name))
            hint = _HINT_OF_ALGORITHM if rule.algorithm is not None else _HINT
            yield SKEWED_RULE.finding(message, context.spec.key_span_of(rule.path), hint=hint, notes=(note,))
            return


def _same_rest_of_both(table: LintTable) -> bool:
    """Whether SW5005 says already that each database uses some of its tables only."""
    assert table.function is not None
    said = Findings()
    here = Span("", 1, 1)
    check_independence(
        table.function, databases=len(table.shards), tables=len(table.suffixes), span=here, findings=said
    )
    return bool(said.items)


def _times_even(spread: Spread) -> float:
    return spread.share * spread.places


def _counts_up(context: LintContext, rule: str) -> bool:
    """Whether the keys of the rule are numbers that some table counts."""
    for table in context.tables:
        distribution = table.entry.distribution
        if isinstance(distribution, Sharded) and distribution.rule == rule and table.shard_key:
            column = table.source.column(table.shard_key[0])
            if column is not None and column.auto_increment:
                return True
    return False


SKEWED_RULE = Rule(
    "SW5102",
    "skewed-rule",
    Severity.WARNING,
    "a sharding rule that gives one place more than twice its share of random, counted, strided or time-made keys",
    check_skewed_rule,
)


_SAME_BYTES = frozenset({"utf8mb4", "utf8mb3", "utf8", "ascii"})


def check_shard_key_charset(context: LintContext) -> Iterator[Diagnostic]:
    """A text shard key stored in a character set whose bytes are not UTF-8 (contract C9)."""
    for table in context.tables:
        for name in table.shard_key:
            column = table.source.column(name)
            if column is None or not column.type.is_text or column.type.charset in (None, *_SAME_BYTES):
                continue
            message = (
                f"shard key '{name}' of '{table.source.name}' is stored as {column.type.charset}, but its shard is "
                "computed from the text's UTF-8 bytes: a router that hashes the stored bytes sends é elsewhere"
            )
            hint = "let the application's router encode the text as UTF-8, and compare both over real keys"
            yield SHARD_KEY_CHARSET.finding(message, table.place_of(name), hint=hint)


SHARD_KEY_CHARSET = Rule(
    "SW5103",
    "shard-key-charset",
    Severity.WARNING,
    "a text shard key in a character set such as latin1",
    check_shard_key_charset,
)


def check_shard_key_ignores_case(context: LintContext) -> Iterator[Diagnostic]:
    """A text shard key that the server compares without case, and the sharding function does not (hazard D15)."""
    for table in context.tables:
        for name in table.shard_key:
            column = table.source.column(name)
            if column is None or not column.type.is_text or "_ci" not in (column.type.collation or ""):
                continue
            if _folds_case(context, table):
                continue
            message = (
                f"shard key '{name}' of '{table.source.name}' has the collation {column.type.collation}: 'Ann' and "
                "'ann' are equal to the server, but their rows are on different shards"
            )
            hint = "make the collation _bin, or look rows up in the spelling in which they were written"
            yield SHARD_KEY_IGNORES_CASE.finding(message, table.place_of(name), hint=hint)


def _folds_case(context: LintContext, table: LintTable) -> bool:
    assert isinstance(table.entry.distribution, Sharded)
    rule = context.spec.sharding[table.entry.distribution.rule]
    text = f"{rule.database} {rule.table}".lower()
    return "lower(" in text or "upper(" in text


SHARD_KEY_IGNORES_CASE = Rule(
    "SW5104",
    "shard-key-ignores-case",
    Severity.WARNING,
    "a text shard key whose collation ignores case",
    check_shard_key_ignores_case,
)


_HASH = re.compile(r"\b(crc32|sha2)\s*\(", re.IGNORECASE)


def check_unsigned_shard_key(context: LintContext) -> Iterator[Diagnostic]:
    """Arithmetic on BIGINT UNSIGNED keys, which most application languages have no integer for (hazard D15)."""
    for table in context.tables:
        distribution = table.entry.distribution
        if not isinstance(distribution, Sharded) or not _is_plain_arithmetic(context.spec.sharding[distribution.rule]):
            continue
        for name in table.shard_key:
            column = table.source.column(name)
            if column is None or column.type.name != "bigint" or not column.type.unsigned or column.auto_increment:
                continue
            message = (
                f"shard key '{name}' of '{table.source.name}' is BIGINT UNSIGNED: a router that keeps it in a signed "
                "64-bit integer (Java's long) sends keys from 2^63 on to another shard"
            )
            hint = "compute the remainder without sign (Long.remainderUnsigned), or shard by crc32 of the key's text"
            yield UNSIGNED_SHARD_KEY.finding(message, table.place_of(name), hint=hint)


def _is_plain_arithmetic(rule: ShardingRule) -> bool:
    """Hash algorithms read the key's bytes or digits; `range` and `lookup` compare it, and take no rest."""
    if rule.algorithm is not None:
        return rule.algorithm == "mod"
    return not _HASH.search(f"{rule.database or ''} {rule.table or ''}")


UNSIGNED_SHARD_KEY = Rule(
    "SW5108",
    "unsigned-shard-key",
    Severity.WARNING,
    "a BIGINT UNSIGNED shard key whose remainder is taken directly",
    check_unsigned_shard_key,
)
