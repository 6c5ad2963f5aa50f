"""What is compared with what? The whole source with all shards, or what belongs to one shard with that shard.

Runs in the driver; reads both sides through `SourceEnd` and `ShardEnd`.
"""

from __future__ import annotations

from collections.abc import Mapping

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.verify.barrier import Moving, Watch, watch
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.keys import KeyState, find_mismatches
from shardwright.runtime.verify.sessions import Sessions
from shardwright.runtime.verify.shard_end import ShardEnd, shard_ends
from shardwright.runtime.verify.source_end import SourceEnd
from shardwright.runtime.verify.statement_calls import Rows


class Ends:
    """Both sides of one table's comparison. `only_shard`: number of the only database that is compared; None: all."""

    def __init__(self, plan: Plan, table: TablePlan, sessions: Sessions, *, only_shard: int | None) -> None:
        self._table = table
        everywhere = SourceEnd(plan, table, sessions)
        all_targets = tuple(shard_ends(plan, table, sessions))
        self.are_partial = only_shard is not None and table.placement.can_differ_by_shard
        self._everywhere = (everywhere, all_targets[0]) if self.are_partial else None
        if only_shard is None:
            self.source, self.targets = everywhere, all_targets
        elif self.are_partial:
            self.source = SourceEnd(plan, table, sessions, of_shard=only_shard)
            self.targets = (ShardEnd(plan, table, sessions, shards=(only_shard,)),)
        else:
            self.source, self.targets = everywhere, tuple(end for end in all_targets if only_shard in end.shards)

    def find_mismatches(self, target: ShardEnd, rows: Rows) -> Mapping[Key, KeyState]:
        """The keys that are not right. A row that one shard lacks may be on another: all are asked then."""
        if self._everywhere is None:
            return find_mismatches(self.source, target, rows)
        keys = tuple(find_mismatches(self.source, target, rows)) if isinstance(rows, KeyRange) else rows
        return find_mismatches(*self._everywhere, keys) if keys else {}

    def watch(self, target: ShardEnd, moving: Moving | None) -> Watch | None:
        return watch(moving, self._table, *(self._everywhere or (self.source, target)))


def shard_number(plan: Plan, database: str) -> int:
    """Raises RuntimeFailure (SW8531)."""
    if database not in plan.databases:
        raise RuntimeFailure("SW8531", f"the plan has no database {database}; it has {', '.join(plan.databases)}")
    return plan.databases.index(database)
