"""Error numbers of the servers and of the driver, by what they mean to us, and what the driver refuses by itself."""

from __future__ import annotations

from typing import Final

import pymysql

from shardwright.runtime.failures import Refused

BAD_DB: Final = 1049
BAD_FIELD: Final = 1054
CANT_AGGREGATE: Final = 1267
DBACCESS_DENIED: Final = 1044
DUP_ENTRY: Final = 1062
LOCK_DEADLOCK: Final = 1213
LOCK_WAIT_TIMEOUT: Final = 1205
NO_SUCH_TABLE: Final = 1146
NO_SUCH_THREAD: Final = 1094
PARSE_ERROR: Final = 1064
SPECIFIC_ACCESS_DENIED: Final = 1227
TABLEACCESS_DENIED: Final = 1142
COLUMNACCESS_DENIED: Final = 1143
UNKNOWN_SYSTEM_VARIABLE: Final = 1193
LOG_READ_ERROR: Final = 1236
"""The binary log cannot be given from there."""
RESULT_CUT_SHORT: Final = 1301
"""The result of a function was larger than max_allowed_packet, so the server returns NULL."""
TOO_MANY_CHANGES: Final = 1799
"""While an index was built."""
SERVER_LOST: Final = 2013
NO_TLS_THERE: Final = 2026

LOGIN_DENIED: Final = frozenset({DBACCESS_DENIED, 1045, 1698})
"""Of a connection: the account, or its database."""
STATEMENT_DENIED: Final = frozenset({DBACCESS_DENIED, TABLEACCESS_DENIED, COLUMNACCESS_DENIED, SPECIFIC_ACCESS_DENIED})
"""Of a statement: a privilege is missing."""
DENIED: Final = LOGIN_DENIED | STATEMENT_DENIED
LOCK_BUSY: Final = frozenset({LOCK_WAIT_TIMEOUT, LOCK_DEADLOCK})
CONNECTION_LOST: Final = frozenset({2002, 2003, 2006, 2013, 2014, 2055, 1152, 1158, 1159, 1160, 1161, 4031})
"""The network's, or the driver's word for it."""
CONNECTION_ENDED: Final = frozenset({1053, 1077, 1079, 1317, 1927, 3169})
"""Shut down, or our session killed by somebody."""
TOO_BUSY: Final = frozenset({1040, 1203, 1226})
"""Too many connections."""
READ_ONLY: Final = frozenset({1290, 1792, 1836})
"""A primary that was switched: it comes back, or another one behind the same address does."""
CHANGED_MEANWHILE: Final = frozenset({159, 1412})
"""Another session gave the table an index or a column after this transaction's view of the rows was made: with a new view it works. MariaDB's
INSERT says so by the storage engine's own number ("insufficient history for index")."""
NO_ROOM: Final = frozenset({1021, 1026, 1041, 1114})
GONE: Final = CONNECTION_LOST | CONNECTION_ENDED
"""The statement may or may not have had its effect."""
TOO_LARGE: Final = frozenset({1153, RESULT_CUT_SHORT})
ASKED_FOR_FILE: Final = frozenset({2068})
PLAIN_TEXT_REFUSED: Final = frozenset({3159, 4151})
"""For a server that takes no plain text; MariaDB may say that it denies access instead."""
NO_SUCH_FUNCTION: Final = frozenset({1046, 1305, 1370})
"""In a session without a database, in one that has one, and of an account that may execute no routine."""
NO_SUCH_COLLATION: Final = frozenset({1115, 1253, 1273})
"""Unknown character set, a collation of another character set, unknown collation."""
HAS_EFFECT_ALREADY: Final = frozenset({1050, 1051, 1060, 1061, 1091, 1826, 3821, 3822})
"""Of DDL: table there, table gone; duplicate column, duplicate key, nothing of that name to drop; duplicate and
missing check."""
NOT_THIS_WAY: Final = frozenset({1845, 1846, 4092})
"""Of ALGORITHM and LOCK: not supported, with and without a reason; MySQL's instant changes of one table are used up."""
REFERENCED: Final = frozenset({1217, 1451, 1701})
"""By a foreign key."""
ABOUT_A_VALUE: Final = frozenset({1048, 1264, 1265, 1292, 1366, 1406, 1411, 1416, 3140, 3819, 4025})
"""NULL, out of range, truncated, wrong date, wrong text, too long, wrong geometry, wrong JSON, CHECK."""
QUERY_DEPRECATIONS: Final = frozenset({1287, 1681, 3719, 3778})
"""Warnings of a query: of syntax, types and collations that still do what they did, nothing about data."""
DEPRECATIONS: Final = QUERY_DEPRECATIONS | {3720, 3779, 3856, 3858, 3859, 3860, 3861, 3956, 4079, 4119, 4162}
"""Those of any statement."""
IN_DOUBT: Final = CONNECTION_LOST | {0, 1053, 1927, 3169}
"""Whether DDL had its effect is not known then; a statement that was interrupted (1317) had none. 0 is the driver's."""
DRIVERS_OWN: Final = frozenset({0, *range(2000, 3000)})
"""The client's side gives these, not the server."""


LOCAL_REFUSED = "Received LOAD_LOCAL packet"
_PACKAGES = {
    "pynacl": "install the package: pip install 'PyMySQL[ed25519]'",
}


def driver_refusal(error: RuntimeError, where: object) -> Refused:
    """The message for a driver's error at `where` that is none of MySQL's. Anything we do not know is raised again."""
    if LOCAL_REFUSED in str(error):  # hazard I4; it got nothing
        return Refused(
            "SW8104", f"{where} asked for a file of this machine's, which no statement of ours lets it: refused"
        )
    for package, way_out in _PACKAGES.items():
        if f"'{package}' package is required" in str(error):
            said = (
                f"the account's password cannot be sent to {where} by its way to log in without the package {package}"
            )
            return Refused("SW8106", f"{said}: {way_out}")
    raise error


def is_about_a_value(error: pymysql.err.MySQLError) -> bool:
    return bool(error.args) and error.args[0] in ABOUT_A_VALUE
