"""Whether a source tells how long its commits take, where the environment has the copy wait for that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.check import Fault
from shardwright.runtime.mysql.errors import STATEMENT_DENIED
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.run.preflight.context import variables
from shardwright.runtime.run.preflight.grants import MISSING
from shardwright.runtime.run.throttle.source_commits import (
    HOW_TO_SWITCH_ON,
    LOOK,
    SWITCHED_ON,
    WANTED_GRANT,
    not_counted,
)

UNTOLD: Final = "SW8149"


def commit_latency_told(connection: Connection[Any], where: str) -> Iterator[Fault]:
    if variables(connection, "performance_schema").get("performance_schema") != "ON":
        yield Fault(UNTOLD, f"{where} has performance_schema off and cannot tell its commit latency", HOW_TO_SWITCH_ON)
        return
    try:
        switched_on = {str(name) for (name,) in query(connection, SWITCHED_ON)}
        query(connection, LOOK)
    except pymysql.err.MySQLError as error:
        if not error.args or error.args[0] not in STATEMENT_DENIED:
            raise
        name, _, host = str(query(connection, "SELECT CURRENT_USER()")[0][0]).rpartition("@")
        wanted = f"GRANT {WANTED_GRANT} TO '{name}'@'{host}'"
        yield Fault(MISSING, f"{name}@{host} may not ask {where} for its commit latency", wanted)
        return
    if missing := not_counted(switched_on):
        way_out = "UPDATE performance_schema.setup_instruments SET enabled = 'YES', timed = 'YES' for them"
        yield Fault(UNTOLD, f"{where} cannot tell its commit latency: {missing}", way_out)
