"""Where the stream continues in a log when a run begins: at the recorded position, proved to exist still, or at the
same place in the log of another server (hazards E3-E6, E8).

Runs in the driver; reads the source server.

The same server: its log must still hold the position, and be the log it was. Another server: it must have every
transaction that was applied. Then the place is the last boundary in its log that has no transaction before it which we
lack. Where servers commit in another order, transactions behind that place may have been applied already. They are read
again, together with all up to the last of them, as one batch. The batch brings every row that it touches to its state
at the batch's end. So what was applied before does no harm, and no reader sees a row travel back.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.gtid import Gtids, parse_gtids
from shardwright.runtime.sources.binlog.origins import GtidGap, find_lacking
from shardwright.runtime.sources.binlog.place import Boundary, creation_time, place_by_gtid, place_by_time
from shardwright.runtime.sources.binlog.rewind import LOST, WayOn, describe_lost_rows, rewind, way_on_without
from shardwright.runtime.sources.binlog.same_server import begin_of_oldest_file, require_same_log
from shardwright.runtime.sources.binlog.server_log import ServerLog, look_at
from shardwright.runtime.sources.positions.earlier_place import EarlierPlace
from shardwright.runtime.sources.positions.log_position import FIRST_OFFSET, LogPosition, Origins
from shardwright.runtime.sources.positions.obligation import Obligation
from shardwright.specs.environment.environment import FailoverSettings
from shardwright.specs.findings.remedies import START_OVER

_POLL = 0.5
_DEFAULTS = FailoverSettings()


@dataclass(frozen=True, slots=True)
class Resumption:
    """Where the stream continues in a log."""

    position: LogPosition
    copied_until: LogPosition | None = None
    """After a change of servers, a position of the new one behind all that was copied before; None where none is
    needed."""
    decisions: tuple[str, ...] = ()
    """Lines of the audit; empty where it continues as recorded."""
    replaces_queue: bool = False
    """Whether the stream has read a queue until now, which is lost."""


def resume(
    endpoint: Endpoint,
    recorded: LogPosition,
    *,
    copied: Sequence[LogPosition] = (),
    tables: Sequence[str],
    settled: FailoverSettings = _DEFAULTS,
    earlier: Sequence[EarlierPlace] = (),
    without: Collection[str] = (),
) -> Resumption:
    """Find the place to continue at. Raises Refused when no place can be proved; the message says what is missing and
    which tables would be copied again. `copied` are positions of the old server behind `recorded`, up to which rows
    were copied from it: the new one must have all of that, too. `earlier` are places that the stream has passed, newest
    first. When the new server lacks what was applied, the stream goes back to the latest of them that the new server
    has. `without`: codes that an operator allows (`LACKING`): where it cannot go back, it continues without what is
    lacking."""
    log = look_at(endpoint)
    if recorded.server is None or recorded.server == log.identity:
        onward = begin_of_oldest_file(log, recorded)
        if onward is not None:
            line = f"{recorded} is purged and all before {onward} was applied: on from there"
            return Resumption(onward, decisions=(line,))
        require_same_log(log, recorded, tables)
        created = recorded.created if recorded.created is not None else creation_time(endpoint, recorded.file)
        return Resumption(replace(recorded, server=log.identity, created=created))
    if recorded.gtids is not None and log.executed is not None:
        return _by_gtid(endpoint, recorded, copied, earlier, tables=tables, settled=settled, without=without)
    if copied:
        raise Refused(
            "SW8136",
            f"{endpoint} is server {log.identity}, but rows were copied from server {recorded.server} beyond the "
            f"stream's position {recorded}. Only GTIDs show whether the new server has them, and not both servers have "
            f"GTIDs. So {START_OVER}",
        )
    if recorded.commit_us is not None and not log.mariadb:
        return _by_time(endpoint, recorded, earlier, tables=tables, settled=settled)
    raise Refused(
        "SW8136",
        f"{endpoint} is server {log.identity}, the stream was at {recorded} of server {recorded.server}: without "
        "GTIDs and commit times on both, that place cannot be found in the new server's log. Point the environment "
        f"back at the old server, or {START_OVER}",
    )


def _by_gtid(
    endpoint: Endpoint,
    recorded: LogPosition,
    copied: Sequence[LogPosition],
    earlier: Sequence[EarlierPlace],
    *,
    tables: Sequence[str],
    settled: FailoverSettings,
    without: Collection[str],
) -> Resumption:
    assert recorded.gtids is not None
    said: tuple[str, ...] = ()
    for position in (*copied, recorded):
        gtids = parse_gtids(position.gtids or "")
        log, lacks = _wait_until_it_has(endpoint, gtids, recorded.origins, settled.wait_seconds)
        if lacks.harmful:
            way_on = way_on_without(lacks, tables=tables, waited=settled.wait_seconds)
            try:
                return _rewind(log, recorded, earlier, way_on, tables=tables, settled=settled)
            except Refused as refused:
                if refused.code not in without:
                    raise
            said = (f"server {log.identity} {way_on.lacks}: an operator lets the stream continue without them",)
    found = place_by_gtid(log, lacks.common, tables=tables)
    if gtids.minus(lacks.common) and not said:
        rest = gtids.minus(lacks.common)
        said = (f"server {log.identity} lacks {rest}, which changed no followed table",)
    moved = _resume_at(log, replace(recorded, gtids=str(lacks.common)), found, how="by GTID")
    until = replace(log.head, epoch=moved.position.epoch, server=log.identity, gtids=str(log.executed))
    return replace(moved, copied_until=until, decisions=(*moved.decisions, *said))


def _by_time(
    endpoint: Endpoint,
    recorded: LogPosition,
    earlier: Sequence[EarlierPlace],
    *,
    tables: Sequence[str],
    settled: FailoverSettings,
) -> Resumption:
    end = time.monotonic() + settled.wait_seconds
    while True:
        log = look_at(endpoint)
        found = place_by_time(log, recorded, tables=tables, margin=settled.margin_seconds)
        if found is not None:
            return _resume_at(log, recorded, found, how=f"by commit time, {settled.margin_seconds:g} s back")
        if time.monotonic() > end:
            lacks = (
                f"does not hold the last transaction that was applied, the one before {recorded} of server "
                f"{recorded.server}"
            )
            way_on = WayOn(LOST, lacks, describe_lost_rows(tables, START_OVER))
            return _rewind(log, recorded, earlier, way_on, tables=tables, settled=settled)
        time.sleep(_POLL)


def _wait_until_it_has(
    endpoint: Endpoint, gtids: Gtids, origins: Origins, patience: float
) -> tuple[ServerLog, GtidGap]:
    """The server's log, and what it still lacks after `patience` seconds without progress."""
    before: object = None
    end = 0.0
    while True:
        log = look_at(endpoint)
        found = find_lacking(gtids, gtids.minus(gtids) if log.executed is None else log.executed, origins)
        if not found.harmful:
            return log, found
        if found != before:
            before, end = found, time.monotonic() + patience
        elif time.monotonic() > end:
            return log, found
        time.sleep(_POLL)


def _rewind(
    log: ServerLog,
    recorded: LogPosition,
    earlier: Sequence[EarlierPlace],
    way_on: WayOn,
    *,
    tables: Sequence[str],
    settled: FailoverSettings,
) -> Resumption:
    """Where the stream continues when applied transactions are lost: behind the last batch that the new server has
    whole. Rows that changed since are read again."""

    def find(place: LogPosition) -> Boundary | None:
        if place.gtids is None or log.executed is None:
            by_time = place.commit_us is not None and not log.mariadb
            return place_by_time(log, place, tables=tables, margin=settled.margin_seconds) if by_time else None
        lacks = find_lacking(parse_gtids(place.gtids), log.executed, recorded.origins)
        return None if lacks.harmful else place_by_gtid(log, lacks.common, tables=tables)

    place, found = rewind(log, earlier, find, way_on, settled=settled)
    there = replace(place.position, epoch=recorded.epoch, owed=recorded.owed, origins=recorded.origins)
    if there.gtids is not None and log.executed is not None:
        there = replace(there, gtids=str(find_lacking(parse_gtids(there.gtids), log.executed, there.origins).common))
    there = there.must_repair(batch=place.batch)
    moved = _resume_at(log, there, found, how=f"as where batch {place.batch} began")
    lost = (
        f"server {log.identity} {way_on.lacks}: they count as lost with server {recorded.server}, where the stream was "
        f"at {recorded}; the keys of {place.rows} rows that changed since {place.position} are read again"
    )
    return replace(moved, decisions=(lost, *moved.decisions))


def _resume_at(log: ServerLog, recorded: LogPosition, found: Boundary, *, how: str) -> Resumption:
    position = LogPosition(
        found.file,
        max(found.offset, FIRST_OFFSET),
        epoch=recorded.epoch + 1,
        server=log.identity,
        created=found.created,
        gtids=recorded.gtids if log.executed is not None else None,
        commit_us=recorded.commit_us,
        origins=recorded.origins,
        owed=Obligation(found.applied_until, recorded.owed.repair_from_batch),
    )
    line = f"server {recorded.server} at {recorded} -> server {log.identity} at {position}, found {how}"
    if found.applied_until is not None:
        file, offset = found.applied_until
        line += f"; up to {file}:{offset} part was applied before and is read again as one batch"
    return Resumption(position, decisions=(line,))
