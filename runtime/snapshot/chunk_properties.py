"""Which chunk a task copies, and what it knows of its table. The query is the same for all chunks of a table, since planning it takes Spark
longer than reading some chunks; so the chunk travels beside it, as job properties. Set in the driver, read in Spark tasks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cryptography.fernet import Fernet

from shardwright.compiler.plan.plan import SourceName, TablePlan
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.snapshot.chunks import Chunk
from shardwright.runtime.spark.job_properties import tell_tasks, told

if TYPE_CHECKING:
    from pyspark import SparkContext


@dataclass(frozen=True, slots=True)
class ChunkContext:
    """Small and picklable. `statements` are the snapshot-insert step's by name,
    `source_row` reads one row of a source table. `naming`: rows that the shard refuses are named instead of raised, and nothing is
    written. Rows of the keys `held` are left out. `keeping`: connections are kept for the next chunk."""

    migration: str
    writer: Writer
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


_CHUNK = "chunk"
WhichChunk = Callable[[], Chunk | None]
"""In a task. None: no chunk at all, the query only runs."""


@dataclass(frozen=True, slots=True)
class ToldChunk:
    """`tell` before a job, call in its task. The key is made for one run and travels in closures only."""

    key: bytes = field(default_factory=Fernet.generate_key, repr=False)

    def tell(self, context: SparkContext, chunk: Chunk | None) -> None:
        """For the jobs that this thread starts from now on."""
        words = None
        if chunk is not None:
            words = [chunk.logical, chunk.source.database, chunk.source.table, chunk.number, chunk.low, chunk.high]
        tell_tasks(context, _CHUNK, Fernet(self.key).encrypt(json.dumps(words).encode()).decode())

    def __call__(self) -> Chunk | None:
        words = json.loads(Fernet(self.key).decrypt(told(_CHUNK).encode()))
        if words is None:
            return None
        logical, database, table, number, low, high = words
        return Chunk(logical, SourceName(database, table), number, _key(low), _key(high))


@dataclass(frozen=True, slots=True)
class OneChunk:
    """The same for a query of one chunk."""

    chunk: Chunk

    def __call__(self) -> Chunk:
        return self.chunk


def _key(values: list[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(values)
