"""Why a statement with MD5 fails on MySQL from 9.6 on: MD5 is in a component of its own there. Without the component
the server takes the name for a stored function's.

Pure. Used in the driver, by `verify` and `route`.
"""

from __future__ import annotations

from typing import Final

import pymysql

from shardwright.runtime.mysql.errors import NO_SUCH_FUNCTION

INSTALL: Final = "INSTALL COMPONENT 'file://component_classic_hashing'"


def error_text(error: pymysql.err.MySQLError, statement: str) -> str:
    """The server's error about a statement, with its number, and with the remedy where it lacks MD5."""
    number, text = (*error.args, "", "")[:2]
    said = f"{text or error} (server error {number})"
    if number in NO_SUCH_FUNCTION and "MD5(" in statement.upper():
        return f"{said}: it has no MD5 unless its administrator runs {INSTALL}, once"
    return said
