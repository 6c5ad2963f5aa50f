"""How much a server may send as one packet. A packet of 16 MiB less a byte continues in the next one; one that never
ends would take all memory of the machine.

Used in the driver and in Spark tasks, on every connection; closes the connection to a server that exceeds the limit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.failures import Refused

LONGEST = 0xFFFFFF
"""A packet of this length continues in the next one."""
_driver: Any = Connection
_read_bytes: Callable[[Connection[Any], int], bytes] = _driver._read_bytes
LARGEST_PACKET = (1 << 30) + (1 << 16)
"""In bytes. The most that max_allowed_packet can be, and so the most that a row takes; an event of the log has its
header in addition."""


def require_bounded(connection: Connection[Any], size: int) -> None:
    """Called before bytes are read that make so many of one packet. Raises Refused (SW8152) when no packet has as many,
    and closes the connection."""
    if size > LARGEST_PACKET:
        driver: Any = connection
        driver._force_close()
        raise Refused(
            "SW8152",
            f"{driver.host}:{driver.port} sends a packet of more than {LARGEST_PACKET >> 20} MiB, which no row and no "
            "event of a log can have: max_allowed_packet is never larger. Check which server answers there, and which "
            "proxy or device is in between",
        )


class BoundedConnection(Connection):
    """Counts the bytes of a packet that continues in others. The caller that begins to read a packet sets `long_bytes`
    to 0. A short packet costs one comparison only."""

    long_bytes: int = 0

    def _read_bytes(self, num_bytes: int) -> bytes:
        if num_bytes == LONGEST:
            self.long_bytes += LONGEST
            require_bounded(self, self.long_bytes)
        return _read_bytes(self, num_bytes)
