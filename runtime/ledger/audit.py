"""Which decisions a run took by itself, and what operators ordered, with who it was: one line each, for people.

Used in the driver, by runs and by operators' commands. Writes to the first shard, in the transaction of the change that
the line describes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.mysql.transactions import execute, execute_later, query, query_if_there

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_audit` (
      id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
      migration VARCHAR(64) NOT NULL,
      at DATETIME(6) NOT NULL,
      what VARCHAR(64) NOT NULL,
      detail LONGTEXT NOT NULL,
      who VARCHAR(255) NOT NULL,
      account VARCHAR(255) NOT NULL,
      version VARCHAR(64) NOT NULL,
      plan VARCHAR(64) NOT NULL,
      command VARCHAR(1024) NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On the first shard."""

RUN_BEGUN: Final = "run: begun"
"""The line of a run that holds the fencing token, with the account that it writes by."""

_ADD = (
    "INSERT INTO `_shardwright_audit` (migration, at, what, detail, who, account, version, plan, command) "
    "VALUES (%s, NOW(6), %s, %s, %s, CURRENT_USER(), %s, %s, %s)"
)
_LAST = (
    "SELECT at, what, detail, who, account, version, plan, command FROM `_shardwright_audit` WHERE migration = %s "
    "ORDER BY id DESC LIMIT %s"
)
_ACCOUNT = "SELECT account FROM `_shardwright_audit` WHERE migration = %s AND what = %s ORDER BY id DESC LIMIT 1"
_ABOUT = (
    "SELECT at, what, detail, who, account, version, plan, command FROM `_shardwright_audit` WHERE migration = %s "
    "AND (LOCATE(%s, detail) = 1 OR LOCATE(%s, what) = 1) ORDER BY id"
)


@dataclass(frozen=True, slots=True)
class Actor:
    """On whose behalf this process writes."""

    who: str = ""
    """user@host:process, and who called sudo."""
    version: str = ""
    """Of the tool."""
    plan: str = ""
    """Fingerprint of the plan that was given."""
    command: str = ""
    """Verb and arguments, without values that might be secret or personal."""


_actor = Actor()


def act_as(actor: Actor) -> None:
    """From now on lines of this process say so."""
    global _actor
    _actor = actor


def audit(connection: Connection[Any], migration: str, what: str, *, detail: str) -> None:
    """`what` in a few words (64 characters at most); `detail` is for an operator who reads it a week later."""
    by = _actor
    execute(connection, _ADD, (migration, what, detail, by.who[:255], by.version, by.plan, by.command[:1024]))


def audit_later(connection: Connection[Any], migration: str, what: str, *, detail: str) -> None:
    """The same with the next statement of a transaction."""
    by = _actor
    values = (migration, what, detail, by.who[:255], by.version, by.plan, by.command[:1024])
    execute_later(connection, _ADD, values, may_commit=True)


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One line of the audit."""

    at: datetime
    """By the first shard's clock, in UTC."""
    what: str
    """What was done, in a few words."""
    detail: str
    """More of it."""
    who: str
    """The operator, with host and process."""
    account: str
    """Of our connection, as the server knows it."""
    version: str
    """Of the tool."""
    plan: str
    """The plan's fingerprint."""
    command: str
    """Verb and arguments."""


def last_lines(connection: Connection[Any], migration: str, number: int) -> tuple[AuditLine, ...]:
    """The last ones, the oldest first. `connection` is to the first shard."""
    rows = query(connection, _LAST, (migration, number))
    return tuple(AuditLine(at, *map(str, others)) for at, *others in reversed(rows))


def account_of_run(connection: Connection[Any], migration: str) -> str | None:
    """The account of the run that has begun last, as user@host; None where none has. `connection` is to the first
    shard."""
    rows = query(connection, _ACCOUNT, (migration, RUN_BEGUN))
    return str(rows[0][0]) if rows else None


def lines_about(connection: Connection[Any], migration: str, *, detail: str, what: str) -> tuple[AuditLine, ...]:
    """Those whose detail begins with `detail`, and those of which `what` begins so; the oldest first."""
    rows = query_if_there(connection, _ABOUT, (migration, detail, what))
    return tuple(AuditLine(at, *map(str, others)) for at, *others in rows)
