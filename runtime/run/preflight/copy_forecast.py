"""How long does copying take at least, by a chunk that this source gives now, and for how long of it does the stream
stand still?

Runs in the driver; reads a chunk of the largest table of one source server, and the first rows of tables that are read
before the stream begins.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.keys import set_key, source_sql
from shardwright.runtime.mysql.raw_connection import RawConnection, raw_connection
from shardwright.runtime.run.preflight.context import Context, Size
from shardwright.runtime.snapshot.chunk_end import FIRST_ROWS, ChunkEnds

_MOST_BYTES: Final = 8 << 20
_MOST_SECONDS: Final = 0.5
_TIMES: Final = 2
"""The first time the server may read from its disk. The faster one counts: no copy should be thought slower than it
is."""
_WORTH_MEASURING: Final = 100_000
"""Fewer rows are read within seconds."""
_ANSWER_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class CopyForecast:
    """Of one source server."""

    at_least: float
    """Seconds that copying takes at least, if all rows are as long as those that were read; 0: nothing was measured."""
    at_rest: float
    """Seconds, at the least, in which tables are read before the migration begins, and no position moves."""
    how: str
    """From what `at_least` follows, in words."""


def forecast_copy(
    context: Context, connection: Connection[Any], held: Sequence[SourceName], sizes: Mapping[str, Size]
) -> CopyForecast:
    """`sizes`: logical table -> its size on this server, which has the source tables `held`."""
    plan = context.plan
    rows, speed, how = sum(size.rows for size in sizes.values()), 0.0, "not measured"
    chunked = [table for table in plan.in_chunks if table.logical in sizes]
    if chunked and rows:
        largest = max(chunked, key=lambda table: sizes[table.logical].bytes)
        speed = context.demands.tasks * _fastest(lambda: _chunk(context, connection, largest, held))
        how = f"{speed:,.0f} rows/s are read, measured on {largest.logical}"
    cap = context.demands.rows_per_second
    if cap is not None and (not speed or cap < speed):
        speed, how = cap, f"throttle.rows_per_second is {cap:,}"
    return CopyForecast(
        rows / speed if speed else 0.0, sum(_seconds_before(context, held, sizes)), how if speed else "not measured"
    )


def _seconds_before(context: Context, held: Sequence[SourceName], sizes: Mapping[str, Size]) -> Iterator[float]:
    """For each table that is read whole in the transaction that proves the start position: at least so long."""
    for table, read, columns in _read_before(context.plan):
        rows = sizes.get(table.logical, Size()).rows
        if rows < _WORTH_MEASURING or table.source.where is not None:
            continue
        source = _first(table, held)
        sql, placed = source_sql(read, source), table.identity.counts_rows
        speed = _fastest(lambda sql=sql, source=source, columns=columns, placed=placed: _read(  # type: ignore[misc]
            _endpoint(context, source), source, sql, columns=columns, placed=placed
        ))  # fmt: skip
        if speed:
            yield rows / speed


def _read_before(plan: Plan) -> Iterator[tuple[TablePlan, str, int]]:
    """Tables without a key, and the parents of families with the read that fills a lookup table: the table, the
    statement, its columns."""
    for table in plan.keyless_tables:
        yield table, plan.step(table.logical, StepName.CHUNK_READ).statement("whole"), len(table.columns)
    for parent, places in plan.parents.items():
        statement = plan.step(places, StepName.CHUNK_READ).statement("first")
        yield plan.table(parent), statement, len(plan.table(places).columns)


def _chunk(context: Context, connection: Connection[Any], table: TablePlan, held: Sequence[SourceName]) -> float:
    """Rows a second of the table's first chunk, as a task reads it: from the replica that chunks are read from, where
    there is one, which is to spare the source."""
    source = _first(table, held)
    bound, read = (context.plan.step(table.logical, name) for name in (StepName.CHUNK_BOUND, StepName.CHUNK_READ))
    high = ChunkEnds(bound, source, connection, most_bytes=_MOST_BYTES).after(None, FIRST_ROWS)
    sql = source_sql(read.statement("all" if high is None else "up_to"), source)
    columns, placed = len(table.source.reads), table.placement.is_read
    endpoint = context.servers.reader_of(source.database).wait_for(_ANSWER_SECONDS)
    return _read(endpoint, source, sql, columns=columns, placed=placed, high=high)


def _read(
    endpoint: Endpoint,
    source: SourceName,
    sql: str,
    *,
    columns: int,
    placed: bool,
    high: Sequence[str] | None = None,
) -> float:
    with raw_connection(endpoint, source.database) as reader:
        set_key(reader, "sw_high", high)
        began, rows = time.monotonic(), 0
        for count in _counts(reader, sql, columns=columns, placed=placed):
            rows += count
            if time.monotonic() - began > _MOST_SECONDS:
                break
        return rows / max(time.monotonic() - began, 1e-3)


def _counts(reader: RawConnection, sql: str, *, columns: int, placed: bool) -> Iterator[int]:
    from shardwright.runtime.mysql.text_protocol import stream_rows, stream_rows_by_place  # here: they load Arrow

    if placed:
        yield from (len(rows) for _, rows in stream_rows_by_place(reader, sql, columns=columns))
    else:
        yield from (len(rows) for rows in stream_rows(reader, sql, columns=columns))


def _fastest(measure: Callable[[], float]) -> float:
    """0 where it cannot be measured: what is wrong with the server or the table, other checks and the run say. The
    extra `mysql` has no Arrow to read a chunk with."""
    try:
        return max(measure() for _ in range(_TIMES))
    except (RuntimeFailure, pymysql.err.MySQLError, ModuleNotFoundError):
        return 0.0


def _endpoint(context: Context, source: SourceName) -> Endpoint:
    return context.servers.source_of(source.database).wait_for(_ANSWER_SECONDS)


def _first(table: TablePlan, held: Sequence[SourceName]) -> SourceName:
    return next(source for source in table.sources if source in held)
