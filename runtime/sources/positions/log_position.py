"""Where an event is in a server's binary log, and from where to where a range of the log goes.

Pure. Used in the driver and in Spark tasks; the ledger keeps its JSON form.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from shardwright.runtime.sources.positions.obligation import Obligation
from shardwright.runtime.sources.positions.part import KeptPlace, PositionPart
from shardwright.runtime.sources.positions.pending import NONE_PENDING, Pending

Interval = tuple[int, int]
"""First and last number, both in it."""


class Origin(NamedTuple):
    """What the stream has met of one origin of transactions: MySQL's source, MariaDB's server in a domain (hazards E5,
    E6)."""

    changed: int
    """The number of its last transaction that changed a followed table; 0: none did."""
    harmless: tuple[Interval, ...]
    """Numbers of transactions that changed none, as far as they are kept."""


Origins = Mapping[str, Origin]


def origins_to_json(origins: Origins) -> dict[str, list[Any]]:
    return {name: [origin.changed, *origin.harmless] for name, origin in origins.items()}


def origins_from_json(value: Mapping[str, list[Any]]) -> Origins:
    return {
        name: Origin(int(changed), tuple((int(first), int(last)) for first, last in intervals))
        for name, (changed, *intervals) in value.items()
    }


FIRST_OFFSET = 4  # a log file starts with four magic bytes
LARGEST_OFFSET = 0xFFFF_FFFF  # the dump command carries the offset in 32 bits


@functools.total_ordering
@dataclass(frozen=True, slots=True)
class LogPosition:
    """A byte offset in a log file. Ordered by epoch, then by the number in the file's name, then by offset, so that
    `binlog.1000000` comes after `binlog.999999`. Within one epoch, positions of differently named logs have no order.

    The fields after `epoch` take no part in order or equality. Those that find the place again, or prove that it is
    gone, are None where they are not known.
    """

    file: str
    """Name of the log file; it ends in a number."""
    offset: int
    """Bytes from the file's beginning."""
    epoch: int = 0
    """How many times the stream has gone over to another server."""
    server: str | None = field(default=None, compare=False)
    """Identity of the server that has this log."""
    created: int | None = field(default=None, compare=False)
    """The file's own time of creation, in seconds since 1970."""
    gtids: str | None = field(default=None, compare=False)
    """Every transaction up to this position, as the server prints the set."""
    commit_us: int | None = field(default=None, compare=False)
    """When the last transaction before it committed at its origin, in microseconds since 1970."""
    origins: Origins = field(default_factory=dict, compare=False)
    """What the transactions up to it changed, as far as that is known."""
    owed: Obligation = field(default=Obligation(), compare=False)
    """What the first batch from here owes."""

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
        if self.epoch != other.epoch:
            return self.epoch < other.epoch
        if self.log_name != other.log_name:
            raise ValueError(f"{self} and {other} are in different logs")
        return (self.file_number, self.offset) < (other.file_number, other.offset)

    @property
    def partitions(self) -> int:
        return 1

    @property
    def may_bring_earlier(self) -> bool:
        return False

    @property
    def may_repeat(self) -> bool:
        return self.owed.replay_until is not None

    @property
    def repair_from_batch(self) -> int | None:
        return self.owed.repair_from_batch

    @property
    def event_place(self) -> tuple[int, int, int]:
        return self.epoch, self.file_number, self.offset

    @property
    def short(self) -> KeptPlace:
        return self.event_place

    def is_past(self, kept: KeptPlace) -> bool:
        return not isinstance(kept, tuple) or self.event_place >= kept

    def has_reached(self, other: PositionPart) -> bool:
        return not isinstance(other, LogPosition) or self >= other

    def must_replay(self, *, until: LogPosition) -> LogPosition:
        """One batch for all of it, so that no reader sees a row travel back."""
        return replace(self, owed=self.owed.with_replay(until.file, until.offset)) if self < until else self

    def must_repair(self, *, batch: int) -> LogPosition:
        """This position, before whose next batch the rows of `batch` and of all later ones must be read again from the
        server, because some of them were lost with the old one."""
        return replace(self, owed=self.owed.with_repair(batch))

    @property
    def replay_end(self) -> LogPosition | None:
        """The place that the next batch from here must at least reach; None where any boundary will do."""
        owed = self.owed.replay_until
        return None if owed is None else LogPosition(*owed, epoch=self.epoch)

    def obligation_at(self, place: LogPosition) -> Obligation:
        """What is still owed at `place`, a boundary behind this one. Rows are repaired before the first batch from
        here; a replay is owed until a batch has reached its end."""
        end = self.replay_end
        fulfilled = end is None or replace(place, epoch=self.epoch) >= end
        return Obligation() if fulfilled else Obligation(replay_until=self.owed.replay_until)

    def fulfil(self) -> LogPosition:
        """This position with nothing owed."""
        return replace(self, owed=Obligation())

    def bytes_before(self, other: LogPosition) -> int | None:
        return other.offset - self.offset if self.file == other.file else None

    def __str__(self) -> str:
        return f"{self.file}:{self.offset}"

    def to_json(self) -> dict[str, Any]:
        """The form that the ledgers keep and that tasks get in job properties. Fields that are not known are left
        out."""
        value: dict[str, Any] = {"file": self.file, "pos": self.offset}
        if self.epoch:
            value["epoch"] = self.epoch
        for name in ("server", "created", "gtids", "commit_us"):
            if (known := getattr(self, name)) is not None:
                value[name] = known
        if self.origins:
            value["origins"] = origins_to_json(self.origins)
        if self.owed.repair_from_batch is not None:
            value["repair_from_batch"] = self.owed.repair_from_batch
        if self.owed.replay_until is not None:
            value["replay_until"] = list(self.owed.replay_until)
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> LogPosition:
        until = value.get("replay_until")
        return cls(
            str(value["file"]),
            int(value["pos"]),
            epoch=int(value.get("epoch", 0)),
            server=value.get("server"),
            created=value.get("created"),
            gtids=value.get("gtids"),
            commit_us=value.get("commit_us"),
            origins=origins_from_json(value.get("origins", {})),
            owed=Obligation(None if until is None else (str(until[0]), int(until[1])), value.get("repair_from_batch")),
        )


@dataclass(frozen=True, slots=True)
class LogRange:
    """A range of the log of source `log`, between two transaction boundaries."""

    log: str
    start: LogPosition
    end: LogPosition
    prepared: Pending = field(default_factory=lambda: NONE_PENDING, compare=False)
    """XA transactions that were prepared before the start, as far as they are known; others are looked for."""
