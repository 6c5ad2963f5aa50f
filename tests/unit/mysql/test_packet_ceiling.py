"""A server that sends a packet without end is refused, whoever reads it, before its bytes fill the memory."""

from __future__ import annotations

from typing import Any

import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql import packet_ceiling
from shardwright.runtime.mysql.packet_ceiling import LONGEST
from shardwright.runtime.mysql.packets import HEADER, payloads
from shardwright.runtime.mysql.raw_connection import RawConnection
from shardwright.runtime.mysql.text_protocol import PIECE_BYTES, _Incoming
from shardwright.runtime.mysql.tls import TlsConnection

CEILING = 5 * LONGEST


class Endless:
    """What such a server sends, or `parts` whole ones and then one that is empty."""

    def __init__(self, parts: int | None = None) -> None:
        self._parts = parts
        self.sent = 0
        self._number = 0
        self._left = bytearray()

    def read(self, size: int) -> bytes:
        """Header and payload are asked for one by one, or the rest of a payload of which `read1` gave the begin."""
        if self._left:
            taken, self._left = bytes(self._left[:size]), self._left[size:]
            self.sent += len(taken)
            return taken
        if size != HEADER:
            self.sent += size
            return bytes(size)
        ends = self._parts is not None and self._number == self._parts
        self._number += 1
        return (0 if ends else LONGEST).to_bytes(3, "little") + bytes([(self._number - 1) % 256])

    def read1(self, size: int) -> bytes:
        if not self._left:
            header = self.read(HEADER)
            self._left += header + bytes(int.from_bytes(header[:3], "little"))
        taken, self._left = bytes(self._left[:size]), self._left[size:]
        self.sent += len(taken)
        return taken

    def close(self) -> None:
        """The driver does, on its way out."""


def reading(kind: type[TlsConnection], server: object) -> Any:
    """A connection in the middle of an answer, whose bytes `server` has."""
    connection: Any = kind(host="db", port=3306, defer_connect=True)
    connection._rfile = server
    connection._sock = type("Socket", (), {"settimeout": lambda *_: None, "close": lambda *_: None})()
    connection._next_seq_id = 0
    connection._result = connection._current_timeout = None
    return connection


@pytest.fixture(autouse=True)
def low_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packet_ceiling, "LARGEST_PACKET", CEILING)


def test_the_driver_reads_no_endless_packet() -> None:
    server = Endless()
    connection = reading(TlsConnection, server)
    with pytest.raises(Refused, match=r"SW8152: db:3306 sends a packet of more than 79 MiB"):
        connection._read_packet()
    assert server.sent <= CEILING
    assert connection._sock is None


def test_packets_that_are_read_many_at_a_time_do_not_continue_for_ever() -> None:
    server = Endless()
    connection = reading(TlsConnection, server)
    with pytest.raises(Refused, match=r"SW8152: db:3306 sends a packet of more than 79 MiB"):
        next(payloads(connection))
    assert server.sent <= CEILING + LONGEST
    assert connection._sock is None


def test_packets_up_to_the_ceiling_are_read_one_after_the_other() -> None:
    for _ in range(3):
        connection = reading(TlsConnection, Endless(parts=4))
        assert len(connection._read_packet().get_all_data()) == 4 * LONGEST
        connection._rfile, connection._next_seq_id = Endless(parts=4), 0
        assert len(connection._read_packet().get_all_data()) == 4 * LONGEST


def test_a_row_of_a_result_may_not_be_endless_either() -> None:
    server = Endless()
    connection = reading(RawConnection, server)
    with pytest.raises(Refused, match=r"SW8152: db:3306"):
        list(_Incoming(connection).pieces(lambda data, starts: len(starts)))
    assert server.sent <= CEILING + 2 * LONGEST + PIECE_BYTES + 2 * LONGEST
