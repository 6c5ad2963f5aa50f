"""Made-up keys that stand for a key space, the same in every run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from shardwright.compiler.expressions.expression import BytesExpression, IntegerExpression, TextExpression
from shardwright.compiler.expressions.leaves import column_expression
from shardwright.compiler.plan.catalogue import Column

Value = int | str | bytes


def sample_rows(columns: Sequence[Column], count: int) -> Iterator[dict[str, object]]:
    """`count` rows of the columns that decide about shards, by column name. Each column in turn has consecutive values,
    as AUTO_INCREMENT gives them, then none; the other values lie spread over a column's whole range, independent of
    each other. Raises ValueError for a column whose type cannot decide about shards."""
    makers = [(column.name, _maker(column)) for column in columns]
    for number in range(count):
        ordinal, turn = divmod(number, len(makers) + 1)
        yield {
            name: make(ordinal + 1, None if index == turn else f"{name}:{number}")
            for index, (name, make) in enumerate(makers)
        }


class _Integers:
    def __init__(self, low: int, high: int) -> None:
        self._low, self._high = low, high

    def __call__(self, ordinal: int, seed: str | None) -> Value:
        if seed is None:
            return min(ordinal, self._high)
        return self._low + int.from_bytes(_digest(seed)[:16]) % (self._high - self._low + 1)


class _Texts:
    def __init__(self, longest: int | None) -> None:
        self._longest = longest

    def __call__(self, ordinal: int, seed: str | None) -> Value:
        text = str(ordinal) if seed is None else _digest(seed).hex()[:32]
        return text[-self._longest :] if self._longest else text


class _Bytes:
    def __init__(self, length: int, *, padded: bool) -> None:
        self._length, self._padded = length, padded

    def __call__(self, ordinal: int, seed: str | None) -> Value:
        value = ordinal.to_bytes(8) if seed is None else _digest(seed)
        value = value[-self._length :]
        return value.rjust(self._length, b"\0") if self._padded else value


def _maker(column: Column) -> _Integers | _Texts | _Bytes:
    match column_expression(column):
        case IntegerExpression() as leaf:
            return _Integers(leaf.interval.low, leaf.interval.high)
        case TextExpression() as leaf:
            return _Texts(leaf.longest)
        case BytesExpression():
            return _Bytes(column.type.length or 16, padded=column.type.name == "binary")
        case _:
            raise ValueError(f"no keys can be made up for column {column.name} of type {column.type.name}")


def _digest(seed: str) -> bytes:
    return hashlib.sha256(seed.encode()).digest()
