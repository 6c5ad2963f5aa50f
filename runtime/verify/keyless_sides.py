"""What do both sides hold of a table without a key, as multisets of row hashes?

Runs in the driver; reads the source servers and the shards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from shardwright.runtime.verify.answers import Sum, Sums
from shardwright.runtime.verify.result import MismatchKind
from shardwright.runtime.verify.sessions import End, Sessions, ask

BUCKETS = 64


@dataclass(frozen=True, slots=True)
class KeylessPlace:
    """One table of one side."""

    end: End
    name: str
    statements: Mapping[str, str]
    """The plan's, for this table."""
    variables: Mapping[str, object]
    """What they take."""


@dataclass(frozen=True, slots=True)
class EqualRows:
    """The rows of one hash. Equal when both sides have as many, all in their places."""

    source: int = 0
    target: int = 0
    misplaced: int = 0
    places: tuple[KeylessPlace, ...] = ()
    """The tables that have it: those of the source, then those of the shards."""

    @property
    def kind(self) -> MismatchKind | None:
        if self.source != self.target:
            return MismatchKind.MISSING if self.target < self.source else MismatchKind.EXTRA
        return MismatchKind.MISPLACED if self.misplaced else None


@dataclass(frozen=True, slots=True)
class KeylessSides:
    """Both sides of one comparison."""

    sessions: Sessions
    source: tuple[KeylessPlace, ...]
    target: tuple[KeylessPlace, ...]

    def sums(self) -> tuple[Sums, Mapping[int, Sums]]:
        """Of the source, and of each shard."""
        shards: dict[int, Sums] = defaultdict(Sums)
        for place in self.target:
            assert isinstance(place.end, int)
            shards[place.end] += self._sums_of(place)
        return sum(map(self._sums_of, self.source), Sums()), shards

    def _sums_of(self, place: KeylessPlace) -> Sums:
        with self.sessions.at(place.end) as connection:
            answer = ask(connection, place.statements["sum"], place.variables, where=place.name)
        return Sums({int(one): Sum(int(rows), int(total), int(away)) for one, rows, total, away in answer})

    def find_mismatches(self, buckets: Iterable[int]) -> Mapping[int, EqualRows]:
        """The hashes of these buckets that are not on both sides alike."""
        return {hash_: one for bucket in buckets for hash_, one in self._bucket(bucket) if one.kind is not None}

    def _bucket(self, bucket: int) -> Iterable[tuple[int, EqualRows]]:
        found: dict[int, EqualRows] = defaultdict(EqualRows)
        for is_source, place in self._all():
            variables = {**place.variables, "sw_bucket": bucket}
            with self.sessions.at(place.end) as connection:
                answer = ask(connection, place.statements["hashes"], variables, where=place.name)
            for hash_, rows, misplaced in answer:
                one = found[int(hash_)]
                found[int(hash_)] = EqualRows(
                    one.source + int(rows) * is_source,
                    one.target + int(rows) * (not is_source),
                    one.misplaced + int(misplaced),
                    (*one.places, place),
                )
        return found.items()

    def _all(self) -> Iterator[tuple[bool, KeylessPlace]]:
        yield from ((True, place) for place in self.source)
        yield from ((False, place) for place in self.target)
