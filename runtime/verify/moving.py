"""What a comparison asks of the stream that moves the rows meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.keys import standing_keys
from shardwright.runtime.verify.shard_end import ShardEnd
from shardwright.runtime.verify.source_end import SourceEnd


class Moving(Protocol):
    """May be asked by several threads at once; each raises CouldNotCheck where there is no answer."""

    def require_taken(self, logicals: Collection[str]) -> None:
        """Raises while changes of these tables wait for DDL: their rows say nothing then, and reading them may wait, too."""

    def catch_up(self, logicals: Collection[str]) -> None:
        """Returns once the shards hold everything that these tables had at the source when it was called."""

    def at_rest(self) -> bool:
        """Whether the shards had everything when the comparison began and nothing has come at the source since: then what is compared did
        not move."""

    def last_batch(self) -> int:
        """The last batch that all shards have."""

    def changed_since(self, batch: int, logical: str) -> Collection[Key] | None:
        """The keys of the rows that later batches changed, as the log spells them; None when not all of them are known."""


@dataclass(frozen=True, slots=True)
class Watch:
    """`Moving` for the rows of one table on one end; `changed_since` spells keys as its servers do."""

    catch_up: Callable[[], None]
    last_batch: Callable[[], int]
    changed_since: Callable[[int], Collection[Key] | None]


def watch(moving: Moving | None, table: TablePlan, source: SourceEnd, target: ShardEnd) -> Watch | None:
    """None where nothing has moved. To be asked after the rows it is about were read."""
    if moving is None or moving.at_rest():
        return None
    same_everywhere = all(column.type.is_integer for column in table.key_columns)

    def changed_since(batch: int) -> Collection[Key] | None:
        keys = moving.changed_since(batch, table.logical)
        if not keys or same_everywhere:
            return keys
        return {*keys, *standing_keys(source, target, tuple(keys))}

    return Watch(partial(moving.catch_up, (table.logical,)), moving.last_batch, changed_since)
