"""Does the source's log outlive what has to be read from it later (hazard B4)? The stream is followed while rows are
copied. So the log must outlive what is read before the stream begins, and any time in which no run is under way.

Runs in the driver; reads one source server.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.mysql.check import Check, Verdict, warn
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.run.log_retention import ROWS_PER_SECOND, Retention, read_retention, span
from shardwright.runtime.run.preflight.context import Context, Size, measure
from shardwright.runtime.run.preflight.copy_forecast import CopyForecast, forecast_copy
from shardwright.runtime.sources.binlog.place import creation_time

RETENTION: Final = "log retention"
GONE: Final = "SW8497"

_DAY: Final = 86_400.0
_FILES_LOOKED_AT: Final = 4


@dataclass(frozen=True, slots=True)
class Turnover:
    """How fast a server fills its log, by the last files that are full."""

    seconds: float
    """The longest time that one of them was written to."""
    bytes: int
    """The size of the smallest."""


def retention(context: Context, connection: Connection[Any], held: Sequence[SourceName], where: str) -> Iterator[Check]:
    """Fills in `context.sizes`. Rows are read for a forecast only while the migration has not begun."""
    logical = {name: table.logical for table in context.plan.tables for name in table.sources if name in set(held)}
    sizes = measure(connection, logical)
    for name, size in sizes.items():
        context.sizes[name] = context.sizes.get(name, Size()) + size
    kept = read_retention(connection)
    nothing = CopyForecast(0.0, 0.0, "not measured")
    forecast = nothing if context.has_begun else forecast_copy(context, connection, held, sizes)
    turnover = None
    if forecast.at_rest:
        turnover = log_turnover(connection, context.servers.source_of(held[0].database))
    rows = sum(size.rows for size in sizes.values())
    yield judge_retention(kept, forecast, rows=rows, turnover=turnover, where=where)


def judge_retention(
    kept: Retention, forecast: CopyForecast, *, rows: int, turnover: Turnover | None, where: str
) -> Check:
    """Refused where the start position would surely be gone before the stream reads it; a warning where the log may not
    outlive the copy, or a night in which no run is under way."""
    copying = max(rows / ROWS_PER_SECOND, forecast.at_least)
    needed = max(7 * _DAY, 2 * copying, 2 * forecast.at_rest)
    wanted = f"SET GLOBAL binlog_expire_logs_seconds = {needed:.0f}"
    if kept.by_rds:
        wanted = f"CALL mysql.rds_set_configuration('binlog retention hours', {ceil(needed / 3600)})"
    stays = stays_at_most(kept, turnover)
    if stays is not None and stays < forecast.at_rest:
        found = (
            f"the log's files are gone after {span(stays)}, and tables are read for {span(forecast.at_rest)} at the "
            "least before the stream begins: it could not be read from the start position"
        )
        limit = "" if kept.bytes is None else ", and raise the limit of the log's size"
        return Check(RETENTION, where, Verdict.REFUSED, found, wanted + limit, GONE)
    least = f" (at least {span(forecast.at_least)}: {forecast.how})" if forecast.at_least else ""
    said = f"kept for {'ever' if kept.seconds is None else span(kept.seconds)}; copying may take {span(copying)}{least}"
    short = kept.seconds is not None and kept.seconds < max(_DAY, copying)
    return warn(RETENTION, where, warning=said if short else None, way_out=wanted, otherwise=said)


def stays_at_most(kept: Retention, turnover: Turnover | None) -> float | None:
    """Seconds after which a position that is the log's end now is surely purged; None: it may stay. The server purges
    when it begins a file: its own file is full by then, and has been closed for as long as files are kept."""
    if turnover is None:
        return None
    by_size = None if kept.bytes is None else turnover.seconds * kept.bytes / max(turnover.bytes, 1)
    limits = [limit for limit in (kept.seconds, by_size) if limit is not None]
    return min(limits) + 2 * turnover.seconds if limits else None


def log_turnover(connection: Connection[Any], endpoint: Endpoint) -> Turnover | None:
    """None where fewer than two files are full: nothing is known then."""
    files = [(str(row[0]), int(row[1])) for row in query(connection, "SHOW BINARY LOGS")][-_FILES_LOOKED_AT:]
    if len(files) < 3:
        return None
    created = [creation_time(endpoint, name) for name, _ in files]
    longest = max(later - earlier for earlier, later in pairwise(created))
    return Turnover(float(max(longest, 1)), min(size for _, size in files[:-1]))
