"""Does a begun migration go on with this plan? Runs in the driver; reads the first shard's ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Check, Verdict
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.run.adopt_plan import require_plan
from shardwright.runtime.run.new_parents import require_empty_parents
from shardwright.runtime.run.preflight.tolerance import read_state

_NAME = "begun migration"


def check_started_plan(plan: Plan, servers: Servers) -> Iterator[Check]:
    """Nothing before the migration has begun. What a run needs an option for is refused, with the option's name."""
    where = str(servers.shards[0])
    try:
        state = read_state(plan, servers)
    except Refused as refused:
        yield Check(_NAME, where, Verdict.REFUSED, refused.message, code=refused.code)
        return
    if state is None:
        return
    with closing(servers.connect_shard(0)) as control:
        try:
            adoption = require_plan(plan, control, state)
            if adoption is not None:
                require_empty_parents(plan, servers, adoption, state.position)
        except Refused as refused:
            yield Check(_NAME, where, Verdict.REFUSED, refused.message, code=refused.code)
            return
    found = f"it runs with plan {plan.fingerprint}"
    if adoption is not None:
        found = f"it continues with plan {plan.fingerprint} instead of {adoption.instead_of}: {adoption.because}"
    yield Check(_NAME, where, Verdict.OK, found)
