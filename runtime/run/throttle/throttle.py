"""Everything that an environment file lets copying and writing wait for, as two questions: may a batch be written, may chunks begin?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from shardwright.runtime.mysql.monitor import Probe
from shardwright.runtime.mysql.servers import Address, Servers
from shardwright.runtime.run.throttle.brake import Brake
from shardwright.runtime.run.throttle.busy_servers import commit_latency, threads_running
from shardwright.runtime.run.throttle.gauge import Gauge
from shardwright.runtime.run.throttle.operator_order import StandingOrder
from shardwright.runtime.run.throttle.pace import Caps, Pace
from shardwright.runtime.run.throttle.replica_lag import replica_gauges
from shardwright.runtime.run.throttle.source_commits import source_commit_latency
from shardwright.specs.environment.environment import Environment, ThrottleSettings


@dataclass
class Throttle:
    """`writing` holds up the copy and the stream, `copying` the copy alone: the stream must not fall behind the source's log because the
    source is busy."""

    writing: Brake
    copying: Brake
    pace: Pace
    order: StandingOrder
    ending: Callable[[], bool]
    probes: Sequence[Probe]

    def may_write(self) -> bool:
        """Returns when a batch may be written, or the run is being stopped: whether it may."""
        self.writing.wait()
        return not self.ending()

    def may_copy(self) -> None:
        """Returns when chunks may begin, or the run is being stopped."""
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
    migration: str,
    environment: Environment,
    servers: Servers,
    *,
    environ: Mapping[str, str],
    say: Callable[[str], None],
    ending: Callable[[], bool],
    meanwhile: Callable[[], None] = lambda: None,
) -> Throttle:
    """It listens to orders from now on; whoever takes it closes it. Raises Unreachable (SW7003) for a secret that is not there."""
    settings = environment.throttle
    books = Probe(servers.shards[0], servers.databases[0])
    order = StandingOrder(books, migration, f"shardwright control resume --env {environment.name}", say)
    shards, sources = shard_probes(servers), source_probes(servers)
    replicas = replica_gauges(environment, settings.replicas, environ)
    source_replicas = replica_gauges(environment, settings.source_replicas, environ)
    order.listen()
    return Throttle(
        writing=Brake("writing", [order, *replicas, *shard_gauges(settings, shards)], say, ending, meanwhile),
        copying=Brake("copying", [*source_replicas, *source_gauges(settings, sources)], say, ending),
        pace=Pace(lambda: _caps(order, settings), say, ending),
        order=order,
        ending=ending,
        probes=[*shards.values(), *sources.values()],
    )


def _caps(order: StandingOrder, settings: ThrottleSettings) -> Caps:
    """What an operator orders takes the place of what the environment file says."""
    ordered = order.look().rows_per_second
    return (settings.rows_per_second if ordered is None else ordered, settings.bytes_per_second)


def shard_probes(servers: Servers) -> dict[str, Probe]:
    """One for each server of shards, in a database of ours there, by what the server is called."""
    first: dict[Address, str] = {}
    for address, database in zip(servers.shards, servers.databases, strict=True):
        first.setdefault(address, database)
    return {f"server {address}": Probe(address, database) for address, database in first.items()}


def source_probes(servers: Servers) -> dict[str, Probe]:
    return {f"source {name} ({address})": Probe(address) for name, address in servers.sources.items()}


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
