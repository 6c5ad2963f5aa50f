"""Which errors of the servers are transient, and so worth trying again (hazards A16, A17, A18, G6, G8).

Pure. Used in the driver, also for errors that Spark brings from tasks as text.
"""

from __future__ import annotations

import re
from typing import Final

import pymysql

from shardwright.runtime.failures import Refused, RuntimeFailure, ServerTrouble
from shardwright.runtime.mysql.errors import (
    ABOUT_A_VALUE,
    ASKED_FOR_FILE,
    CHANGED_MEANWHILE,
    DRIVERS_OWN,
    GONE,
    LOCAL_REFUSED,
    LOCK_BUSY,
    NO_ROOM,
    NO_SUCH_TABLE,
    READ_ONLY,
    STATEMENT_DENIED,
    TOO_BUSY,
    TOO_LARGE,
)
from shardwright.specs.findings.remedies import START_OVER

PASSING: Final = GONE | TOO_BUSY | LOCK_BUSY | READ_ONLY | CHANGED_MEANWHILE | NO_ROOM
"""Locks that were not released during all tries of a transaction are among them."""

_PACKET: Final = "max_allowed_packet"

_OF_LEDGERS: Final = re.compile(r"'(?P<database>[^']+)\.(?P<table>_shardwright_\w+)'")

_DRIVER_ERROR = re.compile(r"pymysql\.err\.\w+: \((\d+), (.*)\)")
"""The form of PyMySQL's errors in a traceback, as which they cross Spark."""


def passes(error: pymysql.err.MySQLError) -> bool:
    """Whether the same may work a little later. Error 0 is PyMySQL's own: the connection was closed already."""
    number = error.args[0] if error.args else None
    return number in PASSING or (number == 0 and isinstance(error, pymysql.err.InterfaceError))


def as_trouble(error: pymysql.err.MySQLError, where: str) -> ServerTrouble:
    """The failure for a transient error. `where` names the server or database and what was done on it."""
    number, text = (*error.args, "")[:2] if error.args else (0, str(error))
    return ServerTrouble(f"{where}: error {number}: {text or 'the connection is closed'}")


def judge_error(number: int, text: str, where: str) -> RuntimeFailure | None:
    """The failure for an error of PyMySQL: a transient one, or a refusal by the server; None for any other. `where`
    names the server."""
    if number in PASSING:
        return ServerTrouble(f"{where}: error {number}: {text or 'the connection is closed'}")
    if number == ASKED_FOR_FILE:
        return Refused("SW8104", f"{where}: {text}")
    if number in TOO_LARGE or _PACKET in text:
        return Refused("SW8143", f"{where}: {text}")
    return Refused("SW8301", f"{where}: {text}") if number in ABOUT_A_VALUE else None


def refusal_in(error: BaseException) -> RuntimeFailure | None:
    """What a server refuses, or what is refused to it, however often it is tried. Found also in text that Spark carries
    without a note."""
    if LOCAL_REFUSED in str(error):
        return Refused("SW8104", "a server asked for a file of this machine's: refused")
    for number, text in _errors_in(error):
        found = judge_error(number, text, where_of(error))
        if found is not None and not isinstance(found, ServerTrouble):
            return found
    return None


def trouble_in(error: BaseException) -> RuntimeFailure | None:
    """The transient failure behind an error of PyMySQL, or behind one that Spark carries as text; None when it is not
    transient."""
    if isinstance(error, pymysql.err.MySQLError):
        return as_trouble(error, where_of(error)) if passes(error) else None
    for number, text in _errors_in(error):
        if isinstance(found := judge_error(number, text, where_of(error)), ServerTrouble):
            return found
    return None


def server_error_in(error: BaseException) -> RuntimeFailure | None:
    """For an error of PyMySQL that no function above knows: the server refused a statement, and says why."""
    if not isinstance(error, pymysql.err.MySQLError) or not error.args or not isinstance(error.args[0], int):
        return None
    number, text = (*error.args, "")[:2]
    return statement_refusal(number, str(text), where_of(error))


def statement_refusal(number: int, text: str, where: str) -> RuntimeFailure | None:
    """None for PyMySQL's own numbers."""
    if number in STATEMENT_DENIED:
        return Refused("SW8102", f"{where} denies access: {text}")
    if number == NO_SUCH_TABLE and (lost := _OF_LEDGERS.search(text)):
        return Refused(
            "SW8207",
            f"{where}: the ledger in database {lost['database']} has lost its table {lost['table']}. Restore the "
            f"database with its ledger, or {START_OVER}",
        )
    return None if number in DRIVERS_OWN else Refused("SW8151", f"{where}: error {number}: {text}")


def where_of(error: BaseException) -> str:
    """The server of an error, as its connection has noted it."""
    return str(getattr(error, "where", "a server"))


def _errors_in(error: BaseException) -> list[tuple[int, str]]:
    return [(int(number), text.strip(chr(39) + chr(34))) for number, text in _DRIVER_ERROR.findall(str(error))]
