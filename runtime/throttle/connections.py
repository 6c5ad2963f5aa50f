"""How many chunks follow from a cap on connections.

A task of the copy holds at most one connection to a source and one to a shard at a time. Two waves are under way at a time, each with
as many tasks as it has chunks, whether it reads or writes. So to no server there are more connections of the copy's tasks than twice the
chunks of a wave."""

from __future__ import annotations

from typing import Final

WAVES: Final = 2


def chunks_in_a_wave(wanted: int, connections: int | None) -> int:
    """`connections`: the most to one server, 2 or more; None: no cap."""
    return wanted if connections is None else max(1, min(wanted, connections // WAVES))
