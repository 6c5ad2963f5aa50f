"""What would a cutover do? In words, for `cutover --dry-run`. Pure."""

from __future__ import annotations

from shardwright.runtime.cutover.fencing import fence_of
from shardwright.runtime.cutover.machine import Limits
from shardwright.runtime.cutover.next_ids import counter_name
from shardwright.runtime.cutover.ways import Way, Ways
from shardwright.runtime.ledger.cutover_state import CutoverState


def steps(ways: Ways, current: Way, state: CutoverState, limits: Limits) -> list[str]:
    """One sentence for each step, in order."""
    following = ways.other(current)
    fence = fence_of(current, state.generation)
    tables = sum(len(names) for databases in current.tables().values() for names in databases.values())
    servers = ", ".join(str(endpoint) for endpoint in current.servers.sources.values())
    opened = [f"lift the fence of the {following.side}"] if following.side in state.fences else []
    hook = ways.environment.cutover.hooks.switched
    calls = [f"call the hook: {hook}"] if hook is not None else []
    return [
        f"compare what has changed since the last whole verify, while applications write to the {current.side}",
        f"fence {tables} tables of the {current.side} ({fence.kind}) on {servers}; kill transactions that are still "
        f"open after {limits.drain_timeout:g} s",
        f"wait until the {current.plan.direction} stream has applied everything up to the end of the logs",
        "compare the rows that changed last, and count the rows of all tables on both sides",
        *(f"set the next number of {ids.title}: {counter_name(current.plan, ids)}" for ids in current.plan.ids),
        f"record where the {following.plan.direction} stream begins, and end the {current.plan.direction} one",
        f"switch: writes go to the {following.side}, generation {state.generation + 1}; if that takes longer than "
        f"{limits.max_pause:g} s from the fence on, lift the fence instead",
        *opened,
        f"write the switch row on {len(ways.forward.servers.databases)} shards and beside "
        f"{len(ways.backward.servers.databases)} source databases",
        *calls,
    ]
