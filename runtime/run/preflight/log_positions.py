"""Does each source's log still have the place from which a begun migration continues (hazards B4, E3)?

Runs in the driver; reads the first shard's ledger and the sources' logs.
"""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.mysql.check import Check, Verdict
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.run.preflight.tolerance import read_state
from shardwright.runtime.sources.binlog.source import logs_at
from shardwright.runtime.sources.open import open_sources
from shardwright.specs.environment.environment import Environment

_NAME = "log position"


def log_positions(plan: Plan, servers: Servers, environment: Environment) -> Iterator[Check]:
    """Nothing before the migration has begun, and nothing of queues. A source that cannot be read is a warning where
    the run would isolate it and continue with the others."""
    state = read_state(plan, servers)
    if state is None:
        return
    sources = open_sources(plan, servers, environment)
    isolates = len(servers.sources) > 1 and state.snapshot_end is not None and plan.unavailable_source != "stop"
    for log, part in logs_at(sources, state.position):
        where = str(log.endpoint)
        try:
            log.probe(part)
        except RuntimeFailure as failure:
            verdict = Verdict.REFUSED if isinstance(failure, Refused) else Verdict.UNKNOWN
            found = f"{failure.message}: the run isolates it" if isolates else failure.message
            yield Check(_NAME, where, Verdict.WARNING if isolates else verdict, found, code=failure.code)
            continue
        yield Check(_NAME, where, Verdict.OK, f"the stream continues at {part}")
