"""What happens at the source of a wired lab while something fails."""

from __future__ import annotations

import itertools

from tests.faults.conftest import Wired
from tests.support.lab import move, new_family, remove

_numbers = itertools.count(1000, 20)


def work(wired: Wired) -> int:
    """Something for every kind of sub-step on both shards, in a dozen transactions. Returns the first of 4 families
    that stay."""
    first = next(_numbers)
    for place in range(4):
        wired.lab.write(*new_family(first + place, place))
        wired.lab.write(*new_family(first + 4 + place, place))
        wired.lab.write(*move(first + place, (place + 1) % 4), *remove(first + 4 + place))
    return first
