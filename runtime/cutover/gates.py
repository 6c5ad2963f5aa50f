"""May a cutover begin? What must hold before users' writes are stopped, each as a check with its remedy.

Runs in the driver; reads ledgers, shards and source servers. It writes nothing but a marker at a source whose changes
are read from a queue.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.steps import tables_written_back
from shardwright.runtime.cutover.ways import Way, Ways
from shardwright.runtime.ddl.tables.drift import find_drift
from shardwright.runtime.ledger.batches import MigrationState, has_followed, read_migration
from shardwright.runtime.ledger.cutover import backward_ones
from shardwright.runtime.ledger.cutover_state import cutovers_in_force
from shardwright.runtime.ledger.databases import find_migrations_onto
from shardwright.runtime.ledger.ddl_lock import find_blocking_ddl
from shardwright.runtime.ledger.dead_letters import count_quarantined
from shardwright.runtime.ledger.fencing import is_alive, others_alive
from shardwright.runtime.ledger.orders import read_order
from shardwright.runtime.ledger.stream_ddl import read_recorded_plans
from shardwright.runtime.ledger.takeover import was_ended_by_cutover
from shardwright.runtime.mysql.check import Check, Fault, Verdict, judge_faults
from shardwright.runtime.mysql.errors import BAD_DB, STATEMENT_DENIED
from shardwright.runtime.mysql.servers import connect, ledger_database_of
from shardwright.runtime.mysql.transactions import as_any, if_there
from shardwright.runtime.run.preflight.context import demands_of
from shardwright.runtime.run.preflight.grants import source_grants
from shardwright.runtime.run.preflight.preflight import checks
from shardwright.runtime.run.preflight.tolerance import Tolerance
from shardwright.runtime.sources.binlog.source import LogStream, log_streams
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources, has_reached, head_position, mark_position, sources_at

_LOOK_EVERY: Final = 0.05
_BEGINS_WITHIN: Final = 2.0
"""Seconds. A run that begins has its fencing token a moment before its connection is on record."""


def gates(ways: Ways, current: Way, *, dry_run: bool) -> Iterator[Check]:
    """Of the cutover away from `current`. The fence and the proof have their own checks. In a `dry_run` not even a
    marker is written."""
    following = ways.other(current)
    yield from judge_faults("earlier migrations", "", _earlier(ways.forward), otherwise="none works on the source")
    yield from judge_faults("other ways back", "", _ways_back_into(current), otherwise=f"none into the {current.side}")
    for log in _logs_of_queues(ways.forward):
        with closing(connect(log.endpoint)) as connection:
            faults = list(source_grants(connection, str(log.endpoint)))
        yield from judge_faults("log beside the queue", log.name, faults, otherwise="can be read for late writes")
    streams = list(stream_checks(current, dry_run=dry_run))
    yield from streams
    if any(check.verdict is not Verdict.OK for check in streams if check.name == "stream"):
        return
    shards = ways.forward
    drift = find_drift(shards.plan, connect=shards.servers.connect_shard_of)
    drifted = [one for table in drift for group in table.groups for one in group.tables]
    named = ", ".join(f"{one.database}.{one.table}" for one in drifted[:3])
    different = Fault("SW8923", f"tables of the shards differ from their definition: {named}", "`ddl plan --drift`")
    yield from judge_faults("definitions", "", [different] if drifted else [], otherwise="equal on all shards")
    demands = replace(demands_of(following.environment), drops_triggers=True)
    next_preflight = checks(following.plan, following.servers.patient(), Tolerance.ANY, demands)
    yield from (check for check in next_preflight if check.verdict is not Verdict.OK)
    if all(check.verdict in (Verdict.OK, Verdict.WARNING) for check in next_preflight):
        yield Check("preflight", "", Verdict.OK, f"a {following.plan.direction} run may start")


def stream_checks(current: Way, *, dry_run: bool = False, restarts: bool = False) -> Iterator[Check]:
    """Does a run follow the direction, and how far is it behind? Without the second answer where the first is no.
    `restarts`: this command has made the run begin again, so one will be there."""
    with closing(current.control()) as control:
        state = if_there(lambda: read_migration(control, current.plan.migration))
        faults = list(_stream(current, control, state, waits=not dry_run, restarts=restarts))
        yield from judge_faults("stream", "", faults, otherwise="a run follows it, and there are no dead letters")
        if state is None or faults:
            return
        lag = _lag(current, control, marked=not dry_run)
        yield from judge_faults("lag", "", lag, otherwise=f"below {_seconds(_max_lag(current))}")


def _logs_of_queues(way: Way) -> Sequence[LogStream]:
    read = {log.name for log in log_streams(way.sources)}
    return [log for log in way.logs if log.name not in read]


def _earlier(forward: Way) -> Iterator[Fault]:
    """Of migrations whose shards are the source of this one. Their way back would bring on what ours brings back, and
    their run would write behind our fence."""
    for database in sorted(forward.servers.source_databases):
        with closing(forward.servers.connect_source(database)) as connection:
            for migration, state in cutovers_in_force(connection):
                yield Fault(
                    "SW8930",
                    f"the way back of {migration}, whose shard {database} is, is still in force (state {state})",
                    f"`shardwright cutover finish --migration {migration}`, with its own environment",
                )
            for migration in sorted(if_there(lambda: others_alive(connection)) or ()):
                yield Fault("SW8930", f"a run of {migration} writes to {database}", "end that run")
            yield from _with_own_ledgers(forward, connection, database)


def _with_own_ledgers(forward: Way, connection: Connection[Any], database: str) -> Iterator[Fault]:
    """The same of those whose ledgers are in databases of their own, on the server of their first shard."""
    besides = tuple(forward.servers.source_databases)
    for migration, ledger in find_migrations_onto(connection, database, besides=besides):
        if migration == forward.plan.migration:
            continue
        there = dict(cutovers_in_force(connection))
        if migration in there:
            yield Fault(
                "SW8930",
                f"the way back of {migration}, whose shard {database} is, is still in force (state "
                f"{there[migration]}, ledger in {ledger})",
                f"`shardwright cutover finish --migration {migration}`, with its own environment",
            )
        if migration in (if_there(lambda: others_alive(connection)) or ()):
            yield Fault("SW8930", f"a run of {migration} writes to {database}", "end that run")


def _ways_back_into(current: Way) -> Iterator[Fault]:
    """Of other migrations that were cut over from the same tables: their way back writes there, and our own account
    passes the fence. Their ledgers are beside each database."""
    ours = frozenset(str(source) for table in current.plan.tables for source in table.sources)
    for database in sorted(current.servers.source_databases):
        with closing(current.servers.connect_source(database)) as connection:
            if not _is_there(connection, ledger_database_of(database)):
                continue
            in_force = backward_ones(connection)
            for migration, recorded in sorted(read_recorded_plans(connection).items()):
                shared = sorted(ours & tables_written_back(recorded))
                if shared and migration in in_force and migration != current.plan.migration:
                    yield Fault(
                        "SW8945",
                        f"the way back of migration {migration} writes {shared[0]}, and no fence stops it",
                        f"`shardwright cutover rollback` or `finish` with --migration {migration}",
                    )


def _is_there(connection: Connection[Any], database: str) -> bool:
    """Changes to the database. Where there is none, or none that we could write, our account writes no way back."""
    try:
        as_any(connection).select_db(database)
    except pymysql.err.MySQLError as error:
        if error.args[0] not in (BAD_DB, *STATEMENT_DENIED):
            raise
        return False
    return True


def _stream(
    current: Way, control: Connection[Any], state: MigrationState | None, *, waits: bool, restarts: bool
) -> Iterator[Fault]:
    migration = current.plan.migration
    if state is None:
        yield Fault("SW8917", f"migration {migration} has not begun here", "`shardwright run`, and `verify`")
        return
    if state.is_copying(current.sources):
        yield Fault("SW8917", "rows are still being copied", "wait until `status` says that the snapshot is complete")
    yield from _run(current, control, waits=waits, restarts=restarts)
    order = read_order(control, migration)
    if order.paused:
        yield Fault("SW8917", f"{migration} is {order.pause_sentence}", "`shardwright control resume`")
    held = count_quarantined(control, migration, within=_max_lag(current))
    if held:
        yield Fault("SW8919", f"{held} rows are dead letters", "`shardwright dead-letters list`, then retry or discard")
    longest = max((table.deletes.delay or 0 for table in current.plan.tables), default=0)
    if longest and (state.snapshot_age is None or state.snapshot_age < longest):
        yield Fault("SW8917", f"deletes are still remembered ({longest:g} s after the copy)", "wait until then")
    for blocking in find_blocking_ddl(current.servers, migration):
        yield Fault("SW8917", f"the stream waits: {blocking}", "wait until it has ended")


def _run(current: Way, control: Connection[Any], *, waits: bool, restarts: bool) -> Iterator[Fault]:
    """A run that is there, and that has finished a batch since it started: writers would wait for what Spark plans
    first. `waits`: for a run that starts, or that turns round behind a switch."""
    migration = current.plan.migration
    began = time.monotonic()
    until = began + (_max_lag(current) if waits else 0.0)
    while not (is_connected := is_alive(control, role="data")) or not has_followed(control, migration):
        may_come = is_connected or restarts or time.monotonic() < began + _BEGINS_WITHIN
        if time.monotonic() <= until and (may_come or was_ended_by_cutover(current.servers)):
            time.sleep(_LOOK_EVERY)
        elif is_connected:
            found = f"the run of {migration} has not finished a batch since it started"
            yield Fault("SW8917", found, "wait until it says that it has")
            return
        else:
            yield Fault("SW8917", f"no run of {migration} is connected", "start `shardwright run --until forever`")
            return


def _lag(current: Way, control: Connection[Any], *, marked: bool) -> Iterator[Fault]:
    """How long the stream takes to get to where the logs end now; through a queue, how long a marker takes."""
    allowed = _max_lag(current)
    state = read_migration(control, current.plan.migration)
    assert state is not None
    sources = sources_at(current.sources, state.position)
    head = (mark_position if marked else head_position)(sources)
    began = time.monotonic()  # not before: to ask a queue for its partitions starts Spark
    while not has_reached(sources, state.position, head):
        if time.monotonic() - began > allowed:
            yield _too_slow(sources, head, state, allowed)
            return
        time.sleep(_LOOK_EVERY)
        state = read_migration(control, current.plan.migration)
        assert state is not None


def _too_slow(sources: Sources, head: StreamPosition, state: MigrationState, allowed: float) -> Fault:
    for source in sources:
        part, check = head.parts[source.name], source.producer_check
        if check is not None and not source.has_reached(state.position.parts[source.name], part):
            return Fault("SW8920", f"{part} has not come through within {_seconds(allowed)}", check)
    found = f"the stream has not reached {head} within {_seconds(allowed)}"
    return Fault("SW8918", found, "wait until it is caught up, or allow more with cutover.max_lag")


def _max_lag(current: Way) -> float:
    """Through a queue, the maximum delivery delay comes on top."""
    return current.environment.cutover.max_lag_seconds + max(source.settle_seconds for source in current.sources)


def _seconds(value: float) -> str:
    return f"{value:g} s"
