"""Failures cross Spark as text: our own code and message are found again in it."""

from __future__ import annotations

import re

from shardwright.runtime.failures import Refused, RuntimeFailure, ServerTrouble, StoppedPartWay, Unreachable
from shardwright.runtime.queues.java_errors import as_denied
from shardwright.runtime.server_trouble import refusal_in, trouble_in

_CODE = re.compile(r"(SW[678]\d{3}): (.*)")
_QUEUE_GAP = re.compile(
    r"KAFKA_DATA_LOSS|data may have been lost|OffsetOutOfRangeException|failOnDataLoss", re.IGNORECASE
)
_QUEUE_SILENT = re.compile(
    r"org\.apache\.kafka\.common\.errors\.(?:Timeout|Disconnect|Network|NotLeaderOrFollower|LeaderNotAvailable)\w*Exception[^\n]*"
    r"|No resolvable bootstrap urls[^\n]*"
)
_LATE_WORKER = "Python worker failed to connect back"
_NO_ROOM = re.compile("No space left on device|Disk quota exceeded|Read-only file system")
_UNREACHABLE = frozenset({"SW8101", "SW8102", "SW8105", "SW8117", "SW8451", "SW8481"})
_PART_WAY = frozenset({"SW8302", "SW8304", "SW8306", "SW8399"})


def as_failure(error: BaseException) -> BaseException:
    """The failure that the operator should read in place of Spark's; the error itself when it holds none of ours."""
    if isinstance(error, RuntimeFailure):
        return error
    match = _CODE.search(str(error))
    if match is None and _QUEUE_GAP.search(str(error)):
        return _queue_gap()
    if match is None and (denied := as_denied(str(error), "Kafka")):
        return denied
    if match is None and (silent := _QUEUE_SILENT.search(str(error))):
        return Unreachable("SW8451", f"Kafka does not answer: {silent[0].rpartition('errors.')[2]}")
    if match is None:
        return trouble_in(error) or refusal_in(error) or _of_this_machine(error) or error
    code, message = match[1], match[2].strip()
    if code == "SW8305":
        return ServerTrouble(message)
    if code in _UNREACHABLE:
        return Unreachable(code, message)
    return StoppedPartWay(code, message) if code in _PART_WAY else Refused(code, message)


def _of_this_machine(error: BaseException) -> StoppedPartWay | None:
    if _LATE_WORKER in str(error):
        return _worker_late()
    match = _NO_ROOM.search(str(error))
    return None if match is None else StoppedPartWay("SW8306", f"this machine's folder for temporary files: {match[0]}")


def _worker_late() -> StoppedPartWay:
    message = "a Python process was not up within the ten seconds Spark waits for it, the machine is overloaded; running again resumes"
    return StoppedPartWay("SW8304", message)


def _queue_gap() -> Refused:
    """Spark stops at the gap; the check before the next run's first batch knows which offsets it has."""
    message = "the queue does not hold messages that were not read yet; running again tells which"
    return Refused("SW8455", message)
