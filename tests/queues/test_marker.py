"""The table of markers on a real server: made when it is first needed, and gone in the end."""

from __future__ import annotations

import pytest

from shardwright.runtime.sources.queue.marker import TABLE, drop_marker, write_marker
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server


def test_h8_every_marker_is_larger_than_all_before_also_after_a_drop(arena: Arena) -> None:
    server = arena.source
    server.query("CREATE DATABASE shop")
    endpoint = server.endpoint
    assert not drop_marker(endpoint, "shop")
    first, second = (write_marker(endpoint, "shop", rows=32) for _ in range(2))
    assert second > first
    rows = server.query(f"SELECT COUNT(*), MIN(marker), MAX(marker) FROM shop.{TABLE}")
    assert rows == [(32, second, second)]
    assert drop_marker(endpoint, "shop") and not server.query("SHOW TABLES FROM shop")
    assert write_marker(endpoint, "shop", rows=1) > second
