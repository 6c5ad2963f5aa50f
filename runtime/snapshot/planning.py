"""Which chunk comes next: every source server plans its own, one ahead of those that are handed out, so that nobody waits for a bound to be
found, and tables that come from several servers are read from all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.ledger.epoch import record_connection
from shardwright.runtime.mysql.servers import Servers, connect
from shardwright.runtime.snapshot.chunk_size import BYTES, ChunkSize
from shardwright.runtime.snapshot.chunks import Chunk, open_chunks


@dataclass(frozen=True, slots=True)
class PlannedChunk:
    """`size` learns how long the chunk took."""

    table: TablePlan
    chunk: Chunk
    size: ChunkSize


@dataclass(frozen=True, slots=True)
class ChunkPlanning:
    """`chunk_rows`: rows of every chunk; None: as ChunkSize has it. `rows_a_second`: no chunk has more rows than that."""

    plan: Plan
    servers: Servers
    epoch: int
    chunk_rows: int | None
    rows_a_second: Callable[[], int | None]

    def chunks(self, tables: Sequence[TablePlan]) -> Generator[PlannedChunk, None, None]:
        """Open chunks of all these tables, each in the ledger already."""
        sizes = {table.logical: self._size(table) for table in tables}
        servers = dict.fromkeys(
            self.servers.source_databases[source.database] for table in tables for source in table.sources
        )
        with (
            ExitStack() as connections,
            ThreadPoolExecutor(max_workers=len(servers), thread_name_prefix="planning") as pool,
        ):
            lanes = [self._of_server(server, tables, sizes, connections) for server in servers]
            ahead: dict[Future[PlannedChunk | None], Iterator[PlannedChunk]] = {
                pool.submit(next, lane, None): lane for lane in lanes
            }
            while ahead:
                for future in wait(ahead, return_when=FIRST_COMPLETED).done:
                    lane = ahead.pop(future)
                    planned = future.result()
                    if planned is not None:
                        ahead[pool.submit(next, lane, None)] = lane
                        yield planned

    def _of_server(
        self, server: str, tables: Sequence[TablePlan], sizes: dict[str, ChunkSize], connections: ExitStack
    ) -> Iterator[PlannedChunk]:
        """One table after the other. Its connections are its own: servers plan at the same time."""
        database = next(name for name, holder in self.servers.source_databases.items() if holder == server)
        reader = connections.enter_context(closing(connect(self.servers.reader_of(database), database)))
        control = connections.enter_context(closing(self.servers.connect_shard(0)))
        record_connection(control, role="data", epoch=self.epoch)
        for table in tables:
            for source in table.sources:
                if self.servers.source_databases[source.database] != server:
                    continue
                size = sizes[table.logical]
                for chunk in open_chunks(
                    self.plan,
                    table,
                    source,
                    control=control,
                    reader=reader,
                    rows=partial(self._rows, size),
                    epoch=self.epoch,
                    most_bytes=BYTES if self.chunk_rows is None else None,
                ):
                    yield PlannedChunk(table, chunk, size)

    def _size(self, table: TablePlan) -> ChunkSize:
        return ChunkSize(self.chunk_rows, least=min(50_000, max(1_000, 500 * len(self.plan.shards(table)))))

    def _rows(self, size: ChunkSize) -> int:
        cap = self.rows_a_second()
        return size.rows() if cap is None else min(size.rows(), cap)
