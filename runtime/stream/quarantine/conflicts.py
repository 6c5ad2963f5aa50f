"""Which rows of the shards cannot be at the source together, and for how long has it been so? On the way back only.

Runs in the driver; writes nothing.

Two rows have one unique value, or one row is in two tables: an application hands a value or a row over from one shard
to another, in two transactions. Such rows are read again from the shards until they can be at the source together.
Only rows that the shards themselves have in this state for longer than an application takes are dead letters.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from shardwright.runtime.ledger.dead_letters import DeadLetter

CODES: Final = frozenset({"SW8303", "SW8309"})
"""Of rows that are read again by themselves: the shards may resolve the conflict at any time."""
AT_REST: Final = 10.0
"""Seconds in which reads of the shards have to find the same conflict. An application hands a row over in less."""
_AGAIN_AFTER: Final = 60.0
"""Seconds after which a dead letter with one of `CODES` is read again."""
Row = tuple[str, tuple[str, ...]]
"""Logical table and key."""


@dataclass
class Conflicts:
    """The conflicts that the last reads of the shards have found."""

    now: Callable[[], float] = time.monotonic
    _since: dict[frozenset[Row], float] = field(default_factory=dict)

    def is_at_rest(self, *rows: Row) -> bool:
        """Reports that a read of the shards has found these rows in conflict. Returns whether it has been so for
        longer than an application takes to hand a row over."""
        since = self._since.setdefault(frozenset(rows), self.now())
        return self.now() - since >= AT_REST

    def resolve(self, rows: Collection[Row]) -> None:
        """These rows are at the source now."""
        done = set(rows)
        self._since = {some: since for some, since in self._since.items() if not some & done}


def is_read_again(dead_letter: DeadLetter) -> bool:
    """Whether the row is to be read again by itself."""
    return dead_letter.state == "held" and dead_letter.code in CODES and dead_letter.idle >= _AGAIN_AFTER
