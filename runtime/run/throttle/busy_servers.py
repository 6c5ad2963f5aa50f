"""How busy a server is: statements under way, and how long a small transaction of ours takes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from shardwright.runtime.mysql.monitor import Probe
from shardwright.runtime.run.throttle.gauge import CannotTell, Gauge

_RUNNING = "SHOW GLOBAL STATUS LIKE 'Threads_running'"
_TABLE = (
    "CREATE TABLE IF NOT EXISTS `_shardwright_probe` (only_row TINYINT NOT NULL PRIMARY KEY, beats BIGINT NOT NULL) "
    "ENGINE=InnoDB"
)
_BEAT = "INSERT INTO `_shardwright_probe` (only_row, beats) VALUES (1, 1) ON DUPLICATE KEY UPDATE beats = beats + 1"
"""Says nothing about data, so it is fenced by no epoch: a run that was replaced may count a beat, too."""


def threads_running(probe: Probe, limit: int, *, name: str) -> Gauge:
    """Statements under way on the server, the one that asks and those of the copy among them."""

    def read() -> float:
        rows = probe.ask(_RUNNING)
        if not rows:
            raise CannotTell("it has no Threads_running")
        return float(rows[0][1])

    return Gauge(name, limit, read, f"has more than {limit} statements under way", "is less busy")


def commit_latency(probe: Probe, limit_seconds: float, *, name: str) -> Gauge:
    """The time for a transaction of one row in the probe's database, its commit included."""
    beat = _Beat(probe)
    took = f"takes more than {limit_seconds * 1000:.0f} ms for a transaction of one row"
    return Gauge(name, limit_seconds, beat.seconds, took, "commits faster")


@dataclass
class _Beat:
    probe: Probe
    _has_table: bool = field(init=False, default=False)

    def seconds(self) -> float:
        if not self._has_table:
            self.probe.write(_TABLE)
            self._has_table = True
        self.probe.ask("DO 0")  # whoever must connect first is not measured
        began = time.monotonic()
        self.probe.write(_BEAT)
        return time.monotonic() - began
