"""Which errors of a server are about the value of one row, so that the other rows would go in."""

from __future__ import annotations

import pymysql

ABOUT_A_VALUE = frozenset({1048, 1264, 1265, 1292, 1366, 1406, 1411, 1416, 3140, 3819, 4025})
"""NULL, out of range, truncated, wrong date, wrong text, too long, wrong geometry, wrong JSON, CHECK."""


def is_about_a_value(error: pymysql.err.MySQLError) -> bool:
    return bool(error.args) and error.args[0] in ABOUT_A_VALUE
