"""Files that hold keys and values of rows: reports, state, events. Runs in the driver; only the account that runs us
may read them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TextIO


def open_private(path: Path, *, append: bool = False) -> TextIO:
    """For writing as UTF-8. A file that stands there keeps its mode: somebody chose it. Raises OSError."""
    how = os.O_APPEND if append else os.O_TRUNC
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | how, 0o600)
    return os.fdopen(handle, "w", encoding="utf-8")


def write_private(path: Path, text: str) -> None:
    """Raises OSError."""
    with open_private(path) as opened:
        opened.write(text)
