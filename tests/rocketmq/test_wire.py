"""The bytes in which many messages come over from Java at once."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.sources.queue.rocketmq.queues import unpack


def pack(key: bytes | None, body: bytes) -> bytes:
    properties = b"UNIQ_KEY\x01AC\x02" + (b"" if key is None else b"KEYS\x01" + key + b"\x02") + b"WAIT\x01true"
    size = 20 + len(body) + 2 + len(properties)
    return struct.pack(">iiiii", size, 0, 0, 0, len(body)) + body + struct.pack(">h", len(properties)) + properties


@given(
    st.lists(st.tuples(st.none() | st.text("abcé:1", min_size=1).map(str.encode), st.binary(max_size=300)), max_size=6)
)
def test_messages_come_back_with_their_keys(messages: list[tuple[bytes | None, bytes]]) -> None:
    assert list(unpack(b"".join(pack(*message) for message in messages))) == messages


@pytest.mark.parametrize("cut", [1, 10, 19, 21, 40])
def test_f7_cut_off_bytes_are_refused(cut: int) -> None:
    with pytest.raises(ValueError, match="message"):
        list(unpack(pack(b"k", b"body")[:cut]))
