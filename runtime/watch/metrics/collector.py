"""How do observations become metrics when someone scrapes? A scrape gets the newest observation that is there.

Runs in the process that serves metrics. An observation is begun by a scrape, and servers are asked no more often than
`Newest` allows, however many scrape. A scrape waits for it no longer than WAIT_SECONDS: a server that is away holds up
no scrape.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily

from shardwright.runtime.watch.metrics.families import OBSERVED, Family
from shardwright.runtime.watch.metrics.samples import samples
from shardwright.runtime.watch.newest import Newest
from shardwright.runtime.watch.observation import Observation

WAIT_SECONDS: Final = 1.0


@dataclass(eq=False)
class ObservedMetrics:
    """A collector of `prometheus_client`."""

    newest: tuple[Newest[Observation], ...]
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
