"""Would a run of a begun migration start over its ledgers? It asks what `run` asks before it takes the fencing token.

Runs in the driver; reads the ledgers of all shards and the sources.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.ledger.fencing import is_alive
from shardwright.runtime.mysql.check import Check, Verdict
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.run.may_start import require_may_start
from shardwright.runtime.run.order import RunOrder, Until
from shardwright.runtime.run.preflight.tolerance import read_state
from shardwright.runtime.run.progress.listeners import Reporter
from shardwright.runtime.run.source_outage import IsolatedSources
from shardwright.runtime.sources.open import open_sources
from shardwright.specs.environment.environment import Environment

_NAME: Final = "ledgers"


def ledger_checks(plan: Plan, servers: Servers, environment: Environment) -> Iterator[Check]:
    """Nothing before the migration has begun. While a run is connected its ledgers move, and it has asked itself."""
    state = read_state(plan, servers)
    if state is None:
        return
    with closing(servers.connect_shard(0)) as control:
        if is_alive(control, role="data"):
            yield Check(_NAME, "", Verdict.OK, "a run is connected")
            return
    order = RunOrder(plan, servers, environment, Reporter([]), Until.FOREVER, threading.Event())
    aside = IsolatedSources(lambda _line: None)
    try:
        sources = open_sources(plan, servers, environment)
        if plan.unavailable_source != "stop":
            sources = aside.healthy(sources, state)
        require_may_start(order, sources, aside=aside.failures)
    except RuntimeFailure as failure:
        verdict = Verdict.REFUSED if isinstance(failure, Refused) else Verdict.UNKNOWN
        yield Check(_NAME, "", verdict, failure.message, code=failure.code)
        return
    yield Check(_NAME, "", Verdict.OK, "whole on all shards")
