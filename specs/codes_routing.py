"""SW5xxx: routing and weights."""

from __future__ import annotations

from shardwright.specs.code_entry import Code

ROUTING: tuple[Code, ...] = (
    Code(
        "SW5001",
        "the shard may be NULL",
        "A column of the shard key may be NULL, and no shard is NULL. Make it NOT NULL or say which shard NULL means.",
        "database: coalesce(user_id, 0) % 16",
    ),
    Code(
        "SW5002", "the expression leaves the topology", "It can give an index for which there is no database or table."
    ),
    Code("SW5003", "the expression gives no integer", "Databases and tables are counted from 0: give their index."),
    Code(
        "SW5004",
        "some shards stay empty",
        "The expression can reach only a part of the databases or tables.",
        suppressible="compile",
    ),
    Code(
        "SW5005",
        "database and table depend on each other",
        "Taking both indexes from the same remainder leaves most pairs of database and table empty.",
        "database: crc32(user_id) % 16\ntable: (crc32(user_id) div 16) % 16",
        suppressible="compile",
    ),
    Code(
        "SW5006",
        "a split without an expression",
        "The target has several databases or tables, and the rule does not say which one a row belongs to.",
        "table: (crc32(user_id) div 16) % 16",
    ),
    Code("SW5007", "an unknown sharding algorithm", "Use one that the message lists, or write expressions."),
    Code(
        "SW5008", "the algorithm does not take this shard key", "The message says what it takes; expressions take more."
    ),
    Code("SW5009", "the shard key does not fit the rule", "Give one column for each shard key column of the rule."),
    Code("SW5010", "options without an algorithm", "Expressions read no options: remove them, or name an algorithm."),
    Code(
        "SW5011",
        "a shard key column that decides nothing",
        "Neither expression uses it, so it cannot be part of what places a row. Use it, or take it out of shard_key.",
        "database: crc32(concat(tenant_id, ':', user_id)) % 16",
        suppressible="compile",
    ),
)
