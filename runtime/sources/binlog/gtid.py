"""Which transactions a set of global transaction identifiers (GTIDs) holds, for both servers. Pure: no server, no log.

MySQL: `uuid:number`, since 8.3 also `uuid:tag:number`; a set is intervals of numbers for each source. MariaDB:
`domain-server-number`; numbers grow within a domain, so a set is, for every domain and server, the highest number, and
the server that wrote last. A set is frozen; `Collector` is its growing form, for the reader that meets every
transaction. Used in the driver.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.positions.log_position import Interval

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_TAG = re.compile(r"[a-z_][a-z0-9_]{0,31}", re.IGNORECASE)
_MARIADB = re.compile(r"(\d+)-(\d+)-(\d+)")


class MysqlGtid(NamedTuple):
    """`source` is the uuid, with `:tag` behind it where the transaction has one (hazard E7)."""

    source: str
    number: int

    def __str__(self) -> str:
        return f"{self.source}:{self.number}"


class MariadbGtid(NamedTuple):
    domain: int
    server: int
    number: int

    def __str__(self) -> str:
        return f"{self.domain}-{self.server}-{self.number}"


Gtid = MysqlGtid | MariadbGtid


@dataclass(frozen=True, slots=True)
class MysqlGtids:
    """`intervals` by source: sorted, not adjacent to each other, never empty."""

    intervals: Mapping[str, tuple[Interval, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.intervals)

    def __contains__(self, gtid: Gtid) -> bool:
        parts = self.intervals.get(gtid.source, ()) if isinstance(gtid, MysqlGtid) else ()
        place = bisect_right(parts, gtid.number, key=lambda part: part[0]) - 1
        return place >= 0 and gtid.number <= parts[place][1]

    def includes(self, other: Gtids) -> bool:
        return not other.minus(self)

    def union(self, other: Gtids) -> MysqlGtids:
        sources = [*self.intervals, *_mysql(other).intervals]
        return _drop_empty({one: _merge([*self.of(one), *_mysql(other).of(one)]) for one in sources})

    def minus(self, other: Gtids) -> MysqlGtids:
        return _drop_empty(
            {one: minus_intervals(parts, _mysql(other).of(one)) for one, parts in self.intervals.items()}
        )

    def of(self, source: str) -> tuple[Interval, ...]:
        return self.intervals.get(source, ())

    def __str__(self) -> str:
        """As the server prints it: sources in order, each uuid's tags behind its untagged numbers."""
        by_uuid: dict[str, str] = {}
        for source in sorted(self.intervals):
            uuid, _, tag = source.partition(":")
            numbers = ":".join(f"{a}" if a == b else f"{a}-{b}" for a, b in self.intervals[source])
            by_uuid[uuid] = by_uuid.get(uuid, uuid) + (f":{tag}" if tag else "") + f":{numbers}"
        return ",".join(by_uuid.values())


@dataclass(frozen=True, slots=True)
class MariadbGtids:
    """`numbers`: domain -> server -> highest number; the domain's last writer is last."""

    numbers: Mapping[int, Mapping[int, int]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.numbers)

    def __contains__(self, gtid: Gtid) -> bool:
        return isinstance(gtid, MariadbGtid) and gtid.number <= self.highest(gtid.domain, gtid.server)

    def includes(self, other: Gtids) -> bool:
        """Whether the last transaction of every domain of `other` is in this set. What a server wrote long ago need not
        be named: a replica made from a backup has its rows without the transaction's GTID (hazard E6)."""
        return all(last in self for last in _mariadb(other).lasts())

    def union(self, other: Gtids) -> MariadbGtids:
        grown = Collector(self)
        for gtid in _mariadb(other):
            grown.add(gtid)
        found = grown.gtids()
        assert isinstance(found, MariadbGtids)
        return found

    def minus(self, other: Gtids) -> MariadbGtids:
        """The (domain, server) pairs whose highest number is beyond that of `other`."""
        beyond = [gtid for gtid in self if gtid not in other]
        kept: dict[int, dict[int, int]] = {}
        for gtid in beyond:
            kept.setdefault(gtid.domain, {})[gtid.server] = gtid.number
        return MariadbGtids(kept)

    def highest(self, domain: int, server: int) -> int:
        """0 where it wrote nothing: the servers count from 1."""
        return self.numbers.get(domain, {}).get(server, 0)

    def lasts(self) -> Iterator[MariadbGtid]:
        """Every domain's last transaction: what MariaDB calls a position."""
        for domain, servers in self.numbers.items():
            server, number = list(servers.items())[-1]
            yield MariadbGtid(domain, server, number)

    def last_of(self, domain: int) -> MariadbGtid | None:
        return next((gtid for gtid in self.lasts() if gtid.domain == domain), None)

    def __iter__(self) -> Iterator[MariadbGtid]:
        for domain, servers in self.numbers.items():
            for server, number in servers.items():
                yield MariadbGtid(domain, server, number)

    def __str__(self) -> str:
        return ",".join(str(gtid) for gtid in self)


Gtids = MysqlGtids | MariadbGtids


class Collector:
    """A set that grows by the transactions of a log, in order. Neighbouring numbers cost nothing."""

    def __init__(self, begin: Gtids) -> None:
        self._begin = begin
        self._intervals: dict[str, list[Interval]] = {}
        self._numbers: dict[int, dict[int, int]] = {}
        if isinstance(begin, MariadbGtids):
            self._numbers = {domain: dict(servers) for domain, servers in begin.numbers.items()}

    def add(self, gtid: Gtid) -> None:
        if isinstance(gtid, MysqlGtid):
            self._add_number(gtid.source, gtid.number)
        else:
            servers = self._numbers.setdefault(gtid.domain, {})
            highest = servers.pop(gtid.server, 0)  # inserted again at the end: it wrote last
            servers[gtid.server] = max(highest, gtid.number)

    def _add_number(self, source: str, number: int) -> None:
        parts = self._intervals.setdefault(source, [])
        if parts and parts[-1][1] + 1 == number:
            parts[-1] = (parts[-1][0], number)
        else:
            parts.append((number, number))
            if len(parts) > 1000:
                self._intervals[source] = list(_merge(parts))

    def highest(self, gtid: Gtid) -> int:
        """The highest number of a server of MariaDB's so far; 0 where it wrote nothing, and for MySQL."""
        return self._numbers.get(gtid.domain, {}).get(gtid.server, 0) if isinstance(gtid, MariadbGtid) else 0

    def gtids(self) -> Gtids:
        if self._numbers or isinstance(self._begin, MariadbGtids):
            return MariadbGtids({domain: dict(servers) for domain, servers in self._numbers.items()})
        met = _drop_empty({source: _merge(parts) for source, parts in self._intervals.items()})
        return self._begin.union(met)


def parse_gtids(text: str) -> Gtids:
    """A set of either server, as SHOW and SELECT print it. Raises Refused when it is neither; an empty text is
    MySQL's."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    found = [_MARIADB.fullmatch(part) for part in parts]
    if parts and all(found):
        collector = Collector(MariadbGtids())
        for match in found:
            assert match is not None
            collector.add(MariadbGtid(*map(int, match.groups())))
        return collector.gtids()
    return _drop_empty(_parse_mysql(parts, text))


def _parse_mysql(parts: list[str], text: str) -> dict[str, tuple[Interval, ...]]:
    found: dict[str, list[Interval]] = {}
    for part in parts:
        uuid, *items = (item.strip() for item in part.split(":"))
        if not _UUID.fullmatch(uuid) or not items:
            raise _not_gtids(text)
        source = uuid.lower()
        for item in items:
            if _TAG.fullmatch(item):
                source = f"{uuid}:{item}".lower()
                continue
            first, dash, last = item.partition("-")
            if not first.isdecimal() or (dash and not last.isdecimal()):
                raise _not_gtids(text)
            found.setdefault(source, []).append((int(first), int(last or first)))
    return {source: _merge(intervals) for source, intervals in found.items()}


def _not_gtids(text: str) -> Refused:
    return Refused("SW8131", f"'{text[:200]}' is no set of GTIDs of MySQL or MariaDB that we can read")


def _merge(parts: list[Interval]) -> tuple[Interval, ...]:
    found: list[Interval] = []
    for first, last in sorted(part for part in parts if part[0] <= part[1]):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


def minus_intervals(parts: tuple[Interval, ...], others: tuple[Interval, ...]) -> tuple[Interval, ...]:
    """`parts` without the numbers of `others`, which need no order."""
    found: list[Interval] = []
    for first, last in parts:
        for low, high in sorted(others):
            if high < first or last < low:
                continue
            if first < low:
                found.append((first, low - 1))
            first = high + 1
        if first <= last:
            found.append((first, last))
    return tuple(found)


def _drop_empty(intervals: Mapping[str, tuple[Interval, ...]]) -> MysqlGtids:
    return MysqlGtids({source: parts for source, parts in intervals.items() if parts})


def _mysql(gtids: Gtids) -> MysqlGtids:
    if not isinstance(gtids, MysqlGtids):
        raise TypeError(f"{gtids} is a set of MariaDB's")
    return gtids


def _mariadb(gtids: Gtids) -> MariadbGtids:
    if isinstance(gtids, MariadbGtids):
        return gtids
    if gtids:
        raise TypeError(f"{gtids} is a set of MySQL's")
    return MariadbGtids()
