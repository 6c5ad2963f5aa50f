"""Which checks does one source server get? They are in such an order that a failure makes the later ones pointless.

Runs in the driver; reads the source server.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.mysql.check import Check, Verdict, has_refusal, judge_faults, warn
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.run.preflight.any_server import connection_room, server_kind, session_variables
from shardwright.runtime.run.preflight.context import Context, variables
from shardwright.runtime.run.preflight.grants import source_grants
from shardwright.runtime.run.preflight.log_settings import check_log_filters, commit_latency_known, log_settings
from shardwright.runtime.run.preflight.retention import retention
from shardwright.runtime.run.preflight.source_tables import find_dropped_tables, key_collisions, source_tables
from shardwright.runtime.run.preflight.start_position import start_position
from shardwright.runtime.run.preflight.tolerance import Tolerance

COMPARED: Final = ("sql_mode", "time_zone", "system_time_zone", "max_allowed_packet")
"""Variables that are compared with those of the targets."""

_BESIDE_THE_TASKS: Final = 5
"""Connections for the bounds of chunks, the log, the proved position and the reading of single rows."""


def source_checks(
    context: Context, connection: Connection[Any], held: Sequence[SourceName], where: str
) -> Iterator[Check]:
    yield server_kind(connection, where)
    yield session_variables(where)
    logs = list(judge_faults("binary log", where, log_settings(connection), otherwise="ROW, FULL image, uncompressed"))
    grants = list(
        judge_faults("grants", where, source_grants(connection, where), otherwise="all required grants present")
    )
    if context.tolerated is Tolerance.ANY and (dropped := find_dropped_tables(connection, held)):
        yield _warn_of_drops(dropped, where)
        held = [name for name in held if name not in dropped]
    tables = source_tables(connection, context.plan, frozenset(held), tolerated=context.tolerated)
    described = list(judge_faults("source tables", where, tables, otherwise=f"{len(held)} as the plan knows them"))
    yield from (*logs, *grants, *described)
    if context.demands.commit_latency:
        yield from judge_faults(
            "commit latency", where, commit_latency_known(connection, where), otherwise="can be read"
        )
    if has_refusal((*logs, *grants, *described)):
        return
    left_out = check_log_filters(connection, {name.database for name in held})
    yield from judge_faults("left out of the log", where, left_out, otherwise="nothing")
    exact = bool(context.plan.keyless_tables or context.plan.lookup_tables)
    yield from start_position(connection, held, context.servers.source_of(held[0].database), exact=exact)
    collisions = key_collisions(connection, context.plan, frozenset(held))
    yield from judge_faults("keys in several tables", where, collisions, otherwise="none")
    yield from _log_details(connection, where)
    yield from retention(context, connection, held, where)
    context.settings.update({**variables(connection, *COMPARED), **context.settings})
    yield from connection_room(connection, where, context.demands.connections_to(shards=0) + _BESIDE_THE_TASKS)


def _warn_of_drops(tables: Collection[SourceName], where: str) -> Check:
    """Warns of tables that are gone while only the stream goes on. It stops by name at the DROP TABLE, and everything
    before that statement is applied."""
    return warn(
        "dropped tables",
        where,
        warning=f"{', '.join(sorted(map(str, tables)))} {'does' if len(tables) == 1 else 'do'} not exist any more",
        way_out="the stream stops at the DROP TABLE; rows on the shards stay as they are",
        otherwise="none",
    )


def _log_details(connection: Connection[Any], where: str) -> Iterator[Check]:
    found = variables(connection, "gtid_mode", "binlog_row_metadata")
    mode = "ON" if is_mariadb(connection) else found.get("gtid_mode", "OFF")
    yield warn(
        "gtid", where, warning=f"gtid_mode is {mode}" if mode != "ON" else None,
        way_out="without GTIDs the place in another server's log is found by commit times: switch them on",
        otherwise="written",
    )  # fmt: skip
    metadata = found.get("binlog_row_metadata", "not known to this version")
    yield Check(
        "row metadata", where, Verdict.OK, f"{metadata}; columns are known by the plan and checked against the log"
    )
