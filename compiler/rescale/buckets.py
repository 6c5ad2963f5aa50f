"""The bucket map of algorithm `weighted` for more databases: each database's buckets are cut into equal parts. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from shardwright.compiler.sharding.algorithms.weighted import cut
from shardwright.specs.spec.model import ShardingRule

_Range = tuple[int, int, int]
"""The first bucket, the end (excluded), and the index of the database."""


def bucket_ranges(rule: ShardingRule, old: Sequence[str], new: Sequence[str]) -> list[dict[str, object]] | None:
    """Option `ranges` for the new databases. Old database i is divided among i, i + n, i + 2n and so on of the new
    ones, as a remainder would do it. None where the new number is no multiple of the old one, or where ranges name
    single tables."""
    times, rest = divmod(len(new), len(old))
    known = _old_ranges(rule, old)
    if rest or known is None:
        return None
    found: list[_Range] = []
    for first, end, database in known:
        for part in range(times):
            low = first + (end - first) * part // times
            high = first + (end - first) * (part + 1) // times
            if low < high:
                found.append((low, high, database + part * len(old)))
    return [{"from": low, "to": high - 1, "place": new[database]} for low, high, database in found]


def _old_ranges(rule: ShardingRule, old: Sequence[str]) -> list[_Range] | None:
    buckets = rule.options.get("buckets", 1024)
    assert isinstance(buckets, int)
    if "ranges" not in rule.options:
        weights = rule.options.get("weights")
        assert isinstance(weights, dict)
        return list(cut(weights, old, buckets))
    found: list[_Range] = []
    written = rule.options["ranges"]
    for item in written if isinstance(written, list) else ():
        place = item["place"]
        if place not in old and not isinstance(place, int):
            return None
        found.append((item["from"], item["to"] + 1, place if isinstance(place, int) else old.index(place)))
    return found
