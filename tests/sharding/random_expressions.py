"""Expressions out of the whole allowed language, made by a seeded generator. Many are refused; that is wanted."""

from __future__ import annotations

import random

from tests.sharding.typed_columns import COLUMNS

_INTEGERS = [name for name, column in COLUMNS.items() if column.type.is_integer]
_TEXTS = [name for name, column in COLUMNS.items() if column.type.is_text]
_BYTES = [name for name, column in COLUMNS.items() if column.type.is_bytes]
_NUMBERS = ("0", "1", "2", "7", "16", "1000", "2147483647", "2147483648", "9223372036854775807", "9223372036854775808")


def random_expression(dice: random.Random) -> str:
    return _integer(dice, 4) if dice.random() < 0.8 else _text(dice, 3)


def _integer(dice: random.Random, depth: int) -> str:
    if depth == 0 or dice.random() < 0.15:
        return dice.choice(_INTEGERS) if dice.random() < 0.8 else dice.choice(_NUMBERS)
    inner = depth - 1
    match dice.randrange(9):
        case 0:
            return f"({_integer(dice, inner)} {dice.choice('+-*')} {_integer(dice, inner)})"
        case 1 | 2:
            return f"({_integer(dice, inner)}) % {dice.choice(('', '-'))}{dice.choice(_NUMBERS)}"
        case 3:
            return f"(({_integer(dice, inner)}) div {dice.choice(('', '-'))}{dice.choice(_NUMBERS)})"
        case 4:
            return f"(- {_integer(dice, inner)})"
        case 5:
            return f"crc32({_text(dice, inner)})"
        case 6:
            return f"crc32({dice.choice(_BYTES)})"
        case 7:
            return f"cast({_text(dice, inner)} as {dice.choice(('signed', 'signed', 'unsigned'))})"
        case _:
            return f"coalesce({_integer(dice, inner)}, {_integer(dice, inner)})"


def _text(dice: random.Random, depth: int) -> str:
    if depth == 0 or dice.random() < 0.3:
        return dice.choice(_TEXTS) if dice.random() < 0.8 else dice.choice(("''", "':'", "'it''s'", "'-'", "'-12 '"))
    inner = depth - 1
    match dice.randrange(5):
        case 0:
            return f"concat({_text(dice, inner)}, {_any(dice, inner)})"
        case 1:
            return f"substr({_text(dice, inner)}, {dice.randrange(1, 6)}, {dice.randrange(8)})"
        case 2:
            return f"substr({_text(dice, inner)}, {dice.randrange(1, 6)})"
        case 3:
            return f"coalesce({_text(dice, inner)}, {_text(dice, inner)})"
        case _:
            return f"cast({_any(dice, inner)} as char)"


def _any(dice: random.Random, depth: int) -> str:
    return _text(dice, depth) if dice.random() < 0.5 else _integer(dice, depth)
