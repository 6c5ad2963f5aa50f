"""Whether a queue still holds what the stream has not read (hazard F6).

Runs in the driver. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.positions.queue_offsets import Offsets, QueueOffsets
from shardwright.specs.findings.remedies import START_OVER

_REMEDY = (
    "The changes between are lost in the queue. Continue from the source's log at that place, "
    f"`stream: {{binlog: {{instead_of_queue: true}}}}`, or {START_OVER}"
)


def require_kept(start: QueueOffsets, ids: Mapping[str, str], *, beginnings: Offsets, ends: Offsets) -> None:
    """Raises Refused with the exact gap. `beginnings` and `ends` may be left empty: then only the topics are
    checked."""
    for topic, known in start.ids.items():
        if topic not in ids:
            raise Refused("SW8455", f"topic {topic} is gone, the stream was at {_of(topic, start)}. {_REMEDY}")
        if ids[topic] != known:
            raise Refused(
                "SW8455",
                f"topic {topic} was deleted and created again (it was {known}, it is {ids[topic]}); its offsets "
                f"mean other messages than those that the stream has read up to, {_of(topic, start)}. {_REMEDY}",
            )
    for name, first in beginnings.items():
        wanted = start.offsets.get(name, 0)
        topic, _, number = name.rpartition("/")
        if wanted < first:
            raise Refused(
                "SW8455",
                f"topic {topic}, partition {number}: offsets {wanted} to {first - 1} were not read and are deleted "
                f"(the queue's retention). {_REMEDY}",
            )
        if wanted > ends[name]:
            raise Refused(
                "SW8455",
                f"topic {topic}, partition {number} ends at offset {ends[name]}, the stream has read up to {wanted}: "
                f"the queue has lost messages. {_REMEDY}",
            )


def _of(topic: str, start: QueueOffsets) -> str:
    found = {name: offset for name, offset in start.offsets.items() if name.rpartition("/")[0] == topic}
    return " ".join(f"{name}:{offset}" for name, offset in sorted(found.items()))
