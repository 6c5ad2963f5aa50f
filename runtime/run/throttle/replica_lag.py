"""How far do replicas lag? Writing waits for those of the shards: applications read from them, and a replica that lags
shows them old rows (hazard G7).

Runs in the driver, and in the process of `status` and `ddl apply`; reads replicas. A replica that cannot be asked
counts as one that lags.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.mysql.endpoint import Endpoint, endpoint_of
from shardwright.runtime.mysql.errors import PARSE_ERROR
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.transactions import as_any
from shardwright.runtime.run.throttle.gauge import Gauge, NoFigure
from shardwright.specs.environment.environment import Environment, ThrottleSettings

_ALL_CHANNELS = ("SHOW REPLICA STATUS", "SHOW ALL SLAVES STATUS")
"""MySQL's statement, with a row for each channel, and MariaDB's."""


@dataclass(frozen=True, slots=True)
class ReplicaState:
    """`lag_seconds` is None where the lag is not known, and `why` says why. `holds`: work pauses for it. `work` says
    which: for a replica of what is written "writing", for one of what is read "copying"."""

    server: str
    lag_seconds: float | None
    why: str
    holds: bool
    work: str = "writing"


def replicas_of(environment: Environment, names: tuple[str, ...], environ: Mapping[str, str]) -> dict[str, Endpoint]:
    """The addresses of the replicas by name. Raises Unreachable (SW7003) for a secret that does not exist."""
    return {name: endpoint_of(environment.servers[name], environ, environment.network) for name in names}


def replica_states(
    environment: Environment, settings: ThrottleSettings, environ: Mapping[str, str]
) -> list[ReplicaState]:
    """The lag now of every replica of `settings`, which are those of a direction. Raises Unreachable (SW7003) for a
    secret that does not exist."""
    named = ((settings.replicas, "writing"), (settings.source_replicas, "copying"))
    return [
        replace(replica_state(name, endpoint, settings.max_lag_seconds), work=work)
        for names, work in named
        for name, endpoint in replicas_of(environment, names, environ).items()
    ]


def replica_state(name: str, endpoint: Endpoint, max_lag: float) -> ReplicaState:
    """The replica's lag now."""
    try:
        connection = connect(endpoint)
        try:
            channels = _channels(connection)
        finally:
            connection.close()
    except RuntimeFailure as failure:
        return ReplicaState(name, None, failure.message, holds=True)
    except pymysql.err.MySQLError as error:
        return ReplicaState(name, None, " ".join(map(str, error.args)), holds=True)
    if not channels:
        return ReplicaState(name, None, "it is no replica", holds=True)
    lags = [row.get("seconds_behind_source", row.get("seconds_behind_master")) for row in channels]
    known = [float(lag) for lag in lags if lag is not None]
    if len(known) < len(lags):
        return ReplicaState(name, None, "it does not copy now", holds=True)
    lag = max(known)
    return ReplicaState(name, lag, "", holds=lag > max_lag)


def _channels(connection: Connection[Any]) -> list[dict[str, Any]]:
    mysql, mariadb = _ALL_CHANNELS
    with as_any(connection).cursor(pymysql.cursors.DictCursor) as cursor:
        try:
            cursor.execute(mariadb)
        except pymysql.err.ProgrammingError as error:
            if error.args[0] != PARSE_ERROR:
                raise
            cursor.execute(mysql)
        return [{name.lower(): value for name, value in row.items()} for row in cursor.fetchall()]


def replica_gauges(environment: Environment, names: tuple[str, ...], environ: Mapping[str, str]) -> list[Gauge]:
    """A gauge for each of `names` in the environment's servers. Raises Unreachable (SW7003) for a secret that does not
    exist."""
    limit = environment.throttle.max_lag_seconds
    return [replica_gauge(name, endpoint, limit) for name, endpoint in replicas_of(environment, names, environ).items()]


def replica_gauge(name: str, endpoint: Endpoint, max_lag: float) -> Gauge:
    def read() -> float:
        state = replica_state(name, endpoint, max_lag)
        if state.lag_seconds is None:
            raise NoFigure(state.why)
        return state.lag_seconds

    return Gauge(f"replica {name}", max_lag, read, f"is more than {max_lag:g} s behind", "has caught up", "replica_lag")
