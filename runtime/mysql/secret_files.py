"""Files of this machine that tasks on other machines need: certificates and keys. Their contents travel inside the tasks' functions, so
they stand in no plan, no setting and on no page of Spark's."""

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
    """Where the tasks of this process run. On this machine they read the files themselves, also when those are written anew."""
    global _to_other_machines
    _to_other_machines = to_other_machines


class CarriedFile(str):
    """The path of a file on this machine. In a task on another one: the path of a copy, which only its process may read, and which goes
    with it."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        if not _to_other_machines:
            return str, (str(self),)
        try:
            content = Path(self).read_bytes()
        except OSError as error:
            raise Unreachable("SW8105", f"{self} cannot be read, to be sent to tasks: {error.strerror}") from error
        return _written_down, (Path(self).name, content)


def carried(file: str | None) -> str | None:
    return None if file is None else CarriedFile(file)


def _written_down(name: str, content: bytes) -> str:
    """The same contents are the same path, so that what is kept by path (`tls`) is kept."""
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
