"""The same work on all servers of a side at once, and their errors as failures.

Runs in the driver, in a thread for each server; what is written is its callers' work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, Final, TypeVar

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.fence import FAILED, FencedServer
from shardwright.runtime.failures import Refused, RuntimeFailure, ServerTrouble
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.transient_errors import as_trouble, passes

Result = TypeVar("Result")

ANSWER: Final = 90.0
"""Seconds that one statement may take: the longest waits for another process of ours."""


def each_server(
    servers: Sequence[FencedServer], work: Callable[[FencedServer, Connection[Any]], Result]
) -> list[Result]:
    """The results in the order of the servers. Raises RuntimeFailure with the messages of all servers that failed, once
    all have ended."""

    def one(server: FencedServer) -> Result | RuntimeFailure:
        try:
            with closing(connect(server.endpoint.wait_for(ANSWER))) as connection:
                return work(server, connection)
        except RuntimeFailure as failure:
            return failure
        except pymysql.err.MySQLError as error:
            return failure_of(error, server.name)

    if not servers:
        return []
    with ThreadPoolExecutor(max_workers=len(servers), thread_name_prefix="fence") as pool:
        found = list(pool.map(one, servers))
    failed = [result for result in found if isinstance(result, RuntimeFailure)]
    if failed:
        raise _combine_failures(failed)
    return [result for result in found if not isinstance(result, RuntimeFailure)]


def failure_of(error: pymysql.err.MySQLError, where: str) -> RuntimeFailure:
    """A transient error may be tried again (ServerTrouble); any other is a refusal."""
    if passes(error):
        return as_trouble(error, where)
    return Refused(FAILED, f"{where}: {error.args[-1] if error.args else error}")


def _combine_failures(failed: Sequence[RuntimeFailure]) -> RuntimeFailure:
    """One failure for all: a refusal where one of them is, because trying again does not help."""
    if len(failed) == 1:
        return failed[0]
    first = next((failure for failure in failed if isinstance(failure, Refused)), failed[0])
    said = "\n".join(failure.message for failure in failed)
    return Refused(first.code, said) if isinstance(first, Refused) else ServerTrouble(said)
