"""How far is a cutover, which fences are in force, and what do the switch rows say?

Runs in the process of the command; reads ledgers and servers, writes nothing.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Any

import pymysql

from shardwright.runtime.cutover.by_bucket.selection import ranges_of
from shardwright.runtime.cutover.fencing import fence_of
from shardwright.runtime.cutover.source_triggers import describe_triggers
from shardwright.runtime.cutover.ways import Way, Ways
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.ledger.buckets import read_buckets
from shardwright.runtime.ledger.conflicts import count_conflicts
from shardwright.runtime.ledger.cutover_state import CutoverState, read_cutover
from shardwright.runtime.ledger.switch_row import read_switch
from shardwright.specs.findings.text_table import text_table


def read_status(ways: Ways) -> dict[str, Any]:
    """As JSON. A server that does not answer is named in place of what it would say."""
    with closing(ways.home()) as home:
        state = read_cutover(home, ways.migration)
        owners = read_buckets(home, ways.migration) if state.shares else {}
        conflicts = count_conflicts(home, ways.migration)
    rows = {**_rows(ways.backward, ways.migration), **_rows(ways.forward, ways.migration)}
    newest = max((row for row in rows.values() if isinstance(row, dict)), key=lambda row: row["generation"], default={})
    if newest.get("generation", 0) > state.generation:
        # No row is ever newer than the first shard's ledger, unless that was lost or restored from a backup.
        state = replace(state, writes_to=newest["writes_to"], generation=newest["generation"])
        lost = {"state": "unknown", "lost": "the first shard's ledger is older than the switch rows: it was lost"}
    else:
        lost = {}
    return {
        "migration": ways.migration,
        "state": state.state,
        "seconds": round(state.seconds, 1),
        "writes_to": state.writes_to,
        "generation": state.generation,
        "to": None if state.at_rest else state.detail.to,
        "rehearsal": state.detail.rehearsal and not state.at_rest,
        "last_pause_seconds": state.detail.pause,
        "next_ids": list(state.detail.next_ids),
        "dropped_triggers": describe_triggers(ways.backward),
        "given_up": state.detail.given_up,
        "fences": {side: _in_force(ways.way_of_writes(side), state) for side in state.fences},
        "switch_rows": rows,
        "buckets": {
            writer: ranges_of([bucket for bucket, owner in owners.items() if owner.writer == writer])
            for writer in sorted({owner.writer for owner in owners.values()})
        },
        "conflicts_held": sum(one.rows for one in conflicts if one.state == "held"),
        **lost,
    }


def _in_force(way: Way, state: CutoverState) -> Any:
    try:
        return fence_of(way, state.generation).in_force(state.fences[way.side])
    except (RuntimeFailure, pymysql.err.MySQLError) as failure:
        return str(failure)


def _rows(way: Way, migration: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for shard, database in enumerate(way.servers.databases):
        try:
            with closing(way.servers.connect_shard(shard)) as connection:
                writes_to, generation = read_switch(connection, migration)
            found[database] = {"writes_to": writes_to, "generation": generation}
        except (RuntimeFailure, pymysql.err.MySQLError) as failure:
            found[database] = str(failure)
    return found


def status_lines(status: dict[str, Any]) -> str:
    """For people."""
    facts = [
        ("migration", status["migration"]),
        ("state", f"{status['state']}{' (rehearsal)' if status['rehearsal'] else ''}, for {status['seconds']:.0f} s"),
        *([("ledger", status["lost"])] if "lost" in status else []),
        ("writes go to", f"{status['writes_to']} (generation {status['generation']})"),
        *([("under way", f"to the {status['to']}: repeat the command, or `cutover abort`")] if status["to"] else []),
        *([("last pause", f"{status['last_pause_seconds']} s")] if status["last_pause_seconds"] is not None else []),
        *(("next numbers", line) for line in status["next_ids"]),
        *([("dropped triggers", _trigger_names(status["dropped_triggers"]))] if status["dropped_triggers"] else []),
        *([("given up", status["given_up"])] if status["given_up"] else []),
        *((f"buckets of {writer}", buckets) for writer, buckets in status["buckets"].items()),
        *((f"fence of {side}", _words(servers)) for side, servers in status["fences"].items()),
    ]
    rows = [
        (database, row if isinstance(row, str) else f"{row['writes_to']}, generation {row['generation']}")
        for database, row in status["switch_rows"].items()
    ]
    return f"{text_table(facts)}\n\n{text_table(rows, header=('switch row in', 'says'))}"


def _trigger_names(triggers: list[dict[str, str]]) -> str:
    return ", ".join(f"{trigger['database']}.{trigger['name']}" for trigger in triggers)


def _words(servers: Any) -> str:
    if isinstance(servers, str):
        return servers
    return ", ".join(f"{server} {'in force' if is_set else 'NOT in force'}" for server, is_set in servers.items())
