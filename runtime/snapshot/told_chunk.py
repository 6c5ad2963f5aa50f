"""Which chunk a task copies, where the query is the same for all chunks of a table: planning it takes Spark longer than reading some ten
thousand rows. It stands in a property of the job, sealed: Spark's event log keeps properties, and a chunk's bounds are users' data."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cryptography.fernet import Fernet

from shardwright.compiler.plan.plan import SourceName
from shardwright.runtime.snapshot.chunks import Chunk
from shardwright.runtime.spark.job_properties import tell_tasks, told

if TYPE_CHECKING:
    from pyspark import SparkContext

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
