"""Which of the documented grants do our accounts lack, and which statement gives each (hazard I7)?

Runs in the driver; reads one server.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.check import Fault
from shardwright.runtime.mysql.errors import STATEMENT_DENIED
from shardwright.runtime.mysql.grants import (
    NEEDED_ON_TARGETS,
    ON_TARGETS,
    FenceRights,
    definer_privileges,
    fence_rights,
    grant,
    quoted_account,
)
from shardwright.runtime.mysql.servers import current_account, is_mariadb
from shardwright.runtime.mysql.transactions import query
from shardwright.specs.environment.cutover import FenceKind

MISSING: Final = "SW8125"
_EVERYTHING = "ALL PRIVILEGES"
_MIGHTY_NAME: Final = "SYSTEM_USER"
_MIGHTY: Final = (
    f"SELECT 1 FROM information_schema.user_privileges WHERE privilege_type = '{_MIGHTY_NAME}' AND grantee = %s"
)
"""MySQL: such an account is the definer of what an account creates that is such a one itself."""
_ON_DATABASES = re.compile(r"GRANT (?P<privileges>.+?) ON (?:\*|`(?P<pattern>(?:[^`]|``)+)`)\.\* TO ")


@dataclass(frozen=True, slots=True)
class _Grants:
    """The privileges of an account, as the server shows them. A role that the server does not unfold hides its own."""

    account: str
    rows: tuple[str, ...]

    @property
    def quoted(self) -> str:
        """The account in the form that GRANT needs."""
        return quoted_account(self.account)

    @property
    def has_roles(self) -> bool:
        return any(" ON " not in row for row in self.rows)

    def everywhere(self) -> frozenset[str]:
        """Privileges on all databases, by whole names: REPLICATION SLAVE ADMIN is not REPLICATION SLAVE."""
        return self._found(None)

    def within(self, database: str) -> frozenset[str]:
        return self._found(database)

    def _found(self, database: str | None) -> frozenset[str]:
        found: set[str] = set()
        for row in self.rows:
            match = _ON_DATABASES.match(row)
            if match and (match["pattern"] is None or (database and stands_for(match["pattern"], database))):
                found |= {privilege.strip().upper() for privilege in match["privileges"].split(",")}
        return frozenset(found)


def source_grants(connection: Connection[Any], where: str) -> Iterator[Fault]:
    """What the account of the log's reader lacks. `preflight` tries to read rows of each table separately."""
    grants = _grants(connection)
    granted = grants.everywhere()
    if _EVERYTHING in granted:
        return
    if not granted & {"REPLICATION SLAVE", "REPLICATION REPLICA"}:
        wanted = f"GRANT REPLICATION SLAVE ON *.* TO {grants.quoted}"
        yield Fault(MISSING, f"{grants.account} may not read the binary log of {where}", wanted)
    monitor = ("BINLOG MONITOR", "REPLICATION CLIENT")
    if not granted & set(monitor):
        wanted = f"GRANT {monitor[0] if is_mariadb(connection) else monitor[1]} ON *.* TO {grants.quoted}"
        yield Fault(MISSING, f"{grants.account} lacks the right to read the position of {where}'s log", wanted)


def target_grants(
    connection: Connection[Any], databases: Collection[str], where: str, *, needed: Sequence[str] = NEEDED_ON_TARGETS
) -> Iterator[Fault]:
    """The server's databases in which the account lacks a privilege that a run needs to write there."""
    grants = _grants(connection)
    for database in databases:
        granted = grants.within(database)
        missing = [name for name in needed if name not in granted]
        if missing and _EVERYTHING not in granted and not grants.has_roles:
            wanted = grant(ON_TARGETS if needed is NEEDED_ON_TARGETS else needed, database, grants.quoted)
            yield Fault(MISSING, f"{grants.account} lacks {', '.join(missing)} in {database} on {where}", wanted)


def fence_grants(
    connection: Connection[Any], databases: Collection[str], where: str, *, kind: FenceKind
) -> Iterator[Fault]:
    """What a fence of a cutover needs and the account lacks. SUPER stands for the others where MySQL has it. Privileges
    on single tables are not in the list of grants in one form: a SELECT shows them."""
    mariadb = is_mariadb(connection)
    rights, grants = fence_rights(kind, mariadb=mariadb), _grants(connection)
    granted = grants.everywhere()
    enough = _EVERYTHING in granted or (not mariadb and "SUPER" in granted) or grants.has_roles
    missing = () if enough else tuple(name for name in rights.everywhere if name not in granted)
    if missing:
        (wanted, *_) = FenceRights(missing).grants((), grants.quoted)
        yield Fault(MISSING, f"{grants.account} lacks {', '.join(missing)} on {where}", wanted)
    for database in databases:
        lacking = [name for name in rights.databases if name not in grants.within(database)]
        if lacking and _EVERYTHING not in grants.within(database) and not grants.has_roles:
            wanted = grant(rights.databases, database, grants.quoted)
            yield Fault(MISSING, f"{grants.account} lacks {', '.join(lacking)} in {database} on {where}", wanted)
    for table in rights.tables:
        if not may_read(connection, table):
            wanted = f"GRANT SELECT ON {table} TO {grants.quoted}"
            yield Fault(MISSING, f"{grants.account} may not read {table} on {where}", wanted)


def definer_grants(connection: Connection[Any], definers: Sequence[str], where: str) -> Iterator[Fault]:
    """What the account lacks to create triggers that run as other accounts. SUPER stands for it where MySQL has it.
    MySQL shows what other accounts have only to an account that may read all of `mysql`."""
    grants, names = _grants(connection), definer_privileges(str(query(connection, "SELECT VERSION()")[0][0]))
    granted = grants.everywhere()
    if not definers or grants.has_roles or _EVERYTHING in granted:
        return
    may = granted & set(names) or ("SUPER" in granted and not is_mariadb(connection))
    lacking = [] if may else [(names[0], definers)]
    mighty = [name for name in definers if query(connection, _MIGHTY, (quoted_account(name),))]
    if mighty and _MIGHTY_NAME not in granted:
        lacking.append((_MIGHTY_NAME, mighty))
    for privilege, accounts in lacking:
        found = f"{grants.account} may not create triggers again on {where} that run as {', '.join(accounts)}"
        yield Fault(MISSING, found, f"GRANT {privilege} ON *.* TO {grants.quoted}")


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


def _grants(connection: Connection[Any]) -> _Grants:
    account = current_account(connection)
    return _Grants(account, tuple(str(row[0]) for row in query(connection, "SHOW GRANTS")))


def stands_for(pattern: str, database: str) -> bool:
    r"""Whether a grant's pattern covers a database: `_` and `%` are wildcards unless written `\_` and `\%`."""
    parts = re.findall(r"\\[_%]|.", pattern.replace("``", "`"))
    wild = {"_": ".", "%": ".*"}
    return re.fullmatch("".join(wild.get(part, re.escape(part[-1])) for part in parts), database) is not None
