"""Where the stream goes on when a run begins: the recorded place, proved to be still there, or the same place in the log of
another server (hazards E3-E6, E8).

The same server: its log must still hold the position, and be the log it was. Another one: it must have every transaction
that was applied. Then the place is the last boundary in its log that has none in front of it which we lack. Where servers
commit in another order, transactions behind that place may have been applied already: they are read again, together with
all up to the last of them, as one batch. The batch brings every row it touches to its state at the batch's end, so
what was applied before does no harm, and no reader sees a row travel back.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from shardwright.runtime.binlog.connection import LogConnection
from shardwright.runtime.binlog.gtid import Gtids, parse_gtids
from shardwright.runtime.binlog.place import Found, created_of, place_by_gtid, place_by_time
from shardwright.runtime.binlog.position import FIRST_OFFSET, LogPosition
from shardwright.runtime.binlog.server_log import ServerLog, look_at
from shardwright.runtime.failures import Refused
from shardwright.specs.environment import FailoverSettings

_POLL = 0.5
_DEFAULTS = FailoverSettings()


@dataclass(frozen=True, slots=True)
class FoundAgain:
    """Where to go on, and in words what was decided on the way there: a line each for the audit. `copied_until`, after a
    change of servers: a position of the new one, such that all that `copied` positions held lies before it."""

    position: LogPosition
    copied_until: LogPosition | None = None
    decisions: tuple[str, ...] = ()


def resume(
    settings: LogConnection,
    recorded: LogPosition,
    *,
    copied: Sequence[LogPosition] = (),
    tables: Sequence[str],
    settled: FailoverSettings = _DEFAULTS,
) -> FoundAgain:
    """Refused when no place can be proved; the message says what is missing and which tables would be copied again. `copied` are
    positions of the old server behind `recorded`, up to which rows were copied from it: the new one must have all of that,
    too."""
    margin, patience = settled.margin_seconds, settled.wait_seconds
    log = look_at(settings)
    if recorded.server is None or recorded.server == log.identity:
        onward = _behind_purged_files(log, recorded)
        if onward is not None:
            return onward
        _require_same_log(log, recorded, tables)
        created = recorded.created if recorded.created is not None else created_of(settings, recorded.file)
        return FoundAgain(replace(recorded, server=log.identity, created=created))
    if recorded.gtids is not None and log.executed is not None:
        return _by_gtid(settings, recorded, copied, tables=tables, patience=patience)
    if copied:
        raise Refused(
            "SW8136",
            f"{settings} is server {log.identity}, but rows were copied from server {recorded.server} beyond the stream's "
            f"position {recorded}: whether the new server has them can be told by GTIDs only, and not both servers have them. "
            "Start again with empty targets",
        )
    if recorded.commit_us is not None and not log.mariadb:
        return _by_time(settings, recorded, tables=tables, margin=margin, patience=patience)
    raise Refused(
        "SW8136",
        f"{settings} is server {log.identity}, the stream stood at {recorded} of server {recorded.server}: without GTIDs and "
        "commit times on both, that place cannot be found in the new server's log. Point the environment back at the old "
        "server, or start again with empty targets",
    )


def _behind_purged_files(log: ServerLog, recorded: LogPosition) -> FoundAgain | None:
    """Where the file is gone but held nothing more that was not applied: the beginning of the oldest file there is."""
    if not _is_purged(log, recorded) or recorded.gtids is None or log.executed is None:
        return None
    ours = parse_gtids(recorded.gtids)
    before = log.before(log.files[0])
    if before.minus(ours) or not log.executed.includes(ours):
        return None
    created = created_of(log.settings, log.files[0])
    position = replace(recorded, file=log.oldest.file, offset=log.oldest.offset, server=log.identity, created=created)
    return FoundAgain(
        position, decisions=(f"{recorded} is purged and all before {position} was applied: on from there",)
    )


def _is_purged(log: ServerLog, recorded: LogPosition) -> bool:
    return recorded.log_name == log.head.log_name and recorded.file_number < log.oldest.file_number


def _require_same_log(log: ServerLog, recorded: LogPosition, tables: Sequence[str]) -> None:
    if _is_purged(log, recorded):
        gap = _gap_before(log, recorded)
        raise Refused(
            "SW8133",
            f"{log.settings} has purged its log from {recorded} to {log.oldest}{gap}. What changed in between is lost to us: "
            f"copy again {', '.join(tables)}",
        )
    size = log.size.get(recorded.file)
    created = created_of(log.settings, recorded.file) if size is not None else None
    ours = None if recorded.gtids is None else parse_gtids(recorded.gtids)
    if size is None or recorded.offset > size:
        why = f"its log ends at {log.head}, before {recorded}"
    elif recorded.created is not None and created != recorded.created:
        why = f"{recorded.file} is not the file of that name that the stream stood in"
    elif ours is not None and log.executed is not None and not log.executed.includes(ours):
        why = f"it does not know the transactions {ours.minus(log.executed)} any more"
    else:
        return
    raise Refused(
        "SW8132",
        f"{log.settings} is the server that the stream follows, but {why}: its log was reset (RESET MASTER, RESET BINARY LOGS) "
        f"or the server restored from a backup. Start again with empty targets: {', '.join(tables)}",
    )


def _gap_before(log: ServerLog, recorded: LogPosition) -> str:
    if recorded.gtids is None or log.executed is None:
        return ""
    return f" (transactions {log.before(log.files[0]).minus(parse_gtids(recorded.gtids))})"


def _by_gtid(
    settings: LogConnection,
    recorded: LogPosition,
    copied: Sequence[LogPosition],
    *,
    tables: Sequence[str],
    patience: float,
) -> FoundAgain:
    assert recorded.gtids is not None
    ours = parse_gtids(recorded.gtids)
    for position in copied:
        _wait_until_it_has(settings, parse_gtids(position.gtids or ""), patience)
    log = _wait_until_it_has(settings, ours, patience)
    found = place_by_gtid(log, ours, tables=tables)
    moved = _moved(log, recorded, found, how="by GTID")
    until = replace(log.head, epoch=moved.position.epoch, server=log.identity, gtids=str(log.executed))
    return replace(moved, copied_until=until)


def _by_time(
    settings: LogConnection, recorded: LogPosition, *, tables: Sequence[str], margin: float, patience: float
) -> FoundAgain:
    end = time.monotonic() + patience
    while True:
        log = look_at(settings)
        found = place_by_time(log, recorded, tables=tables, margin=margin)
        if found is not None:
            return _moved(log, recorded, found, how=f"by commit time, {margin:g} s back")
        if time.monotonic() > end:
            raise Refused(
                "SW8134",
                f"the log of {settings} (server {log.identity}) does not hold the last transaction that was applied, the one "
                f"before {recorded} of server {recorded.server}: it lags, or the transaction was lost with the old server. "
                "Let it catch up and run again; if it was lost, start again with empty targets",
            )
        time.sleep(_POLL)


def _wait_until_it_has(settings: LogConnection, gtids: Gtids, patience: float) -> ServerLog:
    """Refused, naming what is missing, when the server makes no progress."""
    before: object = None
    end = 0.0
    while True:
        log = look_at(settings)
        if log.executed is not None and log.executed.includes(gtids):
            return log
        missing = gtids if log.executed is None else gtids.minus(log.executed)
        if missing != before:
            before, end = missing, time.monotonic() + patience
        elif time.monotonic() > end:
            raise Refused(
                "SW8134",
                f"{settings} (server {log.identity}) lacks transactions that were applied already: {missing}. It lags and has "
                f"made no progress for {patience:g} s (failover.wait), or they were lost with the old server. Let it catch up and run "
                "again; if they are lost, start again with empty targets",
            )
        time.sleep(_POLL)


def _moved(log: ServerLog, recorded: LogPosition, found: Found, *, how: str) -> FoundAgain:
    position = LogPosition(
        found.file,
        max(found.offset, FIRST_OFFSET),
        epoch=recorded.epoch + 1,
        server=log.identity,
        created=found.created,
        gtids=recorded.gtids if log.executed is not None else None,
        commit_us=recorded.commit_us,
        whole_until=found.whole_until,
    )
    line = f"server {recorded.server} at {recorded} -> server {log.identity} at {position}, found {how}"
    if found.whole_until is not None:
        file, offset = found.whole_until
        line += f"; up to {file}:{offset} part was applied before and is read again as one batch"
    return FoundAgain(position, decisions=(line,))
