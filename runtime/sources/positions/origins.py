"""What a position keeps of each origin of transactions: MySQL's source, MariaDB's server in a domain (hazards E5, E6).

Pure. Used in the driver; `binlog/origins` collects it and compares it with what another server has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Interval = tuple[int, int]
"""First and last number, both in it."""


class Origin(NamedTuple):
    """What the stream has met of one origin."""

    changed: int
    """The number of its last transaction that changed a followed table; 0: none did."""
    harmless: tuple[Interval, ...]
    """Numbers of transactions that changed none, as far as they are kept."""


Origins = Mapping[str, Origin]


def origins_to_json(origins: Origins) -> dict[str, list[Any]]:
    return {name: [origin.changed, *origin.harmless] for name, origin in origins.items()}


def origins_from_json(value: Mapping[str, list[Any]]) -> Origins:
    return {
        name: Origin(int(changed), tuple((int(first), int(last)) for first, last in intervals))
        for name, (changed, *intervals) in value.items()
    }
