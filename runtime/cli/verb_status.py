"""`status`: how far is a migration? Runs in the process of the command; reads ledgers, sources and replicas."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from shardwright.runtime.cli.all_status import answer_all
from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.next_commands import MigrationFacts, as_json, as_lines
from shardwright.runtime.cli.redraw import redraw
from shardwright.runtime.ddl.tables.deferred_indexes import IndexStatus
from shardwright.runtime.events.time_left import size
from shardwright.runtime.failures import InputAtFault, Refused
from shardwright.runtime.ledger.comparison import Verification
from shardwright.runtime.ledger.orders import Order
from shardwright.runtime.run.status.copy_status import TableStatus
from shardwright.runtime.run.status.status import NOT_BEGUN, ShardStatus, SourceStatus, Status, read_status
from shardwright.runtime.run.throttle.replica_lag import ReplicaState
from shardwright.specs.findings.text_table import text_table


def execute(arguments: argparse.Namespace) -> int:
    if arguments.all and arguments.migration:
        raise InputAtFault("SW8007", "--all shows every migration: leave --migration out")
    if arguments.all:
        return answer_all(arguments)
    deployed = deployment(arguments)
    if arguments.watch is None:
        print(_answer(deployed, arguments))
        return 0
    return redraw(lambda: _answer(deployed, arguments), every=arguments.watch, in_place=arguments.format == "text")


def _answer(home: Deployment, arguments: argparse.Namespace) -> str:
    live = home.live_deployments()
    deployed = live[0]
    try:
        statuses = [read_status(one.plan, one.servers, one.environment) for one in live]
    except Refused as failure:
        if failure.code != NOT_BEGUN:
            raise
        facts = MigrationFacts(begun=False)
        if arguments.format == "text":
            return f"not started: {failure.message}\n{as_lines(facts, arguments)}"
        # The fields that scripts wait for.
        plan = {"migration": deployed.plan.migration, "fingerprint": deployed.plan.fingerprint}
        return _json({**plan, "begun": False, "snapshot_complete": False, "caught_up": False}, facts, arguments)
    status, beside = statuses[0], statuses[1:]
    facts = _facts(status)
    if arguments.format == "json":
        return _json({**asdict(status), "begun": True, "beside": [*map(asdict, beside)]}, facts, arguments)
    return "\n\n".join(filter(None, (*map(_text, statuses), as_lines(facts, arguments))))


def _json(data: dict[str, Any], facts: MigrationFacts, arguments: argparse.Namespace) -> str:
    """One document; one line of it where more of them follow."""
    answer = {**data, "next": as_json(facts, arguments)}
    return json.dumps(answer, indent=2 if arguments.watch is None else None, default=str)


def _facts(status: Status) -> MigrationFacts:
    return MigrationFacts(
        begun=True,
        copied=status.snapshot_complete,
        caught_up=status.caught_up,
        live=status.live,
        paused=status.order.paused,
        rows_held=status.rows_held,
        verified=status.verified is not None and not status.verified.void,
        reads_shards=status.direction.reads_shards,
    )


def _text(status: Status) -> str:
    facts = [
        ("migration", f"{status.migration}, plan {status.fingerprint}"),
        _direction(status),
        ("stream", f"{'caught up' if status.caught_up else 'behind'}, batch {status.batch}"),
        ("in flight", str(status.open_batch or "no batch")),
        ("run", "connected" if status.live else "none is connected"),
        *([("verified", _last_verify(status.verified))] if status.verified else []),
        *(_index(index) for index in status.indexes),
        *_order(status.order),
        *(("waiting", f"the stream waits: {blocking}") for blocking in status.waiting),
        *([("left out", f"{status.left_out}, as our own")] if status.left_out.transactions else []),
        *([("letters", f"{status.rows_held} rows are dead letters")] if status.rows_held else []),
    ]
    sources = [*map(_source, status.sources)]
    shards = [*map(_shard, status.shards), *map(_replica, status.replicas)]
    parts = (text_table(facts), text_table(sources), text_table(shards), _tables(status), _audit(status))
    return "\n\n".join(filter(None, parts))


def _last_verify(last: Verification) -> str:
    found = f"{last.compared_rows:,} rows equal in the comparison of {last.began_at:%Y-%m-%d %H:%M:%S} UTC"
    return f"{found}, which counts no more: {last.void}" if last.void else found


def _direction(status: Status) -> tuple[str, str]:
    if status.direction.reads_shards:
        return "direction", "the way back: the source follows the shards"
    return "snapshot", "complete" if status.snapshot_complete else "in progress"


def _tables(status: Status) -> str:
    estimate = "" if status.snapshot_complete else "estimated total"
    header = ("table", "chunks", "rows copied", "tombstones", estimate)
    rows = [
        (
            table.table,
            f"{table.chunks_done}/{table.chunks_planned}",
            str(table.rows_copied),
            "" if table.tombstones is None else str(table.tombstones),
            _progress(table),
        )
        for table in status.tables
    ]
    grid = text_table(rows, header=header, right=(1, 2, 3))
    return grid if status.left is None else f"{grid}\nall tables: {status.left} left at the current speed"


def _progress(table: TableStatus) -> str:
    """Estimates, shown while rows are copied."""
    parts = []
    if table.rows_expected is not None and table.bytes_expected is not None:
        share = 100 * table.rows_copied // max(1, table.rows_expected)
        parts.append(f"{share}% of about {table.rows_expected:,} rows, {size(table.bytes_expected)}")
    if table.rows_per_second is not None:
        parts.append(f"{table.rows_per_second:,.0f} rows/s")
    if table.left is not None and table.left.expected > 0:
        parts.append(f"{table.left} left")
    return ", ".join(parts)


def _audit(status: Status) -> str:
    rows = [(f"{line.at:%Y-%m-%d %H:%M:%S}", line.what, line.who, line.detail or line.command) for line in status.audit]
    return text_table(rows, header=("at (UTC)", "what", "who", "detail")) if rows else ""


def _index(index: IndexStatus) -> tuple[str, str]:
    return "indexes", f"{index.table}: {index.without} of {index.physical} tables lack {', '.join(index.names)}"


def _order(order: Order) -> Iterator[tuple[str, str]]:
    if order.paused:
        yield "PAUSED", f"{order.pause_sentence}: `shardwright control resume` resumes it"
    if order.caps:
        yield "copy", f"kept to {order.cap_sentence}"


def _source(source: SourceStatus) -> tuple[str, str]:
    seconds = "" if source.lag_seconds is None else f", {source.lag_seconds:.0f} s"
    size = "an unknown number of" if source.lag_bytes is None else f"{source.lag_bytes:,}"
    end = source.head or f"its end, which is not known: {source.problem}"
    lag = "caught up" if source.lag_bytes == 0 else f"{size} bytes{seconds} behind {end}"
    return source.source, f"from {source.first} to {source.last}: {lag}"


def _shard(shard: ShardStatus) -> tuple[str, str]:
    if shard.lacks is not None:
        restored = f"its ledger lacks batches up to {shard.lacks}, it was restored from a backup (SW8209)"
        return shard.shard, f"batch {shard.batch}: {restored}"
    return shard.shard, f"batch {shard.batch}: " + (
        f"applied through {shard.last}; {shard.rows_copied:,} rows copied by {shard.chunks:,} chunks"
        if shard.last
        else "its ledger is lost"
    )


def _replica(replica: ReplicaState) -> tuple[str, str]:
    lag = f"{replica.lag_seconds:.0f} s behind" if replica.lag_seconds is not None else replica.why
    return replica.server, f"replica, {lag}{f': {replica.work} pauses' if replica.holds else ''}"
