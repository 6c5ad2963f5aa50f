"""Which chunk does a task copy, and what does the task know of its table? The query is the same for all chunks of a
table, since planning it takes Spark longer than reading some chunks. So the chunk travels beside it, as job properties.

Set in the driver, read in Spark tasks; no server is used here.
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
from shardwright.runtime.spark.job_properties import set_task_parameters, task_parameters

if TYPE_CHECKING:
    from pyspark import SparkContext


@dataclass(frozen=True, slots=True)
class ChunkContext:
    """What a task needs to write chunks of one table. Small and picklable."""

    migration: str
    """Its name, by which the ledgers are keyed."""
    writer: Writer
    """Checks the fencing token in every transaction."""
    servers: Servers
    """The addresses of source servers and shards."""
    table: TablePlan
    """The compiled table whose chunks are copied."""
    statements: Mapping[str, str]
    """SQL of the snapshot-insert step, by statement name."""
    source_row: str
    """SQL that reads one row of a source table by its key."""
    naming: bool = False
    """True: rows that the shard refuses are named instead of raised, and nothing is written."""
    held: frozenset[tuple[str, ...]] = frozenset()
    """Keys of quarantined rows, which are left out."""
    keeping: bool = True
    """Whether the task keeps its connections to shards for the next chunk."""

    @property
    def in_place(self) -> bool:
        """Whether rows may go straight into their physical tables."""
        return not self.held and "owner_conflicts" not in self.statements


_CHUNK = "chunk"
WhichChunk = Callable[[], Chunk | None]
"""In a task. None: no chunk at all, the query only runs."""


@dataclass(frozen=True, slots=True)
class ChunkParameters:
    """Passes a chunk to tasks as a job property: `tell` before a job, call in its task. The key is made for one run and
    travels in closures only."""

    key: bytes = field(default_factory=Fernet.generate_key, repr=False)
    """Seals the property, since Spark's event log keeps properties."""

    def tell(self, context: SparkContext, chunk: Chunk | None) -> None:
        """Sets the chunk for the jobs that this thread starts from now on; None: no chunk."""
        words = None
        if chunk is not None:
            words = [chunk.logical, chunk.source.database, chunk.source.table, chunk.number, chunk.low, chunk.high]
        set_task_parameters(context, _CHUNK, Fernet(self.key).encrypt(json.dumps(words).encode()).decode())

    def __call__(self) -> Chunk | None:
        words = json.loads(Fernet(self.key).decrypt(task_parameters(_CHUNK).encode()))
        if words is None:
            return None
        logical, database, table, number, low, high = words
        return Chunk(logical, SourceName(database, table), number, _key(low), _key(high))


@dataclass(frozen=True, slots=True)
class OneChunk:
    """The same interface for a query of one chunk."""

    chunk: Chunk

    def __call__(self) -> Chunk:
        return self.chunk


def _key(values: list[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(values)
