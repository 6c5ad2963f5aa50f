"""Which chunk does a task copy, and what does the task know of its table? The query is the same for many chunks, and
for many tables, since planning it takes Spark longer than copying some chunks. So what differs travels beside it, as a
job property.

Set in the driver, read in Spark tasks; no server is used here.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cryptography.fernet import Fernet

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.snapshot.chunks import Chunk
from shardwright.runtime.spark.job_properties import set_task_parameters, task_parameters

if TYPE_CHECKING:
    from pyspark import SparkContext


@dataclass(frozen=True, slots=True)
class ChunkContext:
    """What a task knows of the run, whatever the chunk. Travels in the query's functions, since it has passwords."""

    migration: str
    """Its name, by which the ledgers are keyed."""
    writer: Writer
    """Checks the fencing token in every transaction."""
    servers: Servers
    """The addresses of source servers and shards."""
    keeping: bool = True
    """Whether the task keeps its connections to shards for the next chunk."""


@dataclass(frozen=True, slots=True)
class ChunkWork:
    """A chunk, and what a task needs to read and write it. Small and picklable."""

    chunk: Chunk
    """Its identity and key range."""
    table: TablePlan
    """The compiled table whose chunk it is."""
    reads: Mapping[str, str]
    """SQL of the chunk-read step, by the name of the bounds."""
    statements: Mapping[str, str]
    """SQL of the snapshot-insert step, by statement name."""
    source_row: str
    """SQL that reads one row of a source table by its key."""
    naming: bool = False
    """True: rows that the shard refuses are named instead of raised, and nothing is written."""
    held: frozenset[tuple[str, ...]] = frozenset()
    """Keys of quarantined rows, which are left out."""

    @property
    def in_place(self) -> bool:
        """Whether rows may go straight into their physical tables."""
        return not self.held and "owner_conflicts" not in self.statements


_CHUNK = "chunk"
WhichChunk = Callable[[], ChunkWork | None]
"""In a task. None: no chunk at all, the query only runs."""


@dataclass(frozen=True, slots=True)
class ChunkParameters:
    """Passes a chunk to tasks as a job property: `send` before a job, call in its task. The key is made for one run and
    travels in closures only, so a property that it opens is one that this run made."""

    key: bytes = field(default_factory=Fernet.generate_key, repr=False)
    """Seals the property, since Spark's event log keeps properties."""

    def send(self, context: SparkContext, work: ChunkWork | None) -> None:
        """Sets the chunk for the jobs that this thread starts from now on; None: no chunk."""
        set_task_parameters(context, _CHUNK, Fernet(self.key).encrypt(pickle.dumps(work)).decode())

    def __call__(self) -> ChunkWork | None:
        work: ChunkWork | None = pickle.loads(Fernet(self.key).decrypt(task_parameters(_CHUNK).encode()))
        return work


@dataclass(frozen=True, slots=True)
class OneChunk:
    """The same interface for a query of one chunk."""

    work: ChunkWork

    def __call__(self) -> ChunkWork:
        return self.work
