"""How do the events of a run become counters? A listener counts them.

Runs in the driver, in whatever thread reports an event; asks no server.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from shardwright.runtime.events.copy import ChunkCopied
from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.run import (
    ExecutorLost,
    Retry,
    RunFailed,
    RunStarted,
    SourceBack,
    SourceIsolated,
    Throttle,
)
from shardwright.runtime.events.stream import (
    BatchApplied,
    CopiedRowsYielded,
    Lag,
    MoreQuarantined,
    RowQuarantined,
    RowsLocked,
    RowsReadAgain,
    SchemaChange,
)
from shardwright.runtime.watch.metrics.families import BATCH_BUCKETS, OF_A_RUN, Family
from shardwright.runtime.watch.metrics.samples import code_label, text_label

_CODE: Final = re.compile(r"SW\d{4}")
_NO_WORD: Final = re.compile(r"\W+")


@dataclass
class RunMetrics:
    """A listener of a run's events. Counters of tables begin with the first event of the table."""

    migration: str
    """The migration's name."""
    registry: CollectorRegistry
    """Gets the metrics."""
    _metrics: dict[str, Any] = field(init=False)
    _sent: dict[str, int] = field(init=False, default_factory=dict)
    """Logical table -> bytes, as the last event of this attempt has them."""
    _holds: set[tuple[str, str]] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self._metrics = {family.name: _metric(family, self.registry) for family in OF_A_RUN}
        self._set("run_start_timestamp_seconds", time.time())
        for family in OF_A_RUN:
            if not family.labels and family.kind != "gauge":
                self._of(family.name)

    def handle(self, event: RunEvent) -> None:
        match event:
            case BatchApplied():
                self._count_batch(event)
            case Lag():
                self._set("run_lag_seconds", event.lag_seconds)
            case ChunkCopied():
                self._count_chunk(event)
            case Throttle():
                self._throttle(event)
            case RunStarted():
                self._set("run_epoch", event.epoch)
                self._begin_attempt()
            case Retry():
                self._add("run_retries_total", 1, code_label(event.code))
                self._add("run_errors_total", 1, code_label(event.code))
                self._begin_attempt()
            case RunFailed():
                self._add("run_errors_total", 1, code_label(event.code))
            case SourceIsolated():
                code = _CODE.match(event.error)
                self._add("run_errors_total", 1, code_label(code[0] if code else ""))
                self._set("run_source_isolated", 1, text_label(event.source))
            case SourceBack():
                self._set("run_source_isolated", 0, text_label(event.source))
            case ExecutorLost():
                self._add("run_lost_executors_total", 1)
            case _:
                self._count_row_events(event)

    def close(self) -> None:
        """The port ends with the process, so that the last scrape sees how the run has ended."""

    def _count_row_events(self, event: RunEvent) -> None:
        match event:
            case RowQuarantined(to_be_read_again=False):
                self._add("run_quarantined_rows_total", 1)
            case MoreQuarantined(to_be_read_again=False):
                self._add("run_quarantined_rows_total", event.rows)
            case RowsReadAgain():
                self._add("run_reread_rows_total", event.rows)
            case CopiedRowsYielded():
                self._add("run_conflicts_total", event.rows, "copied_row")
            case RowsLocked():
                self._add("run_conflicts_total", 1, "row_lock")
            case SchemaChange():
                self._add("run_schema_changes_total", 1, _NO_WORD.sub("_", event.decision))

    def _count_batch(self, event: BatchApplied) -> None:
        self._add("run_batches_total", 1)
        self._of("run_batch_duration_seconds").observe(event.seconds)
        if event.lag_seconds is not None:
            self._set("run_lag_seconds", event.lag_seconds)
        for logical, applied in event.tables.items():
            table = text_label(logical)
            self._add("run_changes_total", applied.events, table)
            self._add("run_rows_total", applied.inserted, table, "insert")
            self._add("run_rows_total", applied.updated, table, "update")
            self._add("run_rows_total", applied.deleted, table, "delete")

    def _count_chunk(self, event: ChunkCopied) -> None:
        table, before = text_label(event.table), self._sent.get(event.table, 0)
        self._sent[event.table] = event.bytes_sent
        self._add("run_chunks_total", 1, table)
        self._add("run_copied_rows_total", event.rows, table)
        self._add("run_copied_bytes_total", max(0, event.bytes_sent - before), table)

    def _throttle(self, event: Throttle) -> None:
        now = set() if event.seconds is not None else {(event.work, kind) for kind in event.kinds or ("other",)}
        before = {hold for hold in self._holds if hold[0] == event.work}
        for hold in before - now:
            self._set("run_throttled", 0, *hold)
        for hold in now:
            self._set("run_throttled", 1, *hold)
        self._holds = (self._holds - before) | now
        if event.seconds is not None:
            self._add("run_throttled_seconds_total", event.seconds, event.work)

    def _begin_attempt(self) -> None:
        """An attempt that has failed reports no end of its pauses, and the next one counts bytes from 0."""
        self._sent.clear()
        for hold in self._holds:
            self._set("run_throttled", 0, *hold)
        self._holds.clear()

    def _of(self, name: str, *labels: str) -> Any:
        return self._metrics[name].labels(self.migration, *labels)

    def _add(self, name: str, amount: float, *labels: str) -> None:
        self._of(name, *labels).inc(amount)

    def _set(self, name: str, value: float, *labels: str) -> None:
        self._of(name, *labels).set(value)


def _metric(family: Family, registry: CollectorRegistry) -> Counter | Gauge | Histogram:
    match family.kind:
        case "counter":
            return Counter(family.full_name, family.help, family.label_names, registry=registry)
        case "gauge":
            return Gauge(family.full_name, family.help, family.label_names, registry=registry)
        case "histogram":
            return Histogram(
                family.full_name, family.help, family.label_names, registry=registry, buckets=BATCH_BUCKETS
            )
