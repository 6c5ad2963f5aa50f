"""Which migrations are in the ledgers on an environment's servers, and how is each of them? A line for each.

Runs in the process of the command; reads ledgers, and the sources of migrations whose plan is given.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.ledger.batches import MigrationState, read_migration
from shardwright.runtime.ledger.comparison import read_verified
from shardwright.runtime.ledger.cutover import find_live_directions, first_of
from shardwright.runtime.ledger.cutover_state import read_cutover
from shardwright.runtime.ledger.databases import find_ledgers
from shardwright.runtime.ledger.dead_letters import count_quarantined
from shardwright.runtime.ledger.fencing import is_alive
from shardwright.runtime.ledger.orders import read_order
from shardwright.runtime.mysql.endpoint import Endpoint, endpoint_of
from shardwright.runtime.mysql.servers import connect, ledger_database_of, servers_of
from shardwright.runtime.mysql.transactions import if_there
from shardwright.runtime.sources.open import open_sources
from shardwright.runtime.sources.source import sources_at
from shardwright.specs.direction import Direction
from shardwright.specs.environment.environment import Environment


@dataclass(frozen=True, slots=True)
class MigrationLine:
    """One migration."""

    migration: str
    """Its name."""
    direction: Direction
    """Which way changes go, or went last."""
    state: str
    """"copying", "following", "finished", or the state of a cutover under way."""
    paused: bool
    """By an operator."""
    live: bool
    """Whether a run is connected."""
    lag_seconds: float | None
    """0 at the end of its sources; else the age of the newest applied change. None where no change was applied."""
    at_end: bool | None
    """Whether the stream is at the end of its sources; None where these were not asked: this project has no plan."""
    rows_held: int
    """Rows in quarantine."""
    verified_at: datetime | None
    """When the last whole comparison began that found both sides equal, in UTC; None: never."""
    verified_void: str
    """Why that does not count for a cutover any more; empty while it does."""
    ledger: str
    """Server and database of its first ledger."""


@dataclass(frozen=True, slots=True)
class AllMigrations:
    """The whole answer of `status --all`."""

    migrations: tuple[MigrationLine, ...]
    """By name."""
    problems: tuple[str, ...]
    """Servers that could not be asked, and why."""


@dataclass(frozen=True, slots=True)
class _Ledger:
    """A first ledger that has the migration."""

    server: Endpoint
    database: str
    is_of_way_back: bool


PlanOf = Callable[[str, Direction], Plan | None]
"""The compiled plan of a migration, where the project has it."""


def read_all(environment: Environment, environ: Mapping[str, str], plan_of: PlanOf) -> AllMigrations:
    """Looks in every database that the accounts may read. A server that does not answer is named, and the others are
    asked."""
    found: dict[str, list[_Ledger]] = {}
    problems: list[str] = []
    for server in _endpoints(environment, environ):
        try:
            for name, ledger in _find_migrations(server):
                found.setdefault(name, []).append(ledger)
        except (RuntimeFailure, pymysql.err.MySQLError) as failure:
            problems.append(str(failure))
    lines = [_line(name, found[name], environment, environ, plan_of) for name in sorted(found)]
    return AllMigrations(tuple(line for line in lines if line is not None), tuple(problems))


def _endpoints(environment: Environment, environ: Mapping[str, str]) -> Sequence[Endpoint]:
    servers = [*environment.shards.values(), *environment.sources.values()]
    found = [endpoint_of(server, environ, environment.network) for server in servers]
    return [*{(one.host, one.port): one for one in reversed(found)}.values()]


def _find_migrations(server: Endpoint) -> Iterator[tuple[str, _Ledger]]:
    with closing(connect(server)) as connection:
        for database, plans in find_ledgers(connection):
            for name, recorded in plans.items():
                yield name, _Ledger(server, database, database == ledger_database_of(recorded["databases"][0]))


def _line(
    name: str, ledgers: Sequence[_Ledger], environment: Environment, environ: Mapping[str, str], plan_of: PlanOf
) -> MigrationLine | None:
    """None where no run has begun."""
    ledgers = sorted(ledgers, key=lambda one: one.is_of_way_back)
    with _connect(name, ledgers[0]) as first:
        live = first_of(find_live_directions(first, name))
        order = if_there(lambda: read_order(first, name))
        cutover = if_there(lambda: read_cutover(first, name))
    is_finished, direction = live is None, live or Direction.BACKWARD
    wanted = direction is Direction.BACKWARD
    ledger = next((one for one in ledgers if one.is_of_way_back == wanted), ledgers[0])
    with _connect(name, ledger) as home:
        migration = if_there(lambda: read_migration(home, name))
        if migration is None:
            return None
        verified = read_verified(home, name)
        state = "following"
        if is_finished:
            state = "finished"
        elif cutover is not None and (cutover.shares or not cutover.at_rest):
            state = cutover.state
        elif migration.snapshot_end is None and direction.copies:
            state = "copying"
        plan = None if is_finished else plan_of(name, direction)
        at_end = None if plan is None else _is_at_end(plan, migration, environment, environ)
        return MigrationLine(
            name,
            direction,
            state,
            paused=order is not None and order.paused,
            live=is_alive(home, role="data"),
            lag_seconds=0.0 if at_end else _age(migration),
            at_end=at_end,
            rows_held=count_quarantined(home, name),
            verified_at=None if verified is None else verified.began_at,
            verified_void="" if verified is None else verified.void,
            ledger=f"{ledger.server}, {ledger.database}",
        )


def _connect(name: str, ledger: _Ledger) -> closing[Connection[Any]]:
    return closing(connect(replace(ledger.server, migration=name), ledger.database))


def _is_at_end(
    plan: Plan, migration: MigrationState, environment: Environment, environ: Mapping[str, str]
) -> bool | None:
    try:
        sources = sources_at(
            open_sources(plan, servers_of(environment, plan, environ), environment), migration.position
        )
        return all(migration.position.parts[source.name].has_reached(source.end()) for source in sources)
    except (RuntimeFailure, pymysql.err.MySQLError, KeyError):
        return None  # a source that does not answer, or that the plan knows and the ledger does not


def _age(migration: MigrationState) -> float | None:
    """Of the newest applied change."""
    newest = max(migration.committed_at.values(), default=None)
    return None if newest is None else round(max(0.0, time.time() - newest), 1)
