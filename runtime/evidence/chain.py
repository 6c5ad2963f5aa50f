"""Records in a chain: each one has the digest of the one before, so that a change, a loss or a new order shows.

Used in the process of the command; writes and reads one file of JSON lines. The form is that of a hash chain
(Haber and Stornetta, 1991): the last digest proves that no record before it was changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

from shardwright.runtime.failures import InputAtFault

BROKEN: Final = "SW8561"
START: Final = "0" * 64
"""What the first record names as the one before."""

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    """One fact. `data` is what JSON can hold, without fractions, so that its text has one form."""

    kind: str
    data: Data


@dataclass
class ChainWriter:
    """Adds records to `out`, a line each."""

    out: TextIO
    head: str = START
    """The digest of the last record."""
    records: int = field(init=False, default=0)

    def add(self, record: Record) -> Record:
        line = {"kind": record.kind, "data": record.data, "previous": self.head}
        self.head = _digest(line)
        self.records += 1
        print(_text({**line, "sha256": self.head}), file=self.out)
        return record


def read_chain(path: Path) -> Iterator[tuple[Record, str]]:
    """Each record with its digest, in order. Raises InputAtFault (SW8561) at the first line that is not what was
    written, with its number."""
    previous = START
    with path.open(encoding="utf-8") as lines:
        for number, text in enumerate(lines, start=1):
            line = _parse(path, number, text)
            if line["previous"] != previous:
                raise _refusal(path, number, "does not follow the line before it: a line is missing, new or moved")
            previous = _digest({name: line[name] for name in ("kind", "data", "previous")})
            if line["sha256"] != previous:
                raise _refusal(path, number, "was changed: its digest is another one")
            yield Record(line["kind"], line["data"]), previous


def _parse(path: Path, number: int, text: str) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except ValueError:
        raise _refusal(path, number, "is no JSON") from None
    if not isinstance(line, dict) or line.keys() != {"kind", "data", "previous", "sha256"}:
        raise _refusal(path, number, "is no record of a report")
    if _text(line) != text.removesuffix("\n"):
        raise _refusal(path, number, "is written in another form than a report's")
    return line


def _refusal(path: Path, number: int, what: str) -> InputAtFault:
    return InputAtFault(BROKEN, f"{path}:{number}: this line {what}")


def _digest(line: Data) -> str:
    return hashlib.sha256(_text(line).encode()).hexdigest()


def _text(line: Data) -> str:
    """One text for equal data: names sorted, no spaces, other characters than ASCII escaped."""
    return json.dumps(line, sort_keys=True, separators=(",", ":"), allow_nan=False)
