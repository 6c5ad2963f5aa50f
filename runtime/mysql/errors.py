"""What the error numbers of the servers and of PyMySQL mean to us, and which of PyMySQL's own errors become a refusal.

Pure. Used in the driver and in Spark tasks.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import pymysql

from shardwright.runtime.failures import Refused

BAD_DB: Final = 1049
BAD_FIELD: Final = 1054
DATA_TRUNCATED: Final = 1265
DBACCESS_DENIED: Final = 1044
DUP_ENTRY: Final = 1062
LOCK_DEADLOCK: Final = 1213
LOCK_WAIT_TIMEOUT: Final = 1205
NO_SUCH_TABLE: Final = 1146
UNKNOWN_TABLE: Final = 1109
"""In information_schema, which has tables of the server's only."""
NO_SUCH_THREAD: Final = 1094
KILL_DENIED: Final = 1095
PARSE_ERROR: Final = 1064
SPECIFIC_ACCESS_DENIED: Final = 1227
TABLEACCESS_DENIED: Final = 1142
COLUMNACCESS_DENIED: Final = 1143
UNKNOWN_SYSTEM_VARIABLE: Final = 1193
WRONG_VALUE_FOR_VARIABLE: Final = 1231
LOG_READ_ERROR: Final = 1236
"""The server cannot send its binary log from the position that was asked for."""
RESULT_CUT_SHORT: Final = 1301
"""The result of a function was larger than max_allowed_packet, so the server returns NULL."""
TOO_MANY_CHANGES: Final = 1799
"""While an index was built."""
OUT_OF_RANGE: Final = 1690
SERVER_LOST: Final = 2013
ASKED_FOR_FILE: Final = 2068
"""The server asked for a file of this machine."""
NO_TLS_THERE: Final = 2026

LOGIN_DENIED: Final = frozenset({DBACCESS_DENIED, 1045, 1698})
"""A connection is refused: for its account, or for its database."""
STATEMENT_DENIED: Final = frozenset({DBACCESS_DENIED, TABLEACCESS_DENIED, COLUMNACCESS_DENIED, SPECIFIC_ACCESS_DENIED})
"""A statement is refused: a privilege is missing."""
DENIED: Final = LOGIN_DENIED | STATEMENT_DENIED
NOT_SUPPORTED: Final = frozenset({1105, 1235})
"""By this version, or by a proxy in front of the server, which calls it an unknown error."""
LOCK_BUSY: Final = frozenset({LOCK_WAIT_TIMEOUT, LOCK_DEADLOCK})
CONNECTION_LOST: Final = frozenset({2002, 2003, 2006, 2013, 2014, 2055, 1152, 1158, 1159, 1160, 1161, 4031})
"""Errors of the network, or PyMySQL's numbers for them."""
CONNECTION_ENDED: Final = frozenset({1053, 1077, 1079, 1317, 1927, 3169})
"""The server was shut down, or another client killed our session."""
TOO_BUSY: Final = frozenset({1040, 1203, 1226})
"""Too many connections."""
READ_ONLY: Final = frozenset({1290, 1792, 1836})
"""A switched primary: it becomes writable again, or another server takes over its address."""
CHANGED_MEANWHILE: Final = frozenset({159, 1412})
"""Another session gave the table an index or a column after this transaction's view of the rows was made. With a new
view the statement works. MariaDB's INSERT reports it by the storage engine's own number ("insufficient history for
index")."""
CHECKREAD: Final = 1020
"""A row was changed since the transaction's view of the rows was made (ER_CHECKREAD). MariaDB reports it where
innodb_snapshot_isolation is on."""
NO_ROOM: Final = frozenset({1021, 1026, 1041, 1114})
GONE: Final = CONNECTION_LOST | CONNECTION_ENDED
"""The statement may or may not have had its effect."""
TOO_LARGE: Final = frozenset({1153, RESULT_CUT_SHORT})
PLAIN_TEXT_REFUSED: Final = frozenset({3159, 4151})
"""The server takes no connection in plain text; MariaDB may report denied access instead."""
NO_SUCH_FUNCTION: Final = frozenset({1046, 1305, 1370})
"""In a session without a database, in one that has one, and of an account that may execute no routine."""
NO_SUCH_COLLATION: Final = frozenset({1115, 1253, 1273})
"""Unknown character set, a collation of another character set, unknown collation."""
NO_SUCH_TYPE: Final = NO_SUCH_FUNCTION | {1064, 4161}
"""Of a statement that needs the type: MySQL's parser does not know MariaDB's types, MariaDB says which one it lacks."""
HAS_EFFECT_ALREADY: Final = frozenset({1050, 1051, 1060, 1061, 1091, 1826, 3821, 3822})
"""Errors of DDL: table exists, table does not exist; duplicate column, duplicate key, nothing of that name to drop;
duplicate and missing check."""
HAS_OTHER_PARTITIONS: Final = frozenset({1507, 1516, 1517})
"""Partitions to reorganize that are not there, more of them than there are; one to add that is there."""
NOT_THIS_WAY: Final = frozenset({1845, 1846, 4092})
"""Errors of ALGORITHM and LOCK: not supported, with and without a reason; MySQL's instant changes of one table are used
up."""
REFERENCED: Final = frozenset({1217, 1451, 1701})
"""A foreign key refers to the row or table."""
IN_A_FUNCTIONAL_INDEX: Final = frozenset({3751, 3752, 3903, 3904, 3907})
"""MySQL's, of a key over an expression: its value is truncated, out of range, no JSON, too large in it, too long."""
ABOUT_A_VALUE: Final = IN_A_FUNCTIONAL_INDEX | {
    *(1048, 1264, DATA_TRUNCATED, 1292, 1366, 1406, 1411, 1416, 1526, 3140, 3819, 4025)
}
"""NULL, out of range, truncated, wrong date, wrong text, too long, wrong geometry, no partition for it, wrong JSON,
CHECK; and those of keys over expressions."""
NULL_IN_ROWS: Final = 1138
"""Of DDL that forbids NULL."""
PARTITIONED: Final = frozenset({1478, 1562})
"""A table with partitions cannot be a temporary one: MariaDB's and MySQL's."""
QUERY_DEPRECATIONS: Final = frozenset({1287, 1681, 3719, 3778})
"""Warnings of a query: of syntax, types and collations that still do what they did, nothing about data."""
DEPRECATIONS: Final = QUERY_DEPRECATIONS | {3720, 3779, 3856, 3858, 3859, 3860, 3861, 3956, 4079, 4119, 4162}
"""Such warnings of any statement."""
IN_DOUBT: Final = CONNECTION_LOST | {0, 1053, 1927, 3169}
"""It is not known whether DDL had its effect. (A statement that was interrupted, 1317, had none.) 0 is PyMySQL's
own."""
DRIVERS_OWN: Final = frozenset({0, *range(2000, 3000)})
"""PyMySQL raises these, not the server."""


LOCAL_REFUSED = "Received LOAD_LOCAL packet"
_PACKAGES = {
    "pynacl": "install the package: pip install 'PyMySQL[ed25519]'",
}


def driver_refusal(error: RuntimeError, where: object) -> Refused:
    """The refusal for an error of PyMySQL's own, with server `where`. Any error that we do not know is raised again."""
    if LOCAL_REFUSED in str(error):  # hazard I4; nothing was sent to it
        return Refused(
            "SW8104", f"{where} asked for a file of this machine, which none of our statements allows: refused"
        )
    for package, way_out in _PACKAGES.items():
        if f"'{package}' package is required" in str(error):
            said = (
                f"the account's password cannot be sent to {where} by its way to log in without the package {package}"
            )
            return Refused("SW8106", f"{said}: {way_out}")
    raise error


def is_one_of(error: BaseException | None, numbers: Collection[int]) -> bool:
    """Whether it is an error of the driver with one of these numbers."""
    return isinstance(error, pymysql.err.MySQLError) and bool(error.args) and error.args[0] in numbers


def is_about_a_value(error: pymysql.err.MySQLError) -> bool:
    return is_one_of(error, ABOUT_A_VALUE)


def does_not_fit(error: pymysql.err.MySQLError) -> bool:
    """Whether DDL met a row whose value the table could not hold afterwards."""
    return is_about_a_value(error) or error.args[:1] == (NULL_IN_ROWS,)
