"""Where an event stands in a server's binary log."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

FIRST_OFFSET = 4  # a log file starts with four magic bytes
LARGEST_OFFSET = 0xFFFF_FFFF  # the dump command carries the offset in 32 bits


@functools.total_ordering
@dataclass(frozen=True, slots=True)
class LogPosition:
    """A byte offset in a log file. Ordered by epoch, then by the number in the file's name, then by offset, so that
    `binlog.1000000` comes after `binlog.999999`. The epoch rises when the stream goes over to another server: within one,
    positions of differently named logs have no order.

    The other fields take no part in order or equality; each is None where it is not known. They find the place again, or
    prove that it is gone: `server` is whose log it is, `created` the file's own time of creation (seconds), `gtids` every
    transaction up to here, `commit_us` when the last one committed at its origin (microseconds), `whole_until` the place that
    the first batch from here must at least reach, because part of it may have been applied already; `reread_from` the first
    batch whose rows must be read again from the server before anything else, because some of it was lost with the old one.
    """

    file: str
    offset: int
    epoch: int = 0
    server: str | None = field(default=None, compare=False)
    created: int | None = field(default=None, compare=False)
    gtids: str | None = field(default=None, compare=False)
    commit_us: int | None = field(default=None, compare=False)
    whole_until: tuple[str, int] | None = field(default=None, compare=False)
    reread_from: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.file.rpartition(".")[2].isascii() or not self.file.rpartition(".")[2].isdigit():
            raise ValueError(f"'{self.file}' is not the name of a binary log file: it must end in a number")

    @property
    def file_number(self) -> int:
        return int(self.file.rpartition(".")[2])

    @property
    def log_name(self) -> str:
        return self.file.rpartition(".")[0]

    @property
    def whole(self) -> LogPosition | None:
        """`whole_until` as a position of the same log."""
        return None if self.whole_until is None else LogPosition(*self.whole_until, epoch=self.epoch)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, LogPosition):
            return NotImplemented
        if self.epoch != other.epoch:
            return self.epoch < other.epoch
        if self.log_name != other.log_name:
            raise ValueError(f"{self} and {other} stand in different logs")
        return (self.file_number, self.offset) < (other.file_number, other.offset)

    def reached(self, other: LogPosition) -> bool:
        return self >= other

    def bytes_before(self, other: LogPosition) -> int | None:
        return other.offset - self.offset if self.file == other.file else None

    def __str__(self) -> str:
        return f"{self.file}:{self.offset}"

    def to_json(self) -> dict[str, Any]:
        """The form the ledgers keep, and tasks are told. What is not known is left out."""
        value: dict[str, Any] = {"file": self.file, "pos": self.offset}
        if self.epoch:
            value["epoch"] = self.epoch
        for name in ("server", "created", "gtids", "commit_us", "reread_from"):
            if (known := getattr(self, name)) is not None:
                value[name] = known
        if self.whole_until is not None:
            value["whole_until"] = list(self.whole_until)
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> LogPosition:
        whole = value.get("whole_until")
        return cls(
            str(value["file"]),
            int(value["pos"]),
            epoch=int(value.get("epoch", 0)),
            server=value.get("server"),
            created=value.get("created"),
            gtids=value.get("gtids"),
            commit_us=value.get("commit_us"),
            whole_until=None if whole is None else (str(whole[0]), int(whole[1])),
            reread_from=value.get("reread_from"),
        )
