"""Can the source's log be followed: do its settings fit, does it have every change, and can commits be timed?

Runs in the driver; reads the source server.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.check import Fault
from shardwright.runtime.mysql.errors import STATEMENT_DENIED
from shardwright.runtime.mysql.servers import current_account, is_mariadb
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.run.preflight.context import variables
from shardwright.runtime.run.preflight.grants import MISSING
from shardwright.runtime.run.throttle.source_commits import (
    HOW_TO_SWITCH_ON,
    LOOK,
    SWITCHED_ON,
    WANTED_GRANT,
    why_unknown,
)
from shardwright.runtime.sources.binlog.connection import first_row, log_status

NO_LATENCY: Final = "SW8149"


def commit_latency_known(connection: Connection[Any], where: str) -> Iterator[Fault]:
    if variables(connection, "performance_schema").get("performance_schema") != "ON":
        yield Fault(
            NO_LATENCY, f"{where} has performance_schema off, so its commit latency is unknown", HOW_TO_SWITCH_ON
        )
        return
    try:
        switched_on = {str(name) for (name,) in query(connection, SWITCHED_ON)}
        query(connection, LOOK)
    except pymysql.err.MySQLError as error:
        if not error.args or error.args[0] not in STATEMENT_DENIED:
            raise
        name, _, host = current_account(connection).rpartition("@")
        wanted = f"GRANT {WANTED_GRANT} TO '{name}'@'{host}'"
        yield Fault(MISSING, f"{name}@{host} may not ask {where} for its commit latency", wanted)
        return
    if missing := why_unknown(switched_on):
        way_out = "UPDATE performance_schema.setup_instruments SET enabled = 'YES', timed = 'YES' for them"
        yield Fault(NO_LATENCY, f"{where} cannot report its commit latency: {missing}", way_out)


def log_settings(connection: Connection[Any]) -> Iterator[Fault]:
    """Each setting of the server that keeps its log from being followed."""
    settings = {
        str(name): str(value).upper() for name, value in query(connection, "SHOW GLOBAL VARIABLES LIKE '%bin%'")
    }
    if settings.get("log_bin") != "ON":
        yield Fault("SW8121", "the source writes no binary log", "start it with log_bin and binlog_format=ROW")
        return
    if settings.get("binlog_format", "ROW") != "ROW":
        found = settings["binlog_format"]
        yield Fault("SW8122", f"the source's binlog_format is {found}", "SET GLOBAL binlog_format = 'ROW'")
    if settings.get("binlog_row_image", "FULL") != "FULL":
        found = settings["binlog_row_image"]
        yield Fault(
            "SW8123",
            f"the source's binlog_row_image is {found}, so updates do not carry whole rows",
            "SET GLOBAL binlog_row_image = 'FULL' and reconnect the applications",
        )
    if settings.get("binlog_row_value_options"):
        yield Fault(
            "SW8123",
            "the source logs only parts of changed JSON values (binlog_row_value_options)",
            "SET GLOBAL binlog_row_value_options = '' and reconnect the applications",
        )


def check_log_filters(connection: Connection[Any], databases: Collection[str]) -> Iterator[Fault]:
    """Each setting that keeps changes of `databases` out of the server's log."""
    status = log_status(connection)
    only, never = (_names(status.get(name)) for name in ("binlog_do_db", "binlog_ignore_db"))
    for name in sorted(databases):
        if name in never or (only and name not in only):
            setting = "binlog_ignore_db" if name in never else "binlog_do_db"
            yield Fault(
                "SW8144",
                f"the source leaves database {name} out of its log ({setting})",
                "restart it without that setting",
            )
    if _applies_without_logging(connection):
        yield Fault(
            "SW8144",
            "the source is a replica that does not log what it applies",
            "restart it with log_replica_updates (MariaDB: log_slave_updates), or name its primary as the source",
        )


def _applies_without_logging(connection: Connection[Any]) -> bool:
    said = query(
        connection, "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('log_slave_updates', 'log_replica_updates')"
    )
    if any(str(value).upper() in ("ON", "1") for _, value in said):
        return False
    asked = "SHOW ALL SLAVES STATUS" if is_mariadb(connection) else "SHOW REPLICA STATUS"
    try:
        found = first_row(connection, asked)
    except pymysql.err.MySQLError:
        return False  # the account may not ask, or this version has another statement: nothing is known
    return "Yes" in (found.get("slave_sql_running"), found.get("replica_sql_running"))


def _names(listed: object) -> frozenset[str]:
    return frozenset(name for name in str(listed or "").split(",") if name)
