"""How busy is a server: how many statements are under way, and how long does a small transaction take?

Runs in the driver; reads one server, and on a shard's server writes one row to measure a commit.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from shardwright.runtime.ledger import heartbeat
from shardwright.runtime.mysql.monitor import Probe
from shardwright.runtime.run.throttle.gauge import Gauge, NoFigure

_RUNNING = "SHOW GLOBAL STATUS LIKE 'Threads_running'"


def threads_running(probe: Probe, limit: int, *, name: str) -> Gauge:
    """Statements under way on the server, with the asking one and those of the copy."""

    def read() -> float:
        rows = probe.ask(_RUNNING)
        if not rows:
            raise NoFigure("it has no Threads_running")
        return float(rows[0][1])

    return Gauge(name, limit, read, f"has more than {limit} running statements", "is less busy", "threads_running")


def commit_latency(probe: Probe, limit_seconds: float, *, name: str) -> Gauge:
    """The time for a transaction of one row in the monitor's database, with its commit."""
    beat = _Beat(probe)
    took = f"takes more than {limit_seconds * 1000:.0f} ms for a transaction of one row"
    return Gauge(name, limit_seconds, beat.seconds, took, "commits faster", "commit_latency")


@dataclass
class _Beat:
    probe: Probe
    _has_table: bool = field(init=False, default=False)

    def seconds(self) -> float:
        if not self._has_table:
            self.probe.write(heartbeat.TABLE)
            self._has_table = True
        self.probe.ask("DO 0")  # connects if needed, so that the time to connect is not measured
        began = time.monotonic()
        self.probe.write(heartbeat.BEAT)
        return time.monotonic() - began
