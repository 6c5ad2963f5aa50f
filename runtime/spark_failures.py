"""Failures cross Spark as text: our own code and message are found again in it."""

from __future__ import annotations

import re

from shardwright.runtime.failures import Refused, RuntimeFailure, StoppedPartWay, Unreachable

_CODE = re.compile(r"(SW[678]\d{3}): (.*)")
_UNREACHABLE = frozenset({"SW8101", "SW8102", "SW8117"})
_PART_WAY = frozenset({"SW8302", "SW8304", "SW8399"})


def as_failure(error: BaseException) -> BaseException:
    """The failure that the operator should read in place of Spark's; the error itself when it holds none of ours."""
    if isinstance(error, RuntimeFailure):
        return error
    match = _CODE.search(str(error))
    if match is None:
        return error
    code, message = match[1], match[2].strip()
    if code in _UNREACHABLE:
        return Unreachable(code, message)
    return StoppedPartWay(code, message) if code in _PART_WAY else Refused(code, message)
