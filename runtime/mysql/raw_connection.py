"""A connection whose answers may be taken as the bytes of the text protocol (`text_protocol`). Used in the driver and
in Spark tasks. Apart from what reads those bytes, so that commands that only ask need no Arrow.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pymysql.connections import MySQLResult

from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.tls import TlsConnection


class RawConnection(TlsConnection):
    """A connection on which `stream_rows` and `fetch_rows` may be used; ordinary queries work as usual."""

    def _read_query_result(self, unbuffered: bool = False) -> int:
        if not self.raw:
            ordinary: Any = super()
            return int(ordinary._read_query_result(unbuffered) or 0)
        self._result = None
        result: Any = MySQLResult(self)
        result.init_unbuffered_query()
        result.unbuffered_active = False  # the rest is read here
        result.connection = None
        self._result = result
        return 0


@contextmanager
def raw_connection(endpoint: Endpoint, database: str) -> Iterator[RawConnection]:
    """Within, a connection in `database` with our session settings. Raises what `connect` does."""
    connection = connect(endpoint, database, kind=RawConnection)
    assert isinstance(connection, RawConnection)
    try:
        yield connection
    finally:
        connection.close()
