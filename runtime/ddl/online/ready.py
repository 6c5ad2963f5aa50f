"""What keeps a tool from being started? Checked before anything is done: on this machine, in the statement, on each
shard.

Runs in the driver; starts the tool for its version only, and reads the shards.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.ddl.alter.forms import why_no_tool
from shardwright.compiler.plan.plan import DdlChange
from shardwright.runtime.ddl.online.leftovers import other_triggers
from shardwright.runtime.ddl.online.tools import INSTALL, PROGRAMS, ToolName
from shardwright.runtime.failures import Refused, Unreachable
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.rows_database import rows_database

_OLDEST: Final = {"pt-osc": (3, 2, 0), "gh-ost": (1, 1, 8)}
"""What our command lines need: gh-ost has --panic-on-warnings since then."""
_OLDEST_FOR_MARIADB: Final = {"pt-osc": (3, 2, 0), "gh-ost": (1, 1, 11)}
_PLAIN_NAME: Final = re.compile(r"[\w$]+")
_VERSION: Final = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_ASKING_SECONDS: Final = 30

_FOREIGN_KEYS = (
    "SELECT DISTINCT constraint_name FROM information_schema.key_column_usage WHERE referenced_table_name IS NOT NULL"
    " AND ((table_schema = %s AND table_name = %s)"
    " OR (referenced_table_schema = %s AND referenced_table_name = %s)) ORDER BY constraint_name"
)
_CHECKS = (
    "SELECT constraint_name FROM information_schema.table_constraints"
    " WHERE table_schema = %s AND table_name = %s AND constraint_type = 'CHECK' ORDER BY constraint_name"
)
_LOG = "SELECT @@log_bin, @@binlog_format, @@binlog_row_image"
_SHOWS_LOCKS = (
    "SELECT IF(timed = 'YES', enabled, timed) FROM performance_schema.setup_instruments WHERE name = "
    "'wait/lock/metadata/sql/mdl'"
)


def refuse_missing_tool(tool: ToolName, *, mariadb: bool) -> None:
    """Raises Unreachable (SW8441) where the tool is not installed, or too old for the servers."""
    program = PROGRAMS[tool]
    if shutil.which(program) is None:
        raise Unreachable("SW8441", f"{program} is not installed here: {INSTALL[tool]}, then run again")
    try:
        asked = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=_ASKING_SECONDS, check=False
        )
        said = f"{asked.stdout} {asked.stderr}".strip()
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unreachable("SW8441", f"{program} does not say its version: {error}") from error
    found = _VERSION.search(said)
    oldest = (_OLDEST_FOR_MARIADB if mariadb else _OLDEST)[tool]
    version = tuple(map(int, found.groups())) if found else None
    if version is None or version < oldest:
        needed = ".".join(map(str, oldest))
        for_whom = " for MariaDB" if mariadb and oldest != _OLDEST[tool] else ""
        raise Unreachable("SW8441", f"{program} must be {needed} or newer{for_whom}, and is: {said[:80]}")


def refuse_unsuited(change: DdlChange, *, mariadb: bool) -> None:
    form = change.form(mariadb=mariadb)
    why = why_no_tool(form.statement) if form is not None else ""
    if why:
        raise Refused(
            "SW8442",
            f"statement {change.ordinal} of {change.file} cannot be handed over: {why}. Apply it without --online",
        )


def refuse_unprotected(tool: ToolName, endpoint: Endpoint) -> None:
    """Refuses a connection for which the server's certificate is to be checked: it is not proved that a tool checks it
    as we do."""
    if endpoint.tls.verifies:
        raise Refused(
            "SW8442",
            f"{endpoint} must show its certificate (tls: {endpoint.tls.mode}), and {PROGRAMS[tool]} does not check it: "
            "apply without --online",
        )


def obstacles(connection: Connection[Any], tool: ToolName, table: str, *, mariadb: bool) -> Iterator[str]:
    """What the manuals of the tools, or of the servers, say they cannot do; in words."""
    database = rows_database(connection)
    if triggers := other_triggers(connection, table):
        yield f"it has the trigger {', '.join(triggers)}"
    if keys := _query_column(connection, _FOREIGN_KEYS, (database, table, database, table)):
        yield f"the foreign key {', '.join(keys)} leads from it or to it"
    if not mariadb and (checks := _query_column(connection, _CHECKS, (database, table))):
        # On MySQL, names of checks belong to the schema: the tool's table beside this one cannot have the same.
        yield f"it has the check {', '.join(checks)}, whose name MySQL allows once in a database"
    if tool == "pt-osc" and not _PLAIN_NAME.fullmatch(table):
        yield "its name has characters that the tool's list of settings (h=...,t=...) would take for others"
    if tool == "gh-ost":
        yield from _unfit_for_gh_ost(connection)


def _unfit_for_gh_ost(connection: Connection[Any]) -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute(_LOG)
        on, form, image = cursor.fetchone() or (0, "", "")
    if not int(on):
        yield "its server writes no binary log, which gh-ost reads"
    elif str(form).upper() != "ROW" or str(image).upper() != "FULL":
        yield f"its server's log is in {form} format with {image} row images, and gh-ost needs ROW and FULL"
    try:
        enabled = _query_column(connection, _SHOWS_LOCKS, ())
    except pymysql.err.MySQLError:
        enabled = []
    if enabled != ["YES"]:
        # Its manual says that gh-ost could do without, at the risk of losing rows (--skip-metadata-lock-check).
        yield (
            "its server does not show this account metadata locks (performance_schema, SELECT on it, and there the "
            "instrument wait/lock/metadata/sql/mdl), which gh-ost checks before it swaps tables"
        )


def _query_column(connection: Connection[Any], sql: str, arguments: tuple[object, ...]) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(sql, arguments)
        return [str(row[0]) for row in cursor.fetchall()]
