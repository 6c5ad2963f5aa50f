"""Chunks that are to be read from a replica, of a source that counts no transactions: refused until it does
(SW8148)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.servers import Servers, connect
from shardwright.runtime.snapshot.read_replicas import wait_for_read_replicas
from tests.keys.bench import Bench
from tests.support.replicas import Node

pytestmark = pytest.mark.server


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    """A server of its own: its log is emptied, or its GTIDs are switched off."""
    made = Node(tmp_path / "node", 81, {})
    try:
        yield made
    finally:
        made.remove()


def test_b1_a_source_without_gtids_is_refused_until_it_writes_them(node: Node, bench: Bench) -> None:
    modes = ("ON_PERMISSIVE", "OFF_PERMISSIVE", "OFF")
    if node.is_mysql:
        node.run("CREATE DATABASE shop", *(f"SET GLOBAL gtid_mode = {mode}" for mode in modes))
        assert node.run("SELECT @@GLOBAL.gtid_executed")[0][0], "it has had some"
    else:
        node.run("RESET MASTER")
    servers = _own_replica(bench.servers, node)
    with pytest.raises(Refused) as refused:
        _wait(servers)
    assert refused.value.code == "SW8148" and "Switch GTIDs on at both" in refused.value.message
    _wait(replace(servers, replicas={}))  # "or read from the source itself"
    if node.is_mysql:
        on = ("OFF_PERMISSIVE", "ON_PERMISSIVE", "ON")
        node.run("SET GLOBAL enforce_gtid_consistency = ON", *(f"SET GLOBAL gtid_mode = {mode}" for mode in on))
    node.run("CREATE DATABASE another")
    _wait(servers)


def _own_replica(servers: Servers, node: Node) -> Servers:
    address = replace(
        servers.sources["source"], host=node.server.host, port=node.server.port, account="root", password=node.password
    )
    return replace(servers, sources={"source": address}, replicas={"source": address})


def _wait(servers: Servers) -> None:
    """Does not wait for the replica itself: the run is being stopped."""
    reader = connect(servers.sources["source"])
    try:
        wait_for_read_replicas(servers, {"source": reader}, lambda _words: None, lambda: True)
    finally:
        reader.close()
