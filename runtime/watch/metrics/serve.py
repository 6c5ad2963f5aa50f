"""How are metrics served, and printed? On a port without a password and without TLS, as Prometheus expects it.

Runs in the process of the command, with a thread for each scrape; listens on the address that it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Metric, disable_created_metrics, generate_latest, start_http_server

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.watch.metrics.collector import ObservedMetrics, metrics_of
from shardwright.runtime.watch.newest import Newest
from shardwright.runtime.watch.observation import Observation


def registry_of(newest: Iterable[Newest[Observation]]) -> CollectorRegistry:
    """The metrics of observations, one of each migration, which scrapes begin."""
    disable_created_metrics()  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    registry.register(ObservedMetrics(tuple(newest)))
    return registry


@contextmanager
def serve(registry: CollectorRegistry, host: str, port: int) -> Iterator[None]:
    """Within, the metrics are at http://host:port/metrics. Raises RuntimeFailure (SW8055) where that cannot be."""
    try:
        server, _ = start_http_server(port, addr=host, registry=registry)
    except OSError as error:
        raise RuntimeFailure(
            "SW8055",
            f"cannot serve metrics on {host}:{port}: {error.strerror or error}: choose another port or address",
        ) from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


class _FixedObservations:
    """A collector of what was observed before."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        self._observations = tuple(observations)

    def collect(self) -> Iterator[Metric]:
        return metrics_of(self._observations)


def text_of(observations: Iterable[Observation]) -> str:
    """The text format of Prometheus, which its textfile collector reads, too."""
    registry = CollectorRegistry()
    registry.register(_FixedObservations(observations))
    return generate_latest(registry).decode("utf-8")
