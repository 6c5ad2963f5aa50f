"""The values the shop is filled with: ordinary ones, and those that break a copy that is not exact."""

from __future__ import annotations

import random
from decimal import Decimal

NAMES = (
    "张伟", "王芳", "李娜", "刘洋", "Ana Souza", "Zoë Müller", "O'Brien", "山田太郎", "Łukasz Żak", "Иван Петров",
    "김민준", "نور", "陳大文 🐉", "👩‍👩‍👧‍👦 family", 'back\\slash "quoted"', "tab\tand\nnewline", "trailing space ", "é (composed)",
    "é (decomposed)", "NULL", "\\N", "𝒳 beyond the BMP 𠮷野",
)  # fmt: skip
NOTES = (
    None, "", " ", "请尽快发货，谢谢！", "🎁 gift wrap, please 🎀", "leave at the door", "line one\nline two\r\nline three", "a\x00b",
    "100% 'sure'; -- not a comment /* nor this */", "\\' \\\\ \\0 \\n \\t \\Z \\%", "comma, tab\t, quote \", apostrophe '",
    "…—“”‘’ ﷽", "很长的备注" * 60, "\u200bzero width\u200b", "\x1a control Z",
)  # fmt: skip
SKUS = ("tea-龙井-250g", "mug/blue", "book:9787111", "USB-C 1m", "🍎-iphone-case", "rice.5kg", "灯-E27", "Sock_42")
STATUSES = ("new", "paid", "shipped", "closed", "cancelled")
METHODS = ("card", "wallet", "voucher", "cash", "card,voucher", "wallet,voucher", "card,wallet,voucher,cash", "")
REGIONS = (
    (310000, "上海", "0.0600"),
    (110000, "北京", "0.0600"),
    (440100, "广州", None),
    (-1, "elsewhere 🌍", "0.0000"),
)
REPLIES = (None, '{"code": 0, "msg": "成功 ✅"}', '{"code":51,"msg":"余额不足"}', "{}", '["\\u00e9", "\\\\", null]')


def price(dice: random.Random) -> Decimal:
    return Decimal(dice.randrange(1, 10_000_000)).scaleb(-2)


def signature(dice: random.Random) -> bytes | None:
    """Any bytes at all, some of which are no UTF-8."""
    return None if dice.random() < 0.2 else dice.randbytes(dice.randrange(0, 65))


def moment(dice: random.Random, *, digits: int) -> str:
    """A date and time with `digits` digits after the second."""
    fraction = f".{dice.randrange(10**digits):0{digits}}" if digits else ""
    return (
        f"{dice.randrange(1971, 2037)}-{dice.randrange(1, 13):02}-{dice.randrange(1, 29):02} "
        f"{dice.randrange(24):02}:{dice.randrange(60):02}:{dice.randrange(60):02}{fraction}"
    )
