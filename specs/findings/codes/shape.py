"""SW11xx: the shape of the files, as their JSON Schemas ask for it."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

SHAPE: tuple[Code, ...] = (
    Code(
        "SW1101",
        "unknown key",
        "The key is misspelt, stands at the wrong level, or belongs to another version. Unknown keys are never ignored:\n"
        "a setting that does nothing is worse than an error. Keys of your own begin with 'x-'.",
        "x-ticket: OPS-4711",
    ),
    Code("SW1102", "a key is missing", "This part cannot be understood without that key."),
    Code(
        "SW1103",
        "a value of the wrong kind",
        "A list, a mapping, text, a number or true/false stands where another kind is needed. Only `true` and `false` are\n"
        "booleans here; yes, no, on and off are text. `010`, `1_0` and `12:30` are text as well.",
        'protected: true\nkey: [order_id]\ntype: "8"',
    ),
    Code("SW1104", "not one of the known words", "Only the words that the message lists may stand here."),
    Code("SW1105", "text of the wrong form", "The message says which form the text must have."),
    Code("SW1106", "a number out of range", "The message says which numbers are allowed."),
    Code("SW1107", "nothing stands where something must", "An empty list, mapping or text means nothing here."),
    Code(
        "SW1108", "an item stands twice in a list", "Columns are compared without letter case, as the server does it."
    ),
    Code("SW1109", "too long", "The text or list has more characters or items than any server takes."),
    Code(
        "SW1110",
        "exactly one of several keys is needed",
        "The value has several forms, told apart by one key each. None of these keys stands here, or more than one.",
        "by_user: {shard_key: [user_id], algorithm: crc32_mod}\n"
        "by_shop: {shard_key: [shop_id], database: shop_id % 4}\n"
        "sharding: {single: order_db_00}",
    ),
)
