"""Error numbers of the servers and of the driver, by what they mean to us. Names are the servers' own, without `ER_` and `CR_`."""

from __future__ import annotations

from typing import Final

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

LOGIN_DENIED: Final = frozenset({DBACCESS_DENIED, 1045, 1698})
"""Of a connection: the account, or its database."""
STATEMENT_DENIED: Final = frozenset({DBACCESS_DENIED, TABLEACCESS_DENIED, COLUMNACCESS_DENIED, SPECIFIC_ACCESS_DENIED})
"""Of a statement: a privilege is missing."""
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
