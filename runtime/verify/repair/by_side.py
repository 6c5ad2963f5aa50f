"""Which side is right about a row, while each side takes the writes of its own buckets? The one that may write it.

Runs in the process of the command; reads both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shardwright.runtime.ledger.buckets import BucketOwner
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.moved_rows import ReadSide
from shardwright.runtime.verify.sessions import Sessions

Keys = Mapping[str, tuple[Key, ...]]
"""By logical table."""


def keys_by_side(
    source: ReadSide, shards: ReadSide, owners: Mapping[int, BucketOwner], keys: Keys
) -> tuple[Keys, Keys]:
    """The keys whose rows are the source's, and those whose rows are the shards'. A row that is on neither side counts
    as the source's."""
    of_source: dict[str, list[Key]] = {}
    of_shards: dict[str, list[Key]] = {}
    for logical, some in keys.items():
        known = _find_buckets(source, logical, some)
        known |= _find_buckets(shards, logical, [key for key in some if key not in known])
        for key in some:
            owner = owners.get(known[key]) if key in known else None
            part = of_shards if owner is not None and owner.writer == "shards" else of_source
            part.setdefault(logical, []).append(key)
    return _as_tuples(of_source), _as_tuples(of_shards)


def _find_buckets(side: ReadSide, logical: str, keys: Sequence[Key]) -> dict[Key, int]:
    if not keys:
        return {}
    sessions = Sessions(side.servers.connect_source, side.servers.connect_shard)
    try:
        return dict(side.buckets(sessions, logical, keys))
    finally:
        sessions.close()


def _as_tuples(keys: Mapping[str, Sequence[Key]]) -> Keys:
    return {logical: tuple(some) for logical, some in keys.items()}
