"""Which privileges an account needs, and the GRANT statements that give them: in messages and in the sandbox, with
names that mean one database only.

Pure. Used in the driver and in Spark tasks, where a connection is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from shardwright.compiler.sql.sql_text import quote
from shardwright.specs.environment.cutover import FenceKind

NEEDED_ON_TARGETS: Final = (
    "SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "INDEX", "CREATE TEMPORARY TABLES", "TRIGGER"
)  # fmt: skip
"""What is used in a target database. Without TRIGGER the server hides triggers that act on what we write."""
OF_USE_ON_TARGETS: Final = ("LOCK TABLES",)
"""Without it large batches cost the shards more (`stream/stage/cleanup`)."""
ROWS: Final = ("SELECT", "INSERT", "UPDATE", "DELETE")
"""What is used in a source database by rows that come back."""
ON_TARGETS: Final = (*NEEDED_ON_TARGETS, *OF_USE_ON_TARGETS)


@dataclass(frozen=True, slots=True)
class FenceRights:
    """What a kind of fence uses on a server."""

    everywhere: tuple[str, ...] = ()
    """Privileges on *.*"""
    databases: tuple[str, ...] = ()
    """Privileges in each database of the migration."""
    tables: tuple[str, ...] = ()
    """Tables of the server that are read."""

    def grants(self, databases: Collection[str], account: str) -> Iterator[str]:
        """The statements that give them."""
        if self.everywhere:
            yield f"GRANT {', '.join(self.everywhere)} ON *.* TO {account}"
        if self.databases:
            yield from (grant(self.databases, database, account) for database in databases)
        yield from (f"GRANT SELECT ON {table} TO {account}" for table in self.tables)


_KILL: Final = {True: ("PROCESS", "CONNECTION ADMIN"), False: ("PROCESS", "CONNECTION_ADMIN")}
"""By whether it is MariaDB. CONNECTION_ADMIN also passes read_only, on MySQL only."""
KILLING: Final = frozenset({"CONNECTION ADMIN", "CONNECTION_ADMIN"})
"""For which a provider's procedure may stand (`mysql/kill`)."""
_ACCOUNTS: Final = {True: ("mysql.global_priv",), False: ("mysql.user",)}
"""Where MariaDB and MySQL keep whether an account is locked."""


def fence_rights(kind: FenceKind, *, mariadb: bool) -> FenceRights:
    """What `cutover.fence` of the environment needs on each server of its side, besides what a run needs."""
    match kind:
        case "triggers":
            shown = () if mariadb else ("performance_schema.metadata_locks", "performance_schema.threads")
            return FenceRights(_KILL[mariadb], ("TRIGGER",), shown)
        case "read_only":
            own = "READ_ONLY ADMIN" if mariadb else "SYSTEM_VARIABLES_ADMIN"
            # information_schema.user_privileges shows other accounts' to those who may read all of `mysql`.
            return FenceRights((*_KILL[mariadb], own), (), ("mysql.*",))
        case "lock_accounts":
            return FenceRights((*_KILL[mariadb], "CREATE USER"), (), _ACCOUNTS[mariadb])
        case "hook":
            return FenceRights()


def definer_privileges(version: str) -> tuple[str, ...]:
    """Any of them lets an account create triggers that run as another account; the first one is for this version."""
    if "mariadb" in version.lower():
        return ("SET USER",)
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    return ("SET_ANY_DEFINER", "SET_USER_ID") if numbers >= (8, 2) else ("SET_USER_ID",)


def grant(privileges: Collection[str], database: str, account: str, *, literal: bool = False) -> str:
    """`account` is written as given: an account in quotes, or words that mean one. `literal`: the server takes the
    database's name as it stands (MySQL with partial_revokes=ON), where an escape would make it another one."""
    everything = f"{quote(database)}.*" if literal else everything_in(database)
    return f"GRANT {', '.join(privileges)} ON {everything} TO {account}"


def quote_account(account: str) -> str:
    """The account in the form of GRANT; `account` is what CURRENT_USER() returns, user@host."""
    user, _, host = account.rpartition("@")
    return "@".join(exp.Literal.string(part).sql("mysql") for part in (user, host))


def everything_in(database: str) -> str:
    """`database.*` for GRANT, which reads an underscore or a percent sign in the name as a wildcard."""
    return quote(database.replace("_", r"\_").replace("%", r"\%")) + ".*"
