"""Which privileges does our account have on a server, as the server itself evaluates them: with the roles that are
active, without what partial revokes take away, and for the account that stands for ours (a proxy)?

Runs in the driver; reads one server. On MariaDB it makes a role active for a moment, in its own session.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.mysql.grants import grant, quote_account
from shardwright.runtime.mysql.transactions import query

EVERYTHING: Final = "ALL PRIVILEGES"
_ROW: Final = re.compile(
    r"(?P<verb>GRANT|REVOKE) (?P<privileges>.+?) ON (?:\*|`(?P<database>(?:[^`]|``)+)`)\.\* (?:TO|FROM) "
)
_ROLE: Final = re.compile(r"GRANT (?P<roles>`.+`) TO (?P<to>\S+)")
_NAME: Final = re.compile(r"`(?:[^`]|``)*`(?:@`(?:[^`]|``)*`)?")


@dataclass(frozen=True, slots=True)
class Grants:
    """What SHOW GRANTS shows in this session."""

    account: str
    """user@host, as the server knows us."""
    rows: tuple[str, ...]
    """The rows of SHOW GRANTS: those of the account, and of the roles that are active in this session."""
    literal: bool = False
    """Whether names of databases in grants have no wildcards (MySQL with partial_revokes=ON)."""
    asleep: Mapping[str, Grants] = field(default_factory=dict)
    """Role -> what the account has when it is active, for the roles that are granted and not active."""
    mariadb: bool = False

    @property
    def account_in_sql(self) -> str:
        """The account in the form that GRANT needs."""
        return quote_account(self.account)

    def find_lacking(self, names: Sequence[str], database: str | None = None) -> list[str]:
        """Those of the privileges that the account lacks: on the server as a whole, or in a database. By whole names:
        REPLICATION SLAVE ADMIN is not REPLICATION SLAVE."""
        everywhere, within, revoked = self._privileges_in(database)
        if EVERYTHING in within:
            return []
        return [
            name for name in names if name not in within and (name in revoked or not {name, EVERYTHING} & everywhere)
        ]

    def lacks_all(self, names: Sequence[str]) -> bool:
        """Whether it has none of the privileges, each of which is enough."""
        return len(self.find_lacking(names)) == len(names)

    def remedy_for(self, names: Sequence[str], missing: Sequence[str], database: str | None = None) -> str:
        """The statement that lets the account do what it lacks: a role that has it is made active, or it is granted."""
        if (role := self._inactive_role(missing, database)) is not None:
            return f"SET DEFAULT ROLE {role} {'FOR' if self.mariadb else 'TO'} {self.account_in_sql}"
        if database is None:
            return f"GRANT {', '.join(names)} ON *.* TO {self.account_in_sql}"
        return grant(names, database, self.account_in_sql, literal=self.literal)

    def why(self, missing: Sequence[str], database: str | None = None) -> str:
        """More about what it lacks, to be put behind a sentence; empty where there is nothing to say."""
        if (role := self._inactive_role(missing, database)) is not None:
            always = "" if self.mariadb else "; activate_all_roles_on_login = ON would make all active"
            return f" (role {role} has it, and is granted and not active{always})"
        revoked = [name for name in missing if name in self._privileges_in(database)[2]]
        return f" (partial revokes take {', '.join(revoked)} away there)" if revoked else ""

    def _inactive_role(self, missing: Sequence[str], database: str | None) -> str | None:
        """A role that is granted, not active, and has all of it."""
        return next((role for role, awake in self.asleep.items() if not awake.find_lacking(missing, database)), None)

    def _privileges_in(self, database: str | None) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """On all databases, in this one, and what is taken away from the former in this one."""
        found: dict[str, set[str]] = {"everywhere": set(), "within": set(), "revoked": set()}
        for row in self.rows:
            match = _ROW.match(row)
            if match is None:
                continue
            names = {privilege.strip().upper() for privilege in match["privileges"].split(",")}
            if match["database"] is None:
                found["everywhere"] |= names
            elif match["verb"] == "REVOKE":
                if database is not None and match["database"].replace("``", "`") == database:
                    found["revoked"] |= names
            elif database is not None and covers(match["database"], database, literal=self.literal):
                found["within"] |= names
        return frozenset(found["everywhere"]), frozenset(found["within"]), frozenset(found["revoked"])


def covers(pattern: str, database: str, *, literal: bool = False) -> bool:
    r"""Whether a grant's pattern covers a database: `_` and `%` are wildcards unless written `\_` and `\%`, or where
    `Granted.literal` holds."""
    if literal:
        return pattern.replace("``", "`") == database
    parts = re.findall(r"\\[_%]|.", pattern.replace("``", "`"))
    wild = {"_": ".", "%": ".*"}
    return re.fullmatch("".join(wild.get(part, re.escape(part[-1])) for part in parts), database) is not None


def read_granted(connection: Connection[Any]) -> Grants:
    """What our account may do in this session."""
    account = str(query(connection, "SELECT CURRENT_USER()")[0][0])
    driver: Any = connection
    mariadb = "mariadb" in str(driver.get_server_info()).lower()
    rows, literal = _show_grants(connection), not mariadb and _has_partial_revokes(connection)
    active = _active(connection)
    asleep = {}
    for role in _roles(rows):
        if role not in active and role.partition("@")[0] not in active:
            seen = _with_role(connection, role, active, mariadb=mariadb)
            asleep[role] = Grants(account, seen, literal, mariadb=mariadb)
    return Grants(account, rows, literal, asleep, mariadb)


def _show_grants(connection: Connection[Any], statement: str = "SHOW GRANTS") -> tuple[str, ...]:
    return tuple(str(row[0]) for row in query(connection, statement))


def _has_partial_revokes(connection: Connection[Any]) -> bool:
    return any(
        str(value).upper() == "ON" for _, value in query(connection, "SHOW GLOBAL VARIABLES LIKE 'partial_revokes'")
    )


def _roles(rows: Iterable[str]) -> list[str]:
    """All that are granted, as they are written there."""
    found = (match for row in rows if (match := _ROLE.match(row)))
    return [name for match in found for name in _NAME.findall(match["roles"])]


def _active(connection: Connection[Any]) -> Collection[str]:
    text = str(query(connection, "SELECT CURRENT_ROLE()")[0][0] or "NONE")
    if text == "NONE":
        return ()
    return _NAME.findall(text) or (quote(text),)


def _with_role(connection: Connection[Any], role: str, active: Collection[str], *, mariadb: bool) -> tuple[str, ...]:
    """Empty where the role cannot be looked at."""
    with suppress(pymysql.err.MySQLError):
        if not mariadb:
            return _show_grants(connection, f"SHOW GRANTS FOR CURRENT_USER() USING {', '.join([*active, role])}")
        try:
            query(connection, f"SET ROLE {role}")
            return _show_grants(connection)
        finally:
            query(connection, f"SET ROLE {next(iter(active), 'NONE')}")
    return ()
