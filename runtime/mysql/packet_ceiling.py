"""How much a server may send as one packet. A packet of 16 MiB less a byte goes on in the next one: one that never ends
would take all memory of the machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.failures import Refused

LONGEST = 0xFFFFFF
"""A packet of this length goes on in the next one."""
_driver: Any = Connection
_read_bytes: Callable[[Connection[Any], int], bytes] = _driver._read_bytes
LARGEST_PACKET = (1 << 30) + (1 << 16)
"""The most that max_allowed_packet can be, and so the most that a row takes; an event of the log has its header on
top."""


def require_bounded(size: int, where: str) -> None:
    """Raises Refused (SW8152) when so many bytes are more than one packet holds."""
    if size > LARGEST_PACKET:
        raise Refused(
            "SW8152",
            f"{where} sends a packet of more than {LARGEST_PACKET >> 20} MiB, which no row and no event of a log can have: "
            "max_allowed_packet is never larger. Look which server answers there, and what stands between",
        )


class BoundedConnection(Connection):
    """Counts the bytes of a packet that goes on and on. Whoever begins to read a packet sets `long_bytes` to 0. Every
    packet of a result and of a log passes here, so what is asked of the short ones is one comparison."""

    long_bytes: int = 0

    def _read_bytes(self, num_bytes: int) -> bytes:
        if num_bytes == LONGEST:
            self._require_bounded()
        return _read_bytes(self, num_bytes)

    def _require_bounded(self) -> None:
        """Before they are read."""
        self.long_bytes += LONGEST
        if self.long_bytes > LARGEST_PACKET:
            driver: Any = self
            driver._force_close()
            require_bounded(self.long_bytes, f"{driver.host}:{driver.port}")
