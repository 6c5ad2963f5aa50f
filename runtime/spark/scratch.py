"""Where this process keeps scratch files: in one private folder for Spark, Java and Python's workers.

Runs in the driver; writes below the environment's `work_dir`, or the system's folder for temporary files. The folder is
removed when the process ends. Folders of killed processes are removed at the next start.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Final

from shardwright.runtime.failures import RuntimeFailure

_PREFIX: Final = "shardwright-scratch-"
_LOCK: Final = "in-use"
_UNLOCKED_SECONDS: Final = 3600.0
"""After this time a folder without a lock file is removed. Its process was killed between making the two; a younger one
may still be doing so."""
_parent: str | None = None


def scratch_below(work_dir: str | None) -> None:
    """Set where `scratch_folder` makes the folder; None: the system's folder for temporary files."""
    global _parent
    _parent = work_dir


@cache
def scratch_folder() -> Path:
    """This process's folder, which only its account may read. Raises RuntimeFailure (SW8054) where none can be made."""
    parent = Path(_parent or tempfile.gettempdir()).absolute()
    try:
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sweep(parent)
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        lock = os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # held until this process ends, however it ends
    except OSError as error:
        named = "work_dir of the environment" if _parent else "TMPDIR, or work_dir of the environment,"
        raise RuntimeFailure(
            "SW8054", f"cannot make a folder for scratch files in {parent}: {error.strerror}: {named} names another one"
        ) from None
    atexit.register(_remove, folder, os.getpid())
    return folder


def _sweep(parent: Path) -> None:
    """Remove folders of this account whose processes are gone: no process holds their lock."""
    for folder in parent.glob(f"{_PREFIX}*"):
        try:
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            if not (folder / _LOCK).exists():
                if time.time() - folder.stat().st_mtime > _UNLOCKED_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)
                continue
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            continue  # another start has just removed it
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            pass  # its process lives
        finally:
            os.close(lock)


def _remove(folder: Path, owner: int) -> None:
    """Remove the folder, in several tries: Java ends when this process does, and may still write its last files."""
    if os.getpid() != owner:
        return
    for _ in range(5):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)
