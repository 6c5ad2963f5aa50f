"""Which buckets does an operator mean? `0-9,17`, `all`, or so many percent of those that have not moved. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.ledger.buckets import BucketOwner
from shardwright.specs.direction import Side

_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")


def read_buckets_of(text: str, count: int) -> frozenset[int]:
    """Of `count` buckets and the one behind them, which has the tables that are not sharded. Raises InputAtFault
    (SW8007)."""
    if text.strip() == "all":
        return frozenset(range(count + 1))
    found: set[int] = set()
    for part in text.split(","):
        matched = _RANGE.fullmatch(part.strip())
        if matched is None:
            raise InputAtFault("SW8007", f"--buckets {text}: name buckets such as 0-9,17, or all")
        first, last = int(matched[1]), int(matched[2] or matched[1])
        if first > last or last > count:
            raise InputAtFault("SW8007", f"--buckets {part.strip()}: buckets are counted from 0 to {count}, upwards")
        found.update(range(first, last + 1))
    return frozenset(found)


def choose_percent(percent: float, owners: Mapping[int, BucketOwner], count: int, to: Side) -> frozenset[int]:
    """The first of those that the other side has, so many that about `percent` of all move. The bucket of tables that
    are not sharded goes last."""
    wanted = max(1, round(count * percent / 100))
    there = [bucket for bucket in range(count) if bucket not in owners or owners[bucket].writer != to]
    return frozenset(there[:wanted])


def ranges_of(buckets: Collection[int]) -> str:
    """As `--buckets` takes them: 0-9,17."""
    return ",".join(f"{first}-{last}" if last > first else str(first) for first, last in _runs(sorted(buckets)))


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found
