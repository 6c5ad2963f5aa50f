"""How a folder of recorded messages is a queue of one partition, and a source of the stream: the lines of its files, in
the order of the files' names. It is read from its beginning.

Runs in the driver; reads the folder.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Final

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.positions.queue_offsets import Offsets, QueueOffsets
from shardwright.runtime.sources.queue.broker_metadata import Row, Topics
from shardwright.runtime.sources.queue.driver_queue_source import DriverQueueSource
from shardwright.specs.environment.stream_place import FolderStream

LONGEST_LINE: Final = 64 << 20
"""In bytes. None of the three queues takes a longer message. Without a limit, a compressed file could make a line take
any amount of memory."""
_WRAPPING: Final = {"key", "value", "topic", "partition", "offset", "timestamp"}


@dataclass
class RecordedFolder:
    """The files of a folder. Their names end in .jsonl, .json or .ndjson, followed by .gz or .zst when compressed;
    other files are ignored. A line is a message: its value, or an object of a `value` (text, or null) and perhaps a
    `key` (text). An offset counts lines. Files only grow, and new ones sort behind those that exist: a message is
    identified by its number alone."""

    path: str
    _counted: dict[tuple[str, int, int], int] = field(default_factory=dict)

    @property
    def topic(self) -> str:
        return Path(self.path).name or "folder"

    @property
    def partition(self) -> str:
        return f"{self.topic}/0"

    def identity(self) -> str | None:
        """The identity of the content, by its first line; None while there is none."""
        first = next(self._lines(), None)
        return None if first is None else hashlib.sha256(first).hexdigest()[:16]

    def ends(self) -> Offsets:
        return {self.partition: sum(self._count(file) for file in self._files())}

    def rows(self, name: str, start: int, end: int) -> tuple[Row, ...]:
        """The messages of lines `start` to `end`. Raises Refused (SW8461) for lines that do not exist any more, and for
        one that is no message."""
        found = tuple(self._row(line, start + at) for at, line in enumerate(islice(self._lines(), start, end)))
        if len(found) != end - start:
            raise Refused(
                "SW8461", f"{self.path} was to hold {end} lines, and holds {start + len(found)}: files may only grow"
            )
        return found

    def _row(self, line: bytes, offset: int) -> Row:
        key: str | None = None
        value: bytes | None = line
        if (wrapped := self._read_wrapper(line)) is not None:
            key, text = wrapped.get("key"), wrapped["value"]  # type: ignore[assignment]
            if not isinstance(text, str | None) or not isinstance(key, str | None):
                raise Refused(
                    "SW8461",
                    f"{self.path}, line {offset + 1} in all: 'key' and 'value' are texts (the message as it was sent), "
                    "or null",
                )
            value = None if text is None else text.encode()
        return (None if key is None else key.encode()), value, self.topic, 0, offset

    def _read_wrapper(self, line: bytes) -> dict[str, object] | None:
        """The object around a message; None where there is none. A line that is no JSON is a message, which the decoder
        judges."""
        if b'"value"' not in line:
            return None
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) and "value" in found and set(found) <= _WRAPPING else None

    def _files(self) -> list[Path]:
        folder = Path(self.path)
        if not folder.is_dir():
            raise Refused("SW8461", f"{self.path} is no folder: look at stream.folder in the environment")
        return sorted(file for file in folder.iterdir() if file.is_file() and _is_recorded(file.name))

    def _lines(self) -> Iterator[bytes]:
        for file in self._files():
            yield from islice(_lines_of(file), self._count(file))

    def _count(self, file: Path) -> int:
        """How many whole lines a file has. A line without an end is still being written."""
        found = file.stat()
        known = (file.name, found.st_size, found.st_mtime_ns)
        if known not in self._counted:
            self._counted[known] = sum(1 for line in _lines_of(file) if line)
        return self._counted[known]


def _is_recorded(name: str) -> bool:
    plain = name.removesuffix(".gz").removesuffix(".zst")
    return plain.endswith((".jsonl", ".json", ".ndjson"))


def _lines_of(file: Path) -> Iterator[bytes]:
    """Raises Refused (SW8461) for a line that is longer than LONGEST_LINE."""
    with _open(file) as lines:
        number = 0
        while line := lines.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise Refused(
                    "SW8461",
                    f"{file}, line {number} is longer than {LONGEST_LINE >> 20} MiB, which no message is: a line holds "
                    "one message",
                )
            if line.endswith(b"\n") and line.strip():
                yield line.rstrip(b"\r\n")


def _open(file: Path) -> IO[bytes] | gzip.GzipFile:
    if file.suffix == ".gz":
        return gzip.open(file, "rb")
    if file.suffix == ".zst":
        import pyarrow as pa

        return io.BufferedReader(pa.CompressedInputStream(pa.OSFile(str(file), "rb"), "zstd"))
    return file.open("rb")


@dataclass
class FolderQueue:
    """The metadata of a queue (`offsets.BrokerMetadata`), answered by the folder."""

    stream: FolderStream

    @property
    def folder(self) -> RecordedFolder:
        return RecordedFolder(self.stream.path)

    def name(self) -> str:
        return f"folder {self.stream.path}"

    def topics(self) -> Topics:
        folder, identity = self.folder, self.folder.identity()
        return Topics({} if identity is None else {folder.topic: identity}, (folder.partition,))

    def beginnings(self, partitions: tuple[str, ...]) -> Offsets:
        return dict.fromkeys(partitions, 0)

    def ends(self, partitions: tuple[str, ...]) -> Offsets:
        return self.folder.ends()

    def readable(self, partitions: tuple[str, ...]) -> Offsets:
        return self.folder.ends()

    def commit(self, group: str, offsets: Offsets) -> None:
        """Does nothing: no other reader needs the offsets."""


class FolderSource(DriverQueueSource[FolderQueue]):
    def rows(self, partition: str, start: int, end: int) -> Iterable[Row]:
        return self.brokers.folder.rows(partition, start, end)

    def prove(self) -> QueueOffsets:
        topics = self.brokers.topics()
        begin = self.brokers.beginnings(topics.partitions)
        return QueueOffsets(offsets=begin, ids=topics.ids, committed_at=int(time.time()), since=begin)
