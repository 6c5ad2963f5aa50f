"""Which checks does a preflight make, in which order, and which results end a run? Source servers come first.

Runs in the driver; reads source servers and shards, writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused, RuntimeFailure, Unreachable
from shardwright.runtime.ledger.members import why_home_is_lost
from shardwright.runtime.mysql.check import Check, Fault, Verdict, has_refusal, judge_faults
from shardwright.runtime.mysql.errors import STATEMENT_DENIED
from shardwright.runtime.mysql.servers import Servers, connect
from shardwright.runtime.run.preflight.any_server import protection
from shardwright.runtime.run.preflight.context import Context, Demands
from shardwright.runtime.run.preflight.grants import MISSING
from shardwright.runtime.run.preflight.read_replica import replica_checks
from shardwright.runtime.run.preflight.source_server import source_checks
from shardwright.runtime.run.preflight.target_server import database_checks, target_checks
from shardwright.runtime.run.preflight.tolerance import Tolerance
from shardwright.runtime.run.preflight.way_back import own_table_checks, shard_log_checks

_NO_ANSWER = "SW8101"


def preflight(
    plan: Plan, servers: Servers, tolerated: Tolerance = Tolerance.NONE, demands: Demands | None = None
) -> tuple[Check, ...]:
    """Checks source and targets. Raises Refused with every problem, or Unreachable when servers do not answer."""
    found = checks(plan, servers, tolerated, demands)
    require(found)
    return found


def checks(plan: Plan, servers: Servers, tolerated: Tolerance, demands: Demands | None = None) -> tuple[Check, ...]:
    """Every check with its verdict."""
    context = Context(plan, servers, tolerated, demands or Demands())
    return (*_sources(context), *_targets(context))


def require(found: Iterable[Check]) -> None:
    """Raises Refused or Unreachable with the messages of all checks that end a run."""
    for verdict, failure in ((Verdict.REFUSED, Refused), (Verdict.UNKNOWN, Unreachable)):
        faults = [check for check in found if check.verdict is verdict and check.code]
        if faults:
            first, rest = faults[0], faults[1:]
            more = "".join(f"\n{check.code}: {check.message}" for check in rest)
            raise failure(first.code, first.message + more)


def _sources(context: Context) -> Iterator[Check]:
    every_table = [name for table in context.plan.tables for name in table.sources]
    for server, endpoint in context.servers.sources.items():
        held = [name for name in every_table if context.servers.source_databases[name.database] == server]
        if held:
            yield protection(endpoint)
            opened = partial(context.servers.connect_source, held[0].database)
            made = source_checks if context.plan.direction.reads_source else shard_log_checks
            yield from _check_connection(str(endpoint), opened, partial(made, context, held=held, where=str(endpoint)))
            if (replica := context.servers.replicas.get(server)) is not None:
                yield protection(replica)
                ask = partial(replica_checks, held=held, where=str(replica))
                yield from _check_connection(str(replica), partial(connect, replica), ask)


def _targets(context: Context) -> Iterator[Check]:
    servers = context.servers
    if context.plan.direction.writes_shards and not context.has_begun:
        context.lost_home = _check_home(context)
        yield from judge_faults(
            "ledgers", "", filter(None, [context.lost_home]), otherwise="none of this migration is lost"
        )
    for endpoint in dict.fromkeys(servers.shards):
        shards = [shard for shard, at in enumerate(servers.shards) if at == endpoint]
        yield protection(endpoint)
        forward = context.plan.direction.writes_shards
        where, names = str(endpoint), [(servers.targets if forward else servers.databases)[shard] for shard in shards]
        made = target_checks if forward else own_table_checks
        found = _check_connection(
            where, partial(connect, endpoint), partial(made, context, databases=names, where=where)
        )
        yield from found
        if not forward:
            continue
        if has_refusal(check for check in found if check.name in ("grants", "connection")) or _is_silent(found):
            continue
        for shard in shards:
            if absent := _check_connection(where, partial(connect, endpoint, servers.targets[shard]), lambda _: ()):
                yield from absent
                break
            opened = partial(servers.connect_shard, shard)
            found = _check_connection(where, opened, partial(database_checks, context, shard=shard, where=where))
            yield from found
            if _is_silent(found):
                break


def _check_home(context: Context) -> Fault | None:
    """Asks the shards behind the first one. Those that do not answer are named by the checks."""
    for shard in range(1, len(context.servers.databases)):
        with suppress(RuntimeFailure), closing(context.servers.connect_shard(shard)) as connection:
            if found := why_home_is_lost(connection, context.servers.databases[shard], context.plan.migration):
                return Fault("SW8210", found, "")
    return None


def _check_connection(
    where: str, opened: Callable[[], Connection[Any]], ask: Callable[[Connection[Any]], Iterable[Check]]
) -> Sequence[Check]:
    """The checks on one connection. A server that does not answer becomes a check of its own."""
    found: list[Check] = []
    try:
        connection = opened()
    except RuntimeFailure as failure:
        verdict = Verdict.REFUSED if isinstance(failure, Refused) else Verdict.UNKNOWN
        return [Check("connection", where, verdict, failure.message, code=failure.code)]
    try:
        found.extend(ask(connection))
    except pymysql.err.MySQLError as error:
        found += _explain_no_answer(where, error, found)
    finally:
        connection.close()
    return found


def _explain_no_answer(where: str, error: pymysql.err.MySQLError, found: Iterable[Check]) -> Iterator[Check]:
    """A check that ended in an error. A server that denies one has answered: a grant is missing, which the check of
    grants has named where it came so far."""
    text = error.args[-1] if error.args else error
    if not error.args or error.args[0] not in STATEMENT_DENIED:
        said = f"{where} does not answer a check: {text}"
        yield Check("connection", where, Verdict.UNKNOWN, said, code=_NO_ANSWER)
    elif all(check.code != MISSING for check in found):
        yield Check("grants", where, Verdict.REFUSED, f"{where} denies a check: {text}", code=MISSING)


def _is_silent(found: Iterable[Check]) -> bool:
    return any(check.verdict is Verdict.UNKNOWN and check.code for check in found)
