"""May a batch be written, may chunks begin? All reasons to wait that an environment file names, as two questions.

Runs in the driver; asks source servers, shards and replicas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.events.event import Emit
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.monitor import Probe
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.run.throttle.busy_servers import commit_latency, threads_running
from shardwright.runtime.run.throttle.gauge import Gauge
from shardwright.runtime.run.throttle.operator_order import OperatorOrder
from shardwright.runtime.run.throttle.pace import Caps, Pace
from shardwright.runtime.run.throttle.replica_lag import replica_gauges
from shardwright.runtime.run.throttle.source_commits import source_commit_latency
from shardwright.runtime.run.throttle.throttler import Throttler
from shardwright.specs.environment.environment import Environment, ThrottleSettings


@dataclass
class Throttle:
    """All waits of a run. A busy source holds up only the copy: the stream must not fall behind the source's log."""

    writing: Throttler
    """Holds up the copy and the stream."""
    copying: Throttler
    """Holds up the copy alone."""
    pace: Pace
    """The caps of the copy."""
    order: OperatorOrder
    """The operator's order, one of the signals of `writing`."""
    ending: Callable[[], bool]
    """Whether the run is being stopped."""
    probes: Sequence[Probe]
    """The connections to source servers and shards, which `close` closes."""

    def may_write(self) -> bool:
        """Waits until a batch may be written or the run is being stopped. Returns whether it may be written."""
        self.writing.wait()
        return not self.ending()

    def may_copy(self) -> None:
        """Waits until chunks may begin or the run is being stopped."""
        while not self.ending():
            self.writing.wait()
            waited = self.copying.wait()
            if not self.pace.wait() and not waited:
                return

    def close(self) -> None:
        self.order.close()
        for probe in self.probes:
            probe.close()


def throttle_of(
    context: RunContext,
    environment: Environment,
    *,
    environ: Mapping[str, str],
    ending: Callable[[], bool],
    meanwhile: Callable[[], None] = lambda: None,
) -> Throttle:
    """Makes the throttle, which listens for orders from now on. The caller closes it.

    Raises Unreachable (SW7003) for a secret that does not exist.
    """
    settings, servers, emit = throttle_settings(environment, context.plan), context.servers, context.emit
    first_shard = Probe(servers.shards[0], servers.databases[0])
    resume = f"shardwright control resume --env {environment.name}"
    order = OperatorOrder(first_shard, context.migration, resume, emit)
    shards, sources = shard_probes(servers), source_probes(servers)
    replicas = replica_gauges(environment, settings.replicas, environ)
    source_replicas = replica_gauges(environment, settings.source_replicas, environ)
    order.listen()
    return Throttle(
        writing=Throttler("writing", [order, *replicas, *shard_gauges(settings, shards)], emit, ending, meanwhile),
        copying=Throttler("copying", [*source_replicas, *source_gauges(settings, sources)], emit, ending),
        pace=Pace(lambda: _caps(order, settings), emit, ending),
        order=order,
        ending=ending,
        probes=[*shards.values(), *sources.values()],
    )


@contextmanager
def throttle_comparison(
    plan: Plan,
    servers: Servers,
    environment: Environment,
    *,
    environ: Mapping[str, str],
    emit: Emit,
) -> Iterator[Callable[[], object]]:
    """Within, a function waits until no server that is compared is busy and no replica lags, by the same limits that
    hold up the copy. Raises Unreachable (SW7003) for a secret that does not exist."""
    # How long a commit takes is measured by a write, and an account that compares may only read.
    settings = replace(throttle_settings(environment, plan), commit_latency_seconds=None)
    shards, sources = shard_probes(servers), source_probes(servers)
    signals = [
        *replica_gauges(environment, settings.replicas, environ),
        *replica_gauges(environment, settings.source_replicas, environ),
        *shard_gauges(settings, shards),
        *source_gauges(settings, sources),
    ]
    try:
        yield Throttler("comparing", signals, emit, lambda: False).wait
    finally:
        for probe in (*shards.values(), *sources.values()):
            probe.close()


def throttle_settings(environment: Environment, plan: Plan) -> ThrottleSettings:
    """Those of the plan's direction: on the way back the shards are the source."""
    return environment.throttle.swap_sides() if plan.direction.reads_shards else environment.throttle


def _caps(order: OperatorOrder, settings: ThrottleSettings) -> Caps:
    """The present caps. An operator's order replaces the environment file's values."""
    ordered = order.look()
    return (
        settings.rows_per_second if ordered.rows_per_second is None else ordered.rows_per_second,
        settings.bytes_per_second if ordered.bytes_per_second is None else ordered.bytes_per_second,
    )


def shard_probes(servers: Servers) -> dict[str, Probe]:
    """A monitor for each server of shards, in one of our databases there, by the server's description."""
    first: dict[Endpoint, str] = {}
    for endpoint, database in zip(servers.shards, servers.databases, strict=True):
        first.setdefault(endpoint, database)
    return {f"server {endpoint}": Probe(endpoint, database) for endpoint, database in first.items()}


def source_probes(servers: Servers) -> dict[str, Probe]:
    return {f"source {name} ({endpoint})": Probe(endpoint) for name, endpoint in servers.sources.items()}


def shard_gauges(settings: ThrottleSettings, probes: Mapping[str, Probe]) -> list[Gauge]:
    found: list[Gauge] = []
    for name, probe in probes.items():
        if settings.threads_running is not None:
            found.append(threads_running(probe, settings.threads_running, name=name))
        if settings.commit_latency_seconds is not None:
            found.append(commit_latency(probe, settings.commit_latency_seconds, name=name))
    return found


def source_gauges(settings: ThrottleSettings, probes: Mapping[str, Probe]) -> list[Gauge]:
    found: list[Gauge] = []
    for name, probe in probes.items():
        if settings.source_threads_running is not None:
            found.append(threads_running(probe, settings.source_threads_running, name=name))
        if settings.source_commit_latency_seconds is not None:
            found.append(source_commit_latency(probe, settings.source_commit_latency_seconds, name=name))
    return found
