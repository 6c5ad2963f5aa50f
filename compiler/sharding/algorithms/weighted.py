"""`weighted`: virtual buckets, of which every database has as many as its weight asks for.

bucket = hash(key) % buckets; consecutive buckets lie in one database. To move load later, write `ranges` and change
their ends: only the rows of the buckets that change hands move. The table is (hash(key) div buckets) % m, so that
every database uses all its tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shardwright.compiler.expressions.arithmetic import Modulo, divide
from shardwright.compiler.expressions.expression import IntegerExpression
from shardwright.compiler.expressions.functions import CRC32
from shardwright.compiler.expressions.ladder import ladder
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.sharding.function import Request, ShardFunction
from shardwright.compiler.sharding.keys import hash_input, text_to_hash
from shardwright.compiler.sharding.places import Place, read_place, refuse_mixed, table_within
from shardwright.specs.findings.wording import did_you_mean, quote

_Spans = list[tuple[int, Place]]
"""Where each range of buckets ends (excluded), and its place."""


def weighted(request: Request) -> ShardFunction | None:
    buckets = request.number("buckets", 1024)
    digest = _digest(request)
    spans = _by_ranges(request, buckets) if "ranges" in request.rule.options else _by_weights(request, buckets)
    if spans is None:
        return None
    places = [place for _, place in spans]
    if refuse_mixed(request, places, "ranges"):
        return None
    bucket, ends = Modulo(digest, buckets), tuple(end for end, _ in spans[:-1])
    database = ladder(bucket, ends, tuple(place.database for place in places))
    if request.grid.tables == 1:
        return ShardFunction(database, IntegerLiteral(0))
    if places[0].table is None and "tables_by" not in request.rule.options:
        return ShardFunction(database, Modulo(divide(digest, buckets), request.grid.tables))
    table = ladder(bucket, ends, tuple(place.table or 0 for place in places))
    return ShardFunction(database, table_within(request, places, table))


def _digest(request: Request) -> IntegerExpression:
    """By `hash`. A hash function is imported when a rule names it."""
    match request.word("hash", "crc32"):
        case "java":
            from shardwright.compiler.sharding.algorithms.hash_mod import java_digest

            return java_digest(request)
        case "murmur3_32":
            from shardwright.compiler.sharding.algorithms.murmur3_32 import murmur3_digest

            return murmur3_digest(request)
        case "xxhash64":
            from shardwright.compiler.expressions.xxhash64 import XxHash64

            return XxHash64(hash_input(request), 0)
        case _:
            return CRC32.check(text_to_hash(request))


def _by_weights(request: Request, buckets: int) -> _Spans | None:
    weights = {name: weight for name, weight in request.entries("weights").items() if isinstance(weight, int)}
    unknown = [name for name in weights if name not in request.grid.databases]
    for name in unknown:
        hint = did_you_mean(name, request.grid.databases[:1000])
        request.error("SW5015", f"{quote(name)} is not a target database", "weights", name, hint=hint)
    total = sum(weights.values())
    if not unknown and total == 0:
        request.error("SW5014", "all weights are zero: no database would get a row", "weights")
    if unknown or total == 0:
        return None
    table = None if request.grid.tables > 1 else 0
    return [(end, Place(index, table)) for _, end, index in cut(weights, request.grid.databases, buckets)]


def cut(weights: Mapping[str, int], databases: Sequence[str], buckets: int) -> Iterator[tuple[int, int, int]]:
    """Cut the buckets where the running sum of the weights falls: no database is more than one bucket off. The first
    bucket, the end (excluded) and the index of each database that has buckets. The weights are not all zero."""
    total, running, first = sum(weights.values()), 0, 0
    for index, name in enumerate(databases):
        running += weights.get(name, 0)
        end = running * buckets // total
        if end > first:
            yield first, end, index
            first = end


def _by_ranges(request: Request, buckets: int) -> _Spans | None:
    spans: _Spans = []
    expected, sound = 0, True
    for index, item in enumerate(request.items("ranges")):
        assert isinstance(item, dict)
        first, last = item["from"], item["to"]
        place = read_place(request, item["place"], request.span("ranges", index, "place"))
        if first != expected:
            message = f"this range begins at bucket {first}, but the buckets before end at {expected - 1}"
            request.error("SW5014", message, "ranges", index, "from", hint=f"from: {expected}")
            sound = False
        elif not first <= last < buckets:
            message = f"this range ends at bucket {last}: it must end from {first} to {buckets - 1}"
            request.error("SW5014", message, "ranges", index, "to")
            sound = False
        expected = last + 1
        if place is None:
            sound = False
        else:
            spans.append((expected, place))
    if sound and expected != buckets:
        request.error("SW5014", f"buckets {expected} to {buckets - 1} have no place", "ranges")
        sound = False
    return spans if sound else None
