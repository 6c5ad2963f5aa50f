"""Run-time failures, sorted by what the operator does next. Each has a code and one clear message.

Raised in the driver and in Spark tasks. Spark carries a task's exception to the driver as text, in which a row's
value may say anything. So whatever a task raises has a note with a secret of this run, which no value can know, and
the driver reads only such notes. A note is one line of JSON behind the secret (PEP 678): Python prints it below the
exception it belongs to, wherever that is printed.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Mapping
from typing import Any, Final

CROSSING_VARIABLE: Final = "SHARDWRIGHT_CROSSING"
"""Tasks have the secret in their environment; the driver has not, so that its own exceptions carry no notes."""
CROSSING_SECRET: Final = secrets.token_hex(16)
_NOTE: Final = re.compile(rf"^\s*SHARDWRIGHT-FAILURE {CROSSING_SECRET} (\{{.*\}})\s*$", re.MULTILINE)


class RuntimeFailure(Exception):
    """A known failure: `code` is SW7xxx or SW8xxx, `message` names what failed and the way out. `place` is set where
    the driver looks at one event because of it: "file:offset" in a log, "topic/partition:offset" in a queue."""

    exit_code = 2

    def __init__(self, code: str, message: str, place: str | None = None) -> None:
        self.code = code
        self.message = message
        self.place = place
        super().__init__(f"{code}: {message}")
        note_for_the_driver(self, kind=type(self).__name__, code=code, message=message, place=place)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message, self.place)


class InputAtFault(RuntimeFailure):
    """What was asked for does not fit the project (exit 1)."""

    exit_code = 1


class Unreachable(RuntimeFailure):
    """The environment cannot be reached or credentials are missing; trying again may help (exit 4)."""

    exit_code = 4


class Refused(RuntimeFailure):
    """A safety stop that needs a human: stale plan, foreign rows, fenced by a newer run (exit 6)."""

    exit_code = 6


class StoppedPartWay(RuntimeFailure):
    """Some of the work is done, the ledger is consistent, running again resumes (exit 5)."""

    exit_code = 5


class CouldNotCheck(RuntimeFailure):
    """A statement of a comparison failed, or its answer cannot be trusted (exit 8). Other tables can still be
    compared."""

    exit_code = 8


class ServerTrouble(StoppedPartWay):
    """A server, or the way to it, failed under our hands in a way that passes: a cut connection, a restart, a full
    disk, a primary that has become read-only. Doing the same again is safe, for the ledger says what was done."""

    def __init__(self, message: str) -> None:
        super().__init__("SW8305", message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message,)


def failure_from_note(note: Mapping[str, Any]) -> RuntimeFailure:
    """The failure that a task has noted, made again."""
    kind, message = note["kind"], str(note["message"])
    if kind == ServerTrouble.__name__:
        return ServerTrouble(message)
    known = (RuntimeFailure, InputAtFault, Unreachable, Refused, StoppedPartWay, CouldNotCheck)
    kinds = {each.__name__: each for each in known}
    return kinds.get(kind, Refused)(str(note["code"]), message, note.get("place"))


def note_for_the_driver(error: BaseException, **said: object) -> None:
    """In a task: let the driver know what this exception says. Elsewhere: nothing."""
    secret = os.environ.get(CROSSING_VARIABLE)
    if secret is not None:
        error.add_note(f"SHARDWRIGHT-FAILURE {secret} {json.dumps(said, default=str)}")


def notes_in(error: BaseException) -> list[Mapping[str, Any]]:
    """What tasks have noted, in the order of the text: the exception that was raised last comes last."""
    return [json.loads(found) for found in _NOTE.findall(str(error))]
