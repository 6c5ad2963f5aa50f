"""How long does a source take to commit what its applications write?

Runs in the driver; reads the source server's performance_schema, because a run writes nothing to a source. Two figures
are read, each as the difference between two samples, and the greater one counts:

* COMMIT statements, whole: with the redo log, the binary log and whatever else they wait for. Statements that commit by
  themselves are not among them.
* A write to the binary log with its sync: for every commit of every session; a group of commits has one.

Not read: the redo log's file (MariaDB does not show it, MySQL syncs it without commits, too), and MySQL's transactions
as a whole, which last as long as an application needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from shardwright.runtime.mysql.monitor import Probe
from shardwright.runtime.run.throttle.gauge import Gauge, NoFigure

COMMIT: Final = "statement/sql/commit"
LOG: Final = "wait/io/file/sql/binlog"
WANTED_GRANT: Final = "SELECT ON performance_schema.*"
HOW_TO_SWITCH_ON: Final = "start it with performance_schema = ON"

Look = dict[str, tuple[int, int]]
"""By instrument: how many there were, and their time in picoseconds."""

_PICOSECONDS: Final = 1e12
SWITCHED_ON: Final = (
    "SELECT name FROM performance_schema.setup_instruments WHERE enabled = 'YES' AND timed = 'YES' "
    f"AND name IN ('{COMMIT}', '{LOG}') AND EXISTS (SELECT 1 FROM performance_schema.setup_consumers "
    "WHERE setup_consumers.name = 'global_instrumentation' AND setup_consumers.enabled = 'YES')"
)
LOOK: Final = (
    "SELECT event_name, count_star, sum_timer_wait FROM "
    f"performance_schema.events_statements_summary_global_by_event_name WHERE event_name = '{COMMIT}' UNION ALL SELECT "
    "event_name, count_write, sum_timer_write + sum_timer_misc FROM performance_schema.file_summary_by_event_name "
    f"WHERE event_name = '{LOG}'"
)


def source_commit_latency(probe: Probe, limit_seconds: float, *, name: str) -> Gauge:
    """The mean time of the commits since the last sample. No commit counts as fast."""
    mean = Mean(lambda: look(probe))
    took = f"takes more than {limit_seconds * 1000:.0f} ms for a commit"
    return Gauge(name, limit_seconds, mean.seconds, took, "commits faster", "commit_latency")


@dataclass
class Mean:
    """The mean between two calls of `seconds`. It is 0 at the first call, and at the first one after a restart."""

    look: Callable[[], Look]
    _last: Look = field(init=False, default_factory=dict)

    def seconds(self) -> float:
        before, self._last = self._last, self.look()
        return max(_means(before, self._last), default=0.0)


def _means(before: Look, now: Look) -> Iterator[float]:
    for name in before.keys() & now.keys():
        count, time = now[name][0] - before[name][0], now[name][1] - before[name][1]
        if count > 0 and time >= 0:
            yield time / count / _PICOSECONDS


def look(probe: Probe) -> Look:
    """A sample. Raises CannotTell where the server does not count, otherwise what `Probe.ask` raises."""
    if missing := why_unknown({str(name) for (name,) in probe.ask(SWITCHED_ON)}):
        raise NoFigure(missing)
    return {str(name): (int(count), int(time)) for name, count, time in probe.ask(LOOK)}


def why_unknown(switched_on: set[str]) -> str:
    """Why the latency is not known, given the instruments that are switched on; empty when it is known."""
    missing = [name for name in (COMMIT, LOG) if name not in switched_on]
    return f"its performance_schema does not count and time {' and '.join(missing)}" if missing else ""
