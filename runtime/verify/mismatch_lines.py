"""A file that gets every mismatch as soon as it is found, however many there are: one line of JSON each.

Runs in the driver; writes the file, which only its owner may read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.verify.result import Mismatch
from shardwright.specs.files.private_files import open_private


@dataclass(frozen=True, slots=True)
class MismatchLines:
    path: Path
    opened: TextIO

    def add(self, mismatches: Iterable[Mismatch]) -> None:
        """Raises RuntimeFailure (SW8051) where the file cannot be written."""
        try:
            for mismatch in mismatches:
                self.opened.write(json.dumps(asdict(mismatch), ensure_ascii=False) + "\n")
            self.opened.flush()
        except OSError as error:
            raise _failure(self.path, error) from None


@contextmanager
def mismatch_lines(path: Path) -> Iterator[MismatchLines]:
    """Within, the file is open; what it had before is gone. Raises RuntimeFailure (SW8051)."""
    try:
        opened = open_private(path)
    except OSError as error:
        raise _failure(path, error) from None
    with opened:
        yield MismatchLines(path, opened)


def _failure(path: Path, error: OSError) -> RuntimeFailure:
    return RuntimeFailure("SW8051", f"cannot write the report {path}: {error.strerror}")
