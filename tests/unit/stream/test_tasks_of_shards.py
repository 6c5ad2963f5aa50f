"""How many of Spark's tasks hold connections to one server at a time (G8)."""

from __future__ import annotations

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.stream.batch.query import tasks_of_shards


@given(servers=st.lists(st.sampled_from("abcde"), min_size=1), tasks=st.integers(1, 40), at_a_server=st.integers(1, 9))
def test_g8_no_server_has_more_tasks_than_connections(servers: list[str], tasks: int, at_a_server: int) -> None:
    found = tasks_of_shards(servers, tasks=tasks, at_a_server=at_a_server)
    used = defaultdict(set)
    for server, task in zip(servers, found, strict=True):
        used[server].add(task)
    assert all(len(some) <= at_a_server for some in used.values())
    assert set(found) == set(range(max(found) + 1)) and max(found) < tasks
    most = sum(min(at_a_server, servers.count(server)) for server in set(servers))
    assert len(set(found)) == min(tasks, most), "no fewer than there may be"


@given(shards=st.integers(1, 300), tasks=st.integers(1, 40))
def test_g8_without_a_cap_all_tasks_share_the_shards(shards: int, tasks: int) -> None:
    found = tasks_of_shards(["a"] * shards, tasks=tasks, at_a_server=None)
    assert found == tuple(shard % min(shards, tasks) for shard in range(shards))
