"""How the stream continues in a server's log when the queue that it has read is lost (hazard F6).

Runs in the driver; reads the source server.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.failover import Resumption
from shardwright.runtime.sources.binlog.gtid_event import GTID_EVENTS
from shardwright.runtime.sources.binlog.place import creation_time
from shardwright.runtime.sources.binlog.server_log import look_at
from shardwright.runtime.sources.positions.log_position import FIRST_OFFSET, LogPosition
from shardwright.runtime.sources.positions.queue_offsets import QueueOffsets
from shardwright.specs.findings.remedies import START_OVER


def resume_from_log(endpoint: Endpoint, recorded: QueueOffsets, *, tables: Sequence[str], margin: float) -> Resumption:
    """Where the stream continues in the log: `margin` seconds before the commit time of the last message that was read.
    Raises Refused when the log does not reach back that far."""
    log = look_at(endpoint)
    if recorded.committed_at is None:
        raise Refused("SW8460", f"when the last message before {recorded} was committed is not known: start again")
    earliest = recorded.committed_at - math.ceil(margin)
    known = LogPosition(recorded.log.rpartition(":")[0], FIRST_OFFSET) if recorded.log else None
    for name in reversed(log.files):
        begun = creation_time(endpoint, name)
        before_known = known is None or LogPosition(name, FIRST_OFFSET).file_number <= known.file_number
        if begun <= earliest and before_known:
            break
    else:
        if log.files[0].rpartition(".")[2].strip("0") != "1":
            raise Refused(
                "SW8460",
                f"{endpoint} has purged its log from before {log.oldest}, and changes from {margin:g} s before the "
                f"last one that was applied are needed. Changes of {', '.join(tables)} are lost: {START_OVER}",
            )
        name = log.files[0]  # a server's first file: nothing was logged before it
        begun = creation_time(endpoint, name)
    place = _first_since(endpoint, name, earliest, head=log.head)
    place = replace(
        place, server=log.identity, created=begun if place.file == name else creation_time(endpoint, place.file)
    )
    source = f"place {recorded.log} of the log" if recorded.log else f"commit time {recorded.committed_at}"
    line = (
        f"queue at {recorded} ({source}) -> log of server {log.identity} at {place}, read again from {margin:g} s "
        "before"
    )
    return Resumption(place, log.head, (line,), replaces_queue=True)


def _first_since(endpoint: Endpoint, file: str, earliest: int, *, head: LogPosition) -> LogPosition:
    """Where the first transaction of `file` or a later one begins whose time is `earliest` (seconds since 1970) or
    later; the head when there is none."""
    for event in dump(endpoint, LogPosition(file, FIRST_OFFSET), head):
        if event.kind in GTID_EVENTS and event.timestamp >= earliest:
            return LogPosition(event.file, event.start)
    return LogPosition(head.file, head.offset)
