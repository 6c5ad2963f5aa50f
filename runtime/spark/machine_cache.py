"""What is made or fetched once a machine, for all projects and runs: folders among the user's caches."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def cache_folder(name: str) -> Path:
    """Among the user's caches, or what SHARDWRIGHT_`NAME` says; it need not be there."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get(f"SHARDWRIGHT_{name.upper()}") or base / "shardwright" / name)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Within, no other process is; the folder is there."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
