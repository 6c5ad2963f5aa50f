"""Where an event stands in a server's binary log."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

FIRST_OFFSET = 4  # a log file starts with four magic bytes
LARGEST_OFFSET = 0xFFFF_FFFF  # the dump command carries the offset in 32 bits


@functools.total_ordering
@dataclass(frozen=True, slots=True)
class LogPosition:
    """A byte offset in a log file. Ordered by the number in the file's name, then by offset, so that
    `binlog.1000000` comes after `binlog.999999`. Positions of differently named logs have no order."""

    file: str
    offset: int

    def __post_init__(self) -> None:
        if not self.file.rpartition(".")[2].isascii() or not self.file.rpartition(".")[2].isdigit():
            raise ValueError(f"'{self.file}' is not the name of a binary log file: it must end in a number")

    @property
    def file_number(self) -> int:
        return int(self.file.rpartition(".")[2])

    @property
    def log_name(self) -> str:
        return self.file.rpartition(".")[0]

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, LogPosition):
            return NotImplemented
        if self.log_name != other.log_name:
            raise ValueError(f"{self} and {other} stand in different logs")
        return (self.file_number, self.offset) < (other.file_number, other.offset)

    def __str__(self) -> str:
        return f"{self.file}:{self.offset}"

    def to_json(self) -> dict[str, str | int]:
        """The form Spark keeps in its offset log."""
        return {"file": self.file, "pos": self.offset}

    @classmethod
    def from_json(cls, value: Mapping[str, str | int]) -> LogPosition:
        return cls(str(value["file"]), int(value["pos"]))
