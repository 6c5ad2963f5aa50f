"""How certificates and keys of this machine reach tasks on other machines: their contents travel inside the tasks'
functions, so they are in no plan, in no setting and on no page of Spark's.

Used in the driver, which reads the files, and in Spark tasks on other machines, which write private copies below their
temporary folder.
"""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from shardwright.runtime.failures import Unreachable

_to_other_machines = False


def carry_files(*, to_other_machines: bool) -> None:
    """Say where the tasks of this process run. On this machine they read the files themselves, also when those are
    written again."""
    global _to_other_machines
    _to_other_machines = to_other_machines


class CarriedFile(str):
    """The path of a file on this machine. In a task on another machine it is the path of a copy, which only the task's
    account may read, and which is removed when its process ends."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        if not _to_other_machines:
            return str, (str(self),)
        try:
            content = Path(self).read_bytes()
        except OSError as error:
            raise Unreachable("SW8105", f"{self} cannot be read, to be sent to tasks: {error.strerror}") from error
        return _write_down, (Path(self).name, content)


def carry(file: str | None) -> str | None:
    return None if file is None else CarriedFile(file)


def _write_down(name: str, content: bytes) -> str:
    """Write a copy and return its path. The same contents get the same path, so that what is cached by path (`tls`)
    stays valid."""
    place = _own_folder() / hashlib.sha256(content).hexdigest()[:16] / name
    if not place.exists():
        place.parent.mkdir(mode=0o700, exist_ok=True)
        place.touch(mode=0o600)
        place.write_bytes(content)
    return str(place)


@cache
def _own_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="shardwright-files-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
