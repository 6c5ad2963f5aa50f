"""Which chunks is a table copied in? Key ranges whose ends the source itself computes, lazily, kept in the ledger.

`Chunk` is used in the driver and in Spark tasks. The rest runs in the driver: it reads the source server and records
chunks in the first shard's ledger.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.chunks import chunk_copied, chunks_of, plan_chunk
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.ledger.members import chunk_given
from shardwright.runtime.mysql.keys import Key
from shardwright.runtime.snapshot.chunk_end import ChunkEnds
from shardwright.runtime.sources.positions.stream_position import StreamPosition


@dataclass(frozen=True, slots=True)
class Chunk:
    """Rows with low < key <= high of one source table; None is an open end. Keys are canonical text."""

    logical: str
    source: SourceName
    number: int
    low: Key | None
    high: Key | None

    def __str__(self) -> str:
        return f"{self.source}#{self.number}"

    @property
    def identity(self) -> tuple[str, str, int]:
        """Logical table, source table, number: the key of the chunk in the ledgers."""
        return self.logical, str(self.source), self.number

    @property
    def bounds(self) -> str:
        """The name of the chunk-read statement that fits."""
        if self.low is None:
            return "all" if self.high is None else "up_to"
        return "after" if self.high is None else "between"


@dataclass(frozen=True, slots=True)
class KnownChunk:
    chunk: Chunk
    done: bool
    rows: int


def read_known_chunks(
    control: Connection[Any], migration: str, table: TablePlan, source: SourceName
) -> list[KnownChunk]:
    """The chunks that an earlier run or this one has planned, in order."""
    rows = chunks_of(control, migration, table.logical, str(source))
    return [
        KnownChunk(Chunk(table.logical, source, number, _key(low), _key(high)), state == "done", rows_read or 0)
        for number, low, high, state, rows_read in rows
    ]


@dataclass(frozen=True, slots=True)
class CopiedChunk:
    """A chunk that is done on every shard."""

    chunk: Chunk
    """Its identity and key range."""
    high: StreamPosition
    """A position not before its read."""
    rows: int
    """Rows read."""
    databases: Collection[str]
    """The shards that have rows of it."""


@dataclass(frozen=True, slots=True)
class ChunkJournal:
    """Writes to the first shard's ledger which chunks are planned and which are done."""

    control: Connection[Any]
    """The first shard."""
    migration: str
    """The migration's name."""
    writer: Writer
    """Checks the fencing token in every transaction."""

    def record_planned(self, chunk: Chunk) -> None:
        low, high = _json(chunk.low), _json(chunk.high)
        failpoint("before-chunk-planned", chunk.logical)
        self.writer.transaction(
            self.control, lambda c: plan_chunk(c, self.migration, chunk.identity, low=low, high=high)
        )
        failpoint("after-chunk-planned", chunk.logical)

    def record_done(self, chunks: Collection[CopiedChunk]) -> None:
        """In one transaction."""

        def write(connection: Connection[Any]) -> None:
            for copied in chunks:
                chunk_copied(connection, self.migration, copied.chunk.identity, high=copied.high, rows=copied.rows)
                chunk_given(connection, self.migration, copied.databases)

        for copied in chunks:
            failpoint("before-chunk-done", copied.chunk.logical)
        self.writer.transaction(self.control, write)


def open_chunks(
    journal: ChunkJournal, table: TablePlan, ends: ChunkEnds, *, rows: Callable[[], int]
) -> Iterator[Chunk]:
    """Chunks still to be copied of the source table of `ends`: first those planned earlier, then new ones. `rows` is
    called for each new chunk and says how many rows it has. Each one is recorded before it is yielded."""
    source = ends.source
    known = read_known_chunks(journal.control, journal.migration, table, source)
    yield from (item.chunk for item in known if not item.done)
    low: Key | None = None
    number = 0
    if known:
        last = known[-1].chunk
        if last.high is None:
            return
        low, number = last.high, last.number + 1
    while True:
        high = ends.after(low, rows())
        chunk = Chunk(table.logical, source, number, low, high)
        journal.record_planned(chunk)
        yield chunk
        if high is None:
            return
        low, number = high, number + 1


def _key(text: str | None) -> Key | None:
    return tuple(json.loads(text)) if text is not None else None


def _json(key: Key | None) -> str | None:
    return json.dumps(key, ensure_ascii=False) if key is not None else None
