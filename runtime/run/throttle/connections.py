"""How many chunks are under way at once, with a cap on connections? Pure; used in the driver.

The stream has its share of the cap (`ThrottleSettings.stream_connections`): what is given here is the copy's. A chunk
is one task. It holds one connection to its source while it reads, then one to one shard at a time. So the copy's tasks
never hold more connections to one server than there are chunks under way.
"""

from __future__ import annotations


def chunks_at_once(wanted: int | None, cores: int, connections: int | None) -> int:
    """`wanted`: the environment's number; None: one for each of Spark's cores, and one that waits for the next core.

    `connections`: the largest number of the copy to one server; None: no cap.
    """
    chunks = wanted or max(2, cores) + 1
    return chunks if connections is None else max(1, min(chunks, connections))
