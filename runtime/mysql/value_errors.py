"""Which errors of a server are about the value of one row, so that the other rows would go in."""

from __future__ import annotations

import pymysql

from shardwright.runtime.mysql.errors import ABOUT_A_VALUE


def is_about_a_value(error: pymysql.err.MySQLError) -> bool:
    return bool(error.args) and error.args[0] in ABOUT_A_VALUE
