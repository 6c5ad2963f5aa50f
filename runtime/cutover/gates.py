"""May a cutover begin? What must hold before users' writes are stopped, each as a check with its remedy.

Runs in the driver; reads ledgers, shards and source servers, writes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.cutover.ways import Way, Ways
from shardwright.runtime.ddl.tables.drift import find_drift
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.batches import MigrationState, read_migration
from shardwright.runtime.ledger.cutover_state import cutovers_in_force
from shardwright.runtime.ledger.ddl_lock import blocking_ddl
from shardwright.runtime.ledger.dead_letters import held_rows
from shardwright.runtime.ledger.fencing import is_alive, others_alive
from shardwright.runtime.ledger.orders import read_order
from shardwright.runtime.mysql.check import Check, Fault, Verdict, judged
from shardwright.runtime.mysql.transactions import if_there
from shardwright.runtime.run.preflight.context import demands_of
from shardwright.runtime.run.preflight.preflight import checks
from shardwright.runtime.run.preflight.tolerance import Tolerance
from shardwright.runtime.sources.binlog.source import LogStream
from shardwright.runtime.sources.resumable import sources_at
from shardwright.runtime.sources.source import head_position

_LOOK_EVERY: Final = 0.05


def gates(ways: Ways, current: Way) -> Iterator[Check]:
    """Of the cutover away from `current`. The fence and the proof have their own checks."""
    following = ways.other(current)
    yield from judged("earlier migrations", "", _earlier(ways.forward), otherwise="none works on the source")
    yield from judged("stream's place", "", _place(ways), otherwise="the logs of all servers")
    with closing(current.control()) as control:
        state = if_there(lambda: read_migration(control, ways.migration))
        faults = list(_stream(current, control, state))
        yield from judged("stream", "", faults, otherwise="a run follows it, and there are no dead letters")
        if state is None or faults:
            return
        yield from judged("lag", "", _lag(current, control), otherwise=f"below {_seconds(_max_lag(current))}")
    shards = ways.forward
    drift = find_drift(
        shards.plan, connect=lambda name: shards.servers.connect_shard(shards.plan.databases.index(name))
    )
    strays = [stray for table in drift for group in table.groups for stray in group.strays]
    named = ", ".join(f"{stray.database}.{stray.table}" for stray in strays[:3])
    different = Fault("SW8923", f"tables of the shards differ from their definition: {named}", "`ddl plan --drift`")
    yield from judged("definitions", "", [different] if strays else [], otherwise="equal on all shards")
    next_preflight = checks(
        following.plan, following.servers.patient(), Tolerance.ANY, demands_of(following.environment)
    )
    yield from (check for check in next_preflight if check.verdict is not Verdict.OK)
    if all(check.verdict in (Verdict.OK, Verdict.WARNING) for check in next_preflight):
        yield Check("preflight", "", Verdict.OK, f"a {following.plan.direction} run may start")


def require_way_back(plan: Plan) -> None:
    """Raises Refused (SW8922) with every column for which there is none. `plan` is the forward one."""
    lost = [
        f"{table.logical}.{way.column}" if way.column else table.logical
        for table in plan.tables
        for way in table.way_back
        if way.closes
    ]
    if lost:
        raise Refused(
            "SW8922",
            f"there is no way back for {', '.join(lost)}: say under `backward` of the table in the spec what becomes "
            "of it (values, one_way), and compile; summary.md of the plan has the reasons",
        )


def _earlier(forward: Way) -> Iterator[Fault]:
    """Of migrations whose shards are the source of this one. Their way back would bring on what ours brings back, and
    their run would write behind our fence."""
    for database in sorted(forward.servers.source_databases):
        with closing(forward.servers.connect_source(database)) as connection:
            for migration, state in cutovers_in_force(connection):
                yield Fault(
                    "SW8927",
                    f"the way back of {migration}, whose shard {database} is, is still in force (state {state})",
                    f"`shardwright cutover finish --migration {migration}`, with its own environment",
                )
            for migration in sorted(if_there(lambda: others_alive(connection)) or ()):
                yield Fault("SW8927", f"a run of {migration} writes to {database}", "end that run")


def _place(ways: Ways) -> Iterator[Fault]:
    for way in (ways.forward, ways.backward):
        for source in way.sources:
            if not isinstance(source, LogStream):
                yield Fault(
                    "SW8920",
                    f"changes of {source.name} are read from a queue, and a cutover follows logs only",
                    "read the stream from the log (`stream` of the environment file)",
                )


def _stream(current: Way, control: Connection[Any], state: MigrationState | None) -> Iterator[Fault]:
    migration = current.plan.migration
    if state is None:
        yield Fault("SW8917", f"migration {migration} has not begun here", "`shardwright run`, and `verify`")
        return
    if state.copying:
        yield Fault("SW8917", "rows are still being copied", "wait until `status` says that the snapshot is complete")
    if not is_alive(control, role="data"):
        yield Fault("SW8917", f"no run of {migration} is connected", "start `shardwright run --until forever`")
    order = read_order(control, migration)
    if order.paused:
        yield Fault("SW8917", f"{migration} is {order.pause_sentence}", "`shardwright control resume`")
    held = held_rows(control, migration)
    if held:
        yield Fault("SW8919", f"{held} rows are dead letters", "`shardwright dead-letters list`, then retry or discard")
    longest = max((table.delete_delay or 0 for table in current.plan.tables), default=0)
    if longest and (state.snapshot_age is None or state.snapshot_age < longest):
        yield Fault("SW8917", f"deletes are still remembered ({longest:g} s after the copy)", "wait until then")
    for blocking in blocking_ddl(current.servers, migration):
        yield Fault("SW8917", f"the stream waits: {blocking}", "wait until it has ended")


def _lag(current: Way, control: Connection[Any]) -> Iterator[Fault]:
    """How long the stream takes to get to where the logs end now."""
    allowed, began = _max_lag(current), time.monotonic()
    state = read_migration(control, current.plan.migration)
    assert state is not None
    head = head_position(sources_at(current.sources, state.position))
    while not state.position.reached(head):
        if time.monotonic() - began > allowed:
            found = f"the stream has not reached {head} within {_seconds(allowed)}"
            yield Fault("SW8918", found, "wait until it is caught up, or allow more with cutover.max_lag")
            return
        time.sleep(_LOOK_EVERY)
        state = read_migration(control, current.plan.migration)
        assert state is not None


def _max_lag(current: Way) -> float:
    return current.environment.cutover.max_lag_seconds


def _seconds(value: float) -> str:
    return f"{value:g} s"
