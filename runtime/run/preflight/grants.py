"""Which of the documented grants do our accounts lack, and which statement gives each (hazard I7)?

Runs in the driver; reads one server.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.check import Fault
from shardwright.runtime.mysql.errors import STATEMENT_DENIED
from shardwright.runtime.mysql.grants import (
    KILLING,
    NEEDED_ON_TARGETS,
    ON_TARGETS,
    definer_privileges,
    fence_rights,
    quote_account,
)
from shardwright.runtime.mysql.kill import kill_procedure
from shardwright.runtime.mysql.read_grants import read_granted
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.mysql.transactions import query
from shardwright.specs.environment.cutover import FenceKind

MISSING: Final = "SW8125"
SUPER: Final = "SUPER"
_NOT_MANAGED: Final = " (managed servers give it to no account; there the fence is triggers or lock_accounts)"
_MIGHTY_NAME: Final = "SYSTEM_USER"
_MIGHTY: Final = (
    f"SELECT 1 FROM information_schema.user_privileges WHERE privilege_type = '{_MIGHTY_NAME}' AND grantee = %s"
)
"""MySQL: such an account is the definer of what an account creates that is such a one itself."""


def source_grants(connection: Connection[Any], where: str) -> Iterator[Fault]:
    """What the account of the log's reader lacks. `preflight` tries to read rows of each table separately, and
    `start_position` says which lock is needed, if any."""
    found = read_granted(connection)
    if found.lacks_all(("REPLICATION SLAVE", "REPLICATION REPLICA")):
        name = "REPLICATION SLAVE"
        said = f"{found.account} may not read the binary log of {where}{found.why((name,))}"
        yield Fault(MISSING, said, found.remedy_for((name,), (name,)))
    monitor = ("BINLOG MONITOR", "REPLICATION CLIENT")
    if found.lacks_all(monitor):
        name = monitor[0] if is_mariadb(connection) else monitor[1]
        said = f"{found.account} lacks the right to read the position of {where}'s log{found.why((name,))}"
        yield Fault(MISSING, said, found.remedy_for((name,), (name,)))


def target_grants(
    connection: Connection[Any], databases: Collection[str], where: str, *, needed: Sequence[str] = NEEDED_ON_TARGETS
) -> Iterator[Fault]:
    """The server's databases in which the account lacks a privilege that a run needs to write there."""
    found = read_granted(connection)
    for database in databases:
        if missing := found.find_lacking(needed, database):
            wanted = found.remedy_for(ON_TARGETS if needed is NEEDED_ON_TARGETS else needed, missing, database)
            more = found.why(missing, database)
            yield Fault(MISSING, f"{found.account} lacks {', '.join(missing)} in {database} on {where}{more}", wanted)


def fence_grants(
    connection: Connection[Any], databases: Collection[str], where: str, *, kind: FenceKind
) -> Iterator[Fault]:
    """What a fence of a cutover needs and the account lacks. SUPER stands for the others where MySQL has it. Privileges
    on single tables are not in the list of grants in one form: a SELECT shows them."""
    mariadb = is_mariadb(connection)
    rights, found = fence_rights(kind, mariadb=mariadb), read_granted(connection)
    has_super = not mariadb and not found.find_lacking((SUPER,))
    missing = [] if has_super else found.find_lacking(rights.everywhere)
    if set(missing) & KILLING and kill_procedure(connection):
        missing = [name for name in missing if name not in KILLING]
    if missing:
        more = found.why(missing) + (_NOT_MANAGED if kind == "read_only" else "")
        wanted = found.remedy_for(missing, missing)
        yield Fault(MISSING, f"{found.account} lacks {', '.join(missing)} on {where}{more}", wanted)
    for database in databases:
        if lacking := found.find_lacking(rights.databases, database):
            wanted = found.remedy_for(rights.databases, lacking, database)
            more = found.why(lacking, database)
            yield Fault(MISSING, f"{found.account} lacks {', '.join(lacking)} in {database} on {where}{more}", wanted)
    for table in rights.tables:
        if not may_read(connection, table):
            wanted = f"GRANT SELECT ON {table} TO {found.account_in_sql}"
            yield Fault(MISSING, f"{found.account} may not read {table} on {where}", wanted)


def definer_grants(connection: Connection[Any], definers: Sequence[str], where: str) -> Iterator[Fault]:
    """What the account lacks to create triggers that run as other accounts. SUPER stands for it where MySQL has it.
    MySQL shows what other accounts have only to an account that may read all of `mysql`."""
    found, names = read_granted(connection), definer_privileges(str(query(connection, "SELECT VERSION()")[0][0]))
    if not definers:
        return
    may = not found.lacks_all(names) or (not found.find_lacking((SUPER,)) and not is_mariadb(connection))
    lacking = [] if may else [(names[0], definers)]
    mighty = [name for name in definers if query(connection, _MIGHTY, (quote_account(name),))]
    if mighty and found.find_lacking((_MIGHTY_NAME,)):
        lacking.append((_MIGHTY_NAME, mighty))
    for privilege, accounts in lacking:
        said = f"{found.account} may not create triggers again on {where} that run as {', '.join(accounts)}"
        yield Fault(MISSING, said, found.remedy_for((privilege,), (privilege,)))


def may_read(connection: Connection[Any], table: str) -> bool:
    """Whether our account may read a table, or all of a database ("mysql.*")."""
    asked = table.replace("mysql.*", "mysql.db")  # one that every version has
    try:
        query(connection, f"SELECT 1 FROM {asked} LIMIT 0")
    except pymysql.err.MySQLError as error:
        if error.args[0] in STATEMENT_DENIED:
            return False
        raise
    return True
