"""Whether the log of a server still continues at the stream's position, when it is the server that the stream follows
already (hazards E5, E8).

Runs in the driver; reads the source server.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.gtid import parse_gtids
from shardwright.runtime.sources.binlog.place import creation_time
from shardwright.runtime.sources.binlog.server_log import ServerLog
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.findings.remedies import START_OVER


def begin_of_oldest_file(log: ServerLog, recorded: LogPosition) -> LogPosition | None:
    """The beginning of the oldest file, where the recorded file is purged but all in it was applied. None in any other
    case."""
    if not log.has_purged(recorded) or recorded.gtids is None or log.executed is None:
        return None
    ours = parse_gtids(recorded.gtids)
    before = log.before(log.files[0])
    if before.minus(ours) or not log.executed.includes(ours):
        return None
    created = creation_time(log.endpoint, log.files[0])
    return replace(recorded, file=log.oldest.file, offset=log.oldest.offset, server=log.identity, created=created)


def require_same_log(log: ServerLog, recorded: LogPosition, tables: Sequence[str]) -> None:
    """Check that the log holds the position, and is the log it was. Raises Refused otherwise (hazards E3, E8)."""
    if log.has_purged(recorded):
        gap = _gap_before(log, recorded)
        raise Refused(
            "SW8133",
            f"{log.endpoint} has purged its log from {recorded} to {log.oldest}{gap}. What changed in between is lost "
            f"to us, of {', '.join(tables)}: {START_OVER}",
        )
    size = log.size.get(recorded.file)
    created = creation_time(log.endpoint, recorded.file) if size is not None else None
    ours = None if recorded.gtids is None else parse_gtids(recorded.gtids)
    if size is None or recorded.offset > size:
        why = f"its log ends at {log.head}, before {recorded}"
    elif recorded.created is not None and created != recorded.created:
        why = f"{recorded.file} is not the file of that name that the stream was in"
    elif ours is not None and log.executed is not None and not log.executed.includes(ours):
        why = f"it does not know the transactions {ours.minus(log.executed)} any more"
    else:
        return
    raise Refused(
        "SW8132",
        f"{log.endpoint} is the server that the stream follows, but {why}: its log was reset (RESET MASTER, RESET "
        f"BINARY LOGS) or the server restored from a backup. So {START_OVER}: {', '.join(tables)}",
    )


def _gap_before(log: ServerLog, recorded: LogPosition) -> str:
    if recorded.gtids is None or log.executed is None:
        return ""
    return f" (transactions {log.before(log.files[0]).minus(parse_gtids(recorded.gtids))})"
