"""MD5 on MySQL from 9.6 on: in a component of its own. Without it the server takes the name for a stored function's."""

from __future__ import annotations

from typing import Final

import pymysql

from shardwright.runtime.mysql.errors import NO_SUCH_FUNCTION

INSTALL: Final = "INSTALL COMPONENT 'file://component_classic_hashing'"


def told(error: pymysql.err.MySQLError, statement: str) -> str:
    """What the server said of a statement, with its number; and how it learns MD5, where that is what it lacks."""
    number, text = (*error.args, "", "")[:2]
    said = f"{text or error} (server error {number})"
    if number in NO_SUCH_FUNCTION and "MD5(" in statement.upper():
        return f"{said}: it has no MD5 unless its administrator runs {INSTALL}, once"
    return said
