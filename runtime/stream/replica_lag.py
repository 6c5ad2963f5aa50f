"""Writing waits for the shards' replicas: applications read from them, and a replica that lags shows them old rows (hazard G7).

Asked between batches and between waves of chunks, never within one. A replica that cannot be asked counts as one that lags.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.binlog.connection import SYNTAX_ERROR
from shardwright.runtime.connections import Address, address_of, connect
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.transactions import untyped
from shardwright.specs.environment import Environment

_EVERY_SECONDS = 1.0
"""How often replicas are asked, at most; how long a pause lasts, at least."""
_ALL_CHANNELS = ("SHOW REPLICA STATUS", "SHOW ALL SLAVES STATUS")
"""MySQL's, with a row for each channel, and MariaDB's."""


@dataclass(frozen=True, slots=True)
class ReplicaState:
    """`lag_seconds` is None where it cannot be told; `why` then says why. `holds`: writing pauses for it."""

    server: str
    lag_seconds: float | None
    why: str
    holds: bool


def replicas_of(environment: Environment, environ: Mapping[str, str]) -> dict[str, Address]:
    """The replicas that writing waits for, by name. Raises Unreachable (SW7003) for a secret that is not there."""
    names = environment.throttle.replicas
    return {name: address_of(environment.servers[name], environ, environment.network) for name in names}


def replica_state(name: str, address: Address, max_lag: float) -> ReplicaState:
    """What a replica says of itself now."""
    try:
        connection = connect(address)
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
    with untyped(connection).cursor(pymysql.cursors.DictCursor) as cursor:
        try:
            cursor.execute(mariadb)
        except pymysql.err.ProgrammingError as error:
            if error.args[0] != SYNTAX_ERROR:
                raise
            cursor.execute(mysql)
        return [{name.lower(): value for name, value in row.items()} for row in cursor.fetchall()]


@dataclass
class ReplicaBrake:
    """`ending`: whether the run is being stopped. Shared by the stream and the copy."""

    replicas: Mapping[str, Address]
    max_lag: float
    say: Callable[[str], None]
    ending: Callable[[], bool]
    _clear_until: float = field(init=False, default=0.0)
    _asking: threading.Lock = field(default_factory=threading.Lock)

    def wait(self) -> None:
        """Returns at once while all replicas keep up, else when they have caught up, or when the run is being stopped."""
        with self._asking:
            if self.replicas and time.monotonic() >= self._clear_until:
                self._wait()

    def _wait(self) -> None:
        began, told = time.monotonic(), ""
        while holding := self._holding():
            if holding != told:
                self.say(f"writing pauses: {holding}")
                told = holding
            if self._ends_within(_EVERY_SECONDS):
                return
        if told:
            self.say(f"writing goes on after {time.monotonic() - began:.0f} s: the replicas have caught up")
        self._clear_until = time.monotonic() + _EVERY_SECONDS

    def _holding(self) -> str:
        """Who holds writing up, in words that stay the same while the reason does."""
        states = [replica_state(name, address, self.max_lag) for name, address in self.replicas.items()]
        return "; ".join(
            f"replica {state.server} "
            + (f"cannot be asked ({state.why})" if state.why else f"is more than {self.max_lag:g} s behind")
            for state in states
            if state.holds
        )

    def _ends_within(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.ending():
                return True
            time.sleep(0.05)
        return False
