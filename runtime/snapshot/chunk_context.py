"""What a task that writes chunks knows of its table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.mysql.servers import Servers


@dataclass(frozen=True, slots=True)
class ChunkContext:
    """Small and picklable. `statements` are the snapshot-insert step's by name,
    `source_row` reads one row of a source table. `naming`: rows that the shard refuses are named instead of raised, and nothing is
    written. Rows of the keys `held` are left out. `keeping`: connections are kept for the next chunk."""

    migration: str
    epoch: int
    servers: Servers
    table: TablePlan
    statements: Mapping[str, str]
    source_row: str
    naming: bool = False
    held: frozenset[tuple[str, ...]] = frozenset()
    keeping: bool = True

    @property
    def in_place(self) -> bool:
        """Whether rows may go straight into their physical tables."""
        return not self.held and "meets" not in self.statements
