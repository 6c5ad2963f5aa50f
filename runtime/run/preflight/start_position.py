"""How will the start position be proved on a source server, and may our account do it?

Runs in the driver; reads the source server. Where only a read lock of the whole server proves the position, it takes
that lock for a moment: managed servers refuse it to accounts that have the privilege for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.mysql.check import Check, Verdict
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.read_grants import read_granted
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.run.preflight.grants import MISSING
from shardwright.runtime.sources.binlog.read_locks import LockBusy, LockLost, LockRefused, ReadLocks, hold
from shardwright.runtime.sources.binlog.snapshot_position import commits_xa, counts_transactions, remedy_for

NAME: Final = "start position"
_ON_TABLES: Final = ("SELECT", "LOCK TABLES")
_SERVER_LOCK: Final = ("RELOAD", "FLUSH_TABLES")


def start_position(
    connection: Connection[Any], held_tables: Collection[SourceName], endpoint: Endpoint, *, exact: bool
) -> Iterator[Check]:
    """`exact`: whether rows are read in the transaction that proves the position."""
    where, mariadb, xa = str(endpoint), is_mariadb(connection), commits_xa(connection)
    locks = ReadLocks(endpoint, [str(name) for name in held_tables])
    if mariadb and not xa:
        yield Check(NAME, where, Verdict.OK, "the server says it with the snapshot: no lock")
        return
    databases = sorted({name.database for name in held_tables})
    account = read_granted(connection)
    remedy = remedy_for(connection, account.account_in_sql, databases)
    on_tables = not mariadb and not any(account.find_lacking(_ON_TABLES, database) for database in databases)
    because = "XA transactions are committed there" if xa else "gtid_mode is not ON"
    if not mariadb and not xa and counts_transactions(connection):
        yield _by_gtids(where, exact=exact, locking=on_tables or not account.lacks_all(_SERVER_LOCK), remedy=remedy)
    elif on_tables:
        yield Check(NAME, where, Verdict.OK, f"proved by LOCK TABLES ... READ of the followed tables: {because}")
    else:
        yield _by_read_lock(connection, locks, because=because, remedy=remedy)


def _by_gtids(where: str, *, exact: bool, locking: bool, remedy: str) -> Check:
    said = "proved by GTIDs: no lock"
    if exact and not locking:
        said += ", but rows are read with it, which needs a moment without commits when no table may be locked"
        return Check(NAME, where, Verdict.WARNING, said, remedy)
    return Check(NAME, where, Verdict.OK, said + ", or a short one where the server never rests" * exact)


def _by_read_lock(connection: Connection[Any], locks: ReadLocks, *, because: str, remedy: str) -> Check:
    where, statement = str(locks.endpoint), locks.of_server
    try:
        with hold(locks, statement, connection):
            pass
    except LockRefused as error:
        found = f"the source refuses {statement} ({error.reason}), and nothing else proves the start ({because})"
        return Check(NAME, where, Verdict.REFUSED, found, remedy, MISSING)
    except LockBusy as error:
        return Check(NAME, where, Verdict.WARNING, error.message, "end it before the run, which tries several times")
    except (LockLost, pymysql.err.MySQLError) as error:
        return Check(NAME, where, Verdict.WARNING, f"{statement} could not be tried: {error}", "run `preflight` again")
    return Check(NAME, where, Verdict.OK, f"proved by {statement}, for a moment: {because}")
