"""How many chunks are under way at once, and how that follows from a cap on connections.

A chunk is one task. It holds one connection to its source while it reads, then one to one shard at a time. So to no server there are more
connections of the copy's tasks than chunks under way."""

from __future__ import annotations


def chunks_at_once(wanted: int | None, cores: int, connections: int | None) -> int:
    """`wanted`: what the environment says; None: one for every core of Spark's and one that waits for the next core. `connections`: the most
    to one server; None: no cap."""
    chunks = wanted or max(2, cores) + 1
    return chunks if connections is None else max(1, min(chunks, connections))
