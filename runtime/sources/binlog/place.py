"""Where a place is in a server's log: found by what was executed up to it, or by time. First the file is found, then
the event by the headers.

Runs in the driver; reads the source server.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.events import Kind
from shardwright.runtime.sources.binlog.gtid import Gtid, Gtids, MariadbGtid, MariadbGtids
from shardwright.runtime.sources.binlog.gtid_event import GTID_EVENTS, parse_gtid
from shardwright.runtime.sources.binlog.server_log import ServerLog
from shardwright.runtime.sources.positions.log_position import FIRST_OFFSET, LogPosition
from shardwright.specs.findings.remedies import START_OVER

_SECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class Boundary:
    """A transaction boundary. `created` is the file's time of creation (seconds since 1970). `applied_until`: up to
    this place, some transactions behind the boundary may have been applied before."""

    file: str
    offset: int
    created: int | None
    applied_until: tuple[str, int] | None


class Begin(NamedTuple):
    """Where a transaction begins; the last one of a log is its head, and has neither GTID nor time."""

    file: str
    offset: int
    created: int | None
    gtid: Gtid | None
    commit_us: int | None
    is_head: bool


def creation_time(endpoint: Endpoint, file: str) -> int:
    """When a log file was created, in seconds since 1970, by its first event."""
    start = LogPosition(file, FIRST_OFFSET)
    first = next(iter(dump(endpoint, start, LogPosition(file, FIRST_OFFSET + 1))))
    return first.timestamp


def begins(log: ServerLog, file: str) -> Iterator[Begin]:
    """Every transaction from the beginning of `file` to the head, then the head itself."""
    created: int | None = None
    for event in dump(log.endpoint, LogPosition(file, FIRST_OFFSET), log.head):
        if event.kind == Kind.FORMAT_DESCRIPTION:
            created = event.timestamp
        elif event.kind in GTID_EVENTS:
            gtid, commit_us = parse_gtid(event)
            yield Begin(event.file, event.start, created, gtid, commit_us, is_head=False)
    if log.head.offset <= FIRST_OFFSET:
        created = None
    yield Begin(log.head.file, log.head.offset, created, None, None, is_head=True)


def place_by_gtid(log: ServerLog, ours: Gtids, *, tables: Sequence[str]) -> Boundary:
    """The last boundary with no transaction before it that is not in `ours`; the server has all of `ours`. Raises
    Refused when its log no longer reaches back that far."""
    file, before = _first_file(log, ours, tables)
    awaited = _AwaitedTransactions(ours, before)
    place: Begin | None = None
    last_known_ended: Begin | None = None
    known_before = False
    for begin in begins(log, file):
        if place is not None and known_before:
            last_known_ended = begin
        known_before = begin.gtid is not None and begin.gtid in ours
        if known_before:
            awaited.meet(begin.gtid)
        elif place is None:
            place = begin
        if not awaited and place is not None and not known_before:
            break
        if isinstance(begin.gtid, MariadbGtid):
            awaited.see_domain(begin.gtid)
    assert place is not None  # the head is not in `ours`
    awaited.require_all_met(log, tables)
    whole = None if last_known_ended is None else (last_known_ended.file, last_known_ended.offset)
    return Boundary(place.file, place.offset, place.created, whole)


def place_by_time(log: ServerLog, recorded: LogPosition, *, tables: Sequence[str], margin: float) -> Boundary | None:
    """The boundary before the first transaction that committed `margin` seconds before the last applied one, or later.
    None when the log does not hold that last one, which is identified by its time in microseconds: then nothing is
    proved."""
    assert recorded.commit_us is not None
    earliest, latest = recorded.commit_us - int(margin * _SECOND), recorded.commit_us + int(margin * _SECOND)
    file = next((name for name in reversed(log.files) if creation_time(log.endpoint, name) * _SECOND <= earliest), None)
    if file is None:
        raise Refused(
            "SW8133",
            f"the log of {log.endpoint} does not reach back {margin:g} s behind the last applied transaction: its "
            f"oldest file {log.files[0]} is younger. Go over with a smaller failover.margin, or changes of "
            f"{', '.join(tables)} are lost: {START_OVER}",
        )
    place: Begin | None = None
    ended: Begin | None = None
    met = inside = False
    for begin in begins(log, file):
        if inside:
            ended = begin
        inside = begin.commit_us is not None and begin.commit_us <= latest
        met = met or begin.commit_us == recorded.commit_us
        if place is None and (begin.is_head or begin.commit_us is None or begin.commit_us >= earliest):
            place = begin
    if place is None or not met:
        return None
    whole = None if ended is None or ended == place else (ended.file, ended.offset)
    return Boundary(place.file, place.offset, place.created, whole)


def _first_file(log: ServerLog, ours: Gtids, tables: Sequence[str]) -> tuple[str, Gtids]:
    """The latest file before which every transaction is in `ours`, and the transactions before it."""
    before: Gtids | None = None
    for file in reversed(log.files):
        before = log.before(file)
        if ours.includes(before):
            return file, before
    assert before is not None
    raise _purge_refusal(log, str(before.minus(ours)), tables)


def _purge_refusal(log: ServerLog, gap: str, tables: Sequence[str]) -> Refused:
    return Refused(
        "SW8133",
        f"the log of {log.endpoint} (server {log.identity}) begins with {log.files[0]}, behind transactions that were "
        f"not applied yet: {gap}. They were purged: point the environment at a server that still has them, or changes "
        f"of {', '.join(tables)} are lost: {START_OVER}",
    )


class _AwaitedTransactions:
    """The transactions of `ours` that the search must still meet in the log. Before that none of them counts as
    missing."""

    def __init__(self, ours: Gtids, before: Gtids) -> None:
        self._lasts: set[MariadbGtid] = set()
        self._count = 0
        self._domains: set[int] = set()
        if isinstance(ours, MariadbGtids):
            self._lasts = {last for last in ours.lasts() if not _ends_with(before, last)}
            self._domains = set(before.numbers) if isinstance(before, MariadbGtids) else set()
        else:
            rest = ours.minus(before)
            self._count = sum(last - first + 1 for parts in rest.intervals.values() for first, last in parts)

    def __bool__(self) -> bool:
        return bool(self._lasts) or self._count > 0

    def meet(self, gtid: Gtid | None) -> None:
        self._count -= 1
        if isinstance(gtid, MariadbGtid):
            self._lasts.discard(gtid)

    def see_domain(self, gtid: MariadbGtid) -> None:
        """Note a transaction's domain. Where the log's first number of a domain is the next one after ours, that also
        proves that nothing is missing."""
        if gtid.domain not in self._domains:
            self._domains.add(gtid.domain)
            before = {last for last in self._lasts if last.domain == gtid.domain and last.number + 1 == gtid.number}
            self._lasts -= before

    def require_all_met(self, log: ServerLog, tables: Sequence[str]) -> None:
        """MariaDB's numbers may have holes, so only a domain's last transaction in the log proves that the log
        continues at our position. A domain without transactions in this log is where the backup left it from which the
        server was made."""
        for last in self._lasts:
            holds = isinstance(log.executed, MariadbGtids) and log.executed.last_of(last.domain) == last
            if last.domain in self._domains or not holds:
                raise _purge_refusal(log, f"domain {last.domain} behind {last}", tables)


def _ends_with(before: Gtids, last: MariadbGtid) -> bool:
    return isinstance(before, MariadbGtids) and before.highest(last.domain, last.server) == last.number
