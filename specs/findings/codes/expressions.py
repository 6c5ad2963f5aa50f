"""SW3xxx: SQL expressions of sharding rules."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

EXPRESSIONS: tuple[Code, ...] = (
    Code(
        "SW3001",
        "the expression is not SQL",
        "It cannot be read in the MySQL dialect. The marked place is where it ends.",
    ),
    Code("SW3002", "more than one expression", "Comments and ';' may not stand in a sharding expression."),
    Code(
        "SW3003",
        "not allowed in a sharding expression",
        "An expression runs in Python, in Spark and in MySQL and must give the same shard in all three, so only functions\n"
        "and operators whose three forms are known to be equal may stand in it.",
        "database: crc32(user_id) % 16",
    ),
    Code(
        "SW3004",
        "the expression names an unknown column",
        "An expression sees the columns of its rule's shard_key only.",
    ),
    Code(
        "SW3005",
        "a column of a type that nothing is sharded by",
        "Integers, texts and binary columns can be a shard key.",
    ),
    Code("SW3006", "an argument of the wrong kind", "The message says what the function or operator takes."),
    Code("SW3007", "a divisor that is no plain number", "Divide by a literal number other than zero: div 16, % 16."),
    Code(
        "SW3008", "the value may overflow", "64 bits are not enough for the largest key; the three forms would differ."
    ),
    Code(
        "SW3009",
        "a literal that is not allowed",
        "Integers, and texts of printable ASCII without a backslash, are allowed.",
    ),
    Code("SW3010", "not deterministic", "The same row must find the same shard each time: no now(), rand(), uuid()."),
)
