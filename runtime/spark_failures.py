"""Failures cross Spark as text: our own code and message are found again in it."""

from __future__ import annotations

import re

from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay, Unreachable

_CODE = re.compile(r"(SW[678]\d{3}): (.*)")
_LATE_WORKER = "Python worker failed to connect back"
_UNREACHABLE = frozenset({"SW8101", "SW8102", "SW8117"})
_PART_WAY = frozenset({"SW8302", "SW8304", "SW8399"})


def as_failure(error: BaseException) -> BaseException:
    """The failure that the operator should read in place of Spark's; the error itself when it holds none of ours."""
    if isinstance(error, RuntimeFailure):
        return error
    match = _CODE.search(str(error))
    if match is None:
        return _worker_late() if worker_was_late(error) else error
    code, message = match[1], match[2].strip()
    if code in _UNREACHABLE:
        return Unreachable(code, message)
    return StoppedPartWay(code, message) if code in _PART_WAY else Refused(code, message)


def worker_was_late(error: BaseException) -> bool:
    """Whether a Python process that Spark started was not up within the time Spark gives it."""
    return _LATE_WORKER in str(error)


def _worker_late() -> StoppedPartWay:
    message = "a Python process was not up within the ten seconds Spark waits for it, the machine is overloaded; running again resumes"
    return StoppedPartWay("SW8304", message)
