"""How do observations become metrics when someone scrapes? A scrape gets the newest observation that is there.

Runs in the process that serves metrics. An observation is begun by a scrape, in a thread of its own, and at most once
in FRESH_SECONDS: servers are asked no more often, however many scrape. A scrape waits for it no longer than
WAIT_SECONDS: a server that is away holds up no scrape.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Final

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily

from shardwright.runtime.watch.metrics.families import OBSERVED, Family
from shardwright.runtime.watch.metrics.samples import samples
from shardwright.runtime.watch.observation import Observation

FRESH_SECONDS: Final = 5.0
WAIT_SECONDS: Final = 1.0


@dataclass
class Newest:
    """The newest observation of one migration."""

    observe: Callable[[], Observation]
    """Asks ledgers and servers. Is called by one thread at a time."""
    found: Observation | None = field(init=False, default=None)
    """None before the first."""
    _begun_at: float = field(init=False, default=float("-inf"))
    _done: threading.Event = field(init=False, default_factory=threading.Event)
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._done.set()

    def refresh(self) -> None:
        """Begins an observation, unless one is in progress or fresh."""
        with self._lock:
            if not self._done.is_set() or time.monotonic() - self._begun_at < FRESH_SECONDS:
                return
            self._begun_at = time.monotonic()
            self._done.clear()
        threading.Thread(target=self._observe, name="observe", daemon=True).start()

    def wait(self, until: float) -> None:
        """Until the observation in progress has ended, or `until` on the monotonic clock."""
        self._done.wait(max(0.0, until - time.monotonic()))

    def _observe(self) -> None:
        try:
            self.found = self.observe()
        finally:
            self._done.set()


@dataclass(eq=False)
class ObservedMetrics:
    """A collector of `prometheus_client`."""

    newest: tuple[Newest, ...]
    """One for each migration."""

    def collect(self) -> Iterator[Metric]:
        for one in self.newest:
            one.refresh()
        until = time.monotonic() + WAIT_SECONDS
        for one in self.newest:
            one.wait(until)
        return metrics_of([one.found for one in self.newest if one.found is not None])


def metrics_of(observations: Iterable[Observation]) -> Iterator[Metric]:
    """Families without a value are left out."""
    found = {family.name: _gauge(family) for family in OBSERVED}
    found["build_info"].add_metric([version("shardwright")], 1.0)
    for observation in observations:
        for sample in samples(observation):
            found[sample.name].add_metric([observation.migration, *sample.labels], float(sample.value))
    return (metric for metric in found.values() if metric.samples)


def _gauge(family: Family) -> GaugeMetricFamily:
    return GaugeMetricFamily(family.full_name, family.help, labels=family.label_names)
