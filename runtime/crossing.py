"""How failures come back from Spark's tasks. Spark carries an exception as text, in which a row's value may say anything; so whatever a task
raises has a note with a secret of this run, which no value can know, and only such notes are read. Runs in the driver and in tasks.

A note is one line of JSON behind the secret (PEP 678): Python prints it below the exception it belongs to, wherever that is told.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Mapping
from typing import Any, Final

VARIABLE: Final = "SHARDWRIGHT_CROSSING"
"""Tasks have the secret in their environment; the driver has not, so that its own exceptions carry no notes."""
SECRET: Final = secrets.token_hex(16)
_NOTE: Final = re.compile(rf"^\s*SHARDWRIGHT-FAILURE {SECRET} (\{{.*\}})\s*$", re.MULTILINE)


def note_for_the_driver(error: BaseException, **said: object) -> None:
    """In a task: let the driver know what this exception says. Elsewhere: nothing."""
    secret = os.environ.get(VARIABLE)
    if secret is not None:
        error.add_note(f"SHARDWRIGHT-FAILURE {secret} {json.dumps(said, default=str)}")


def notes_in(error: BaseException) -> list[Mapping[str, Any]]:
    """What tasks have noted, in the order of the text: the exception that was raised last comes last."""
    return [json.loads(found) for found in _NOTE.findall(str(error))]
