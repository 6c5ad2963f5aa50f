"""Which table does a name mean, whatever the case of its letters? Pure.

A server with lower_case_table_names=0 tells `Users` and `users` apart, others do not. A schema file with both is from
one that does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableNames:
    """Of one schema. `shared`: names that several of its tables have when case is left aside, in small letters."""

    shared: frozenset[str] = frozenset()

    def key_of(self, name: str) -> str:
        """By what a table is found: its name in small letters, or as it is written where another one differs by case
        only."""
        small = name.lower()
        return name if small in self.shared else small


def make_table_names(names: Iterable[str]) -> TableNames:
    """`names` as the schema writes them; one may come twice."""
    by_small: dict[str, set[str]] = {}
    for name in names:
        by_small.setdefault(name.lower(), set()).add(name)
    return TableNames(frozenset(small for small, written in by_small.items() if len(written) > 1))
