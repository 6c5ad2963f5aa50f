"""Packets are the same, in whatever pieces the server's bytes come."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable
from typing import Any

import pymysql
import pytest

from shardwright.runtime.mysql.packet_ceiling import LONGEST
from shardwright.runtime.mysql.packets import payloads
from shardwright.runtime.mysql.tls import TlsConnection
from tests.unit.mysql.test_packet_ceiling import reading


class Pieces(io.RawIOBase):
    """A socket that gives a few bytes at a time."""

    def __init__(self, data: bytes, most: int, dice: random.Random) -> None:
        self._data = memoryview(data)
        self._most = most
        self._dice = dice

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = min(len(buffer), len(self._data), self._dice.randint(1, self._most))
        buffer[:count] = self._data[:count]
        self._data = self._data[count:]
        return count


def packets(found: Iterable[bytes], *, first: int = 0) -> bytes:
    made, number = bytearray(), first
    for payload in found:
        for at in range(0, len(payload) + 1, LONGEST):
            part = payload[at : at + LONGEST]
            made += len(part).to_bytes(3, "little") + bytes([number % 256]) + part
            number += 1
    return bytes(made)


def connect(data: bytes, *, most: int = 1 << 20, dice: random.Random | None = None, first: int = 0) -> Any:
    connection = reading(TlsConnection, io.BufferedReader(Pieces(data, most, dice or random.Random(1))))
    connection._next_seq_id = first
    return connection


@pytest.mark.parametrize("most", [1, 3, 5, 700, 1 << 20])
def test_packets_come_whole_in_whatever_pieces(most: int) -> None:
    dice = random.Random(most)
    found = [dice.randbytes(dice.choice((0, 1, 3, 4, 5, 250, 9000))) for _ in range(600)]
    found = [payload.replace(b"\xff", b"\0") for payload in found]
    assert list(_until_the_end(connect(packets(found, first=250), most=most, dice=dice, first=250))) == found


@pytest.mark.parametrize("size", [LONGEST - 1, LONGEST, LONGEST + 1, 2 * LONGEST, 2 * LONGEST + 70_000])
def test_a_payload_of_several_packets_is_one(size: int) -> None:
    found = [b"\0first", b"\0" + random.Random(size).randbytes(size - 1), b"", b"\0last"]
    assert list(_until_the_end(connect(packets(found)))) == found


def test_an_error_of_the_server_is_raised_where_it_is() -> None:
    error = b"\xff" + (1236).to_bytes(2, "little") + b"#HY000the log is gone"
    read = payloads(connect(packets([b"\0one", error])))
    assert next(read) == b"\0one"
    with pytest.raises(pymysql.err.MySQLError, match="the log is gone"):
        next(read)


def test_a_packet_that_is_not_the_next_one_ends_the_connection() -> None:
    connection = connect(packets([b"\0one"]) + packets([b"\0three"], first=2))
    read = payloads(connection)
    assert next(read) == b"\0one"
    with pytest.raises(pymysql.err.OperationalError, match="packet 2 came instead of 1"):
        next(read)
    assert connection._sock is None


@pytest.mark.parametrize("cut", [1, 3, 4, 5, 20])
def test_a_connection_that_ends_within_a_packet_is_lost(cut: int) -> None:
    whole = packets([b"\0one", b"\0" + bytes(20_000)])
    read = payloads(connect(whole[:-cut]))
    assert next(read) == b"\0one"
    with pytest.raises(pymysql.err.OperationalError, match=r"Lost connection .*has closed it"):
        next(read)


def _until_the_end(connection: Any) -> Iterable[bytes]:
    read = payloads(connection)
    while True:
        try:
            yield next(read)
        except pymysql.err.OperationalError:
            return
