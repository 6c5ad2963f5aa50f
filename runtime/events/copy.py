"""Events of the copy: tables, chunks, indexes, and rows that are removed before a table is copied.

Pure. Made in the driver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.time_left import TimeLeft, size

_NAMED = 3


@dataclass(frozen=True, slots=True)
class OnShard:
    """What this run copied of a table to one target database."""

    rows: int
    bytes_sent: int

    def plus(self, rows: int, loaded: int) -> OnShard:
        return OnShard(self.rows + rows, self.bytes_sent + loaded)


@dataclass(frozen=True, slots=True)
class TableProgress(RunEvent):
    """What is copied of a table when a run begins."""

    table: str
    """The logical table."""
    rows: int
    """Rows that earlier runs have copied."""
    expected_rows: int
    """The source server's estimate of the table's rows."""
    complete: bool
    """Whether all of it is copied."""

    @property
    def sentence(self) -> str:
        return f"{self.table}: {self.rows:,} rows were copied before"


@dataclass(frozen=True, slots=True)
class ChunkCopied(RunEvent):
    """One more chunk of a table is on the shards."""

    table: str
    """The logical table."""
    rows: int
    """Rows of this chunk."""
    total_rows: int
    """Rows of the table that are copied, those of earlier runs included."""
    expected_rows: int
    """The source server's estimate of the table's rows, at least `total_rows`."""
    chunk: str
    """The chunk as "source table/number"."""
    chunks: int
    """Chunks of the table that are done, those of earlier runs included."""
    bytes_sent: int
    """Bytes of the table that this run sent to the shards."""
    rows_per_second: float | None
    """The recent mean; None when it is not known yet."""
    left: TimeLeft | None
    """The time left for this table; None when it is not known yet."""
    all_left: TimeLeft | None
    """The time left for the whole copy; None when it is not known yet."""
    shards: Mapping[str, OnShard] = field(default_factory=dict)
    """What this run copied of the table, by target database: all that the table is on."""
    complete: bool = False
    """Whether this was the table's last chunk."""

    @property
    def sentence(self) -> str:
        share = min(100, 100 * self.total_rows // max(1, self.expected_rows))
        rows = f"rows={self.total_rows} of about {self.expected_rows} ({share}%)"
        if self.complete:
            rows = f"rows={self.total_rows} (all)"
        return f"{self.table} chunk={self.chunk} {rows} {self._pace}".rstrip()

    @property
    def _pace(self) -> str:
        """How much was copied, how fast, and how long the rest takes."""
        parts = [f"{self.chunks} chunk{'s' if self.chunks > 1 else ''}, {size(self.bytes_sent)} sent"]
        if self.rows_per_second is not None:
            parts.append(f"{self.rows_per_second:,.0f} rows/s")
        if self.left is not None and self.left.expected > 0 and not self.complete:
            parts.append(f"{self.left} left")
        if self.all_left is not None and self.all_left != self.left:
            parts.append(f"all tables {self.all_left}")
        return ", ".join([*parts, self.spread] if self.spread else parts)

    @property
    def spread(self) -> str:
        """The emptiest and the fullest of the shards. Empty where all have the same number of rows."""
        order = sorted(self.shards.items(), key=lambda item: item[1].rows)
        if not order or order[0][1].rows == order[-1][1].rows:
            return ""
        (least, few), (most, many) = order[0], order[-1]
        return f"{len(order)} shards: {few.rows:,} rows ({least}) to {many.rows:,} ({most})"


@dataclass(frozen=True, slots=True)
class ChunksWaiting(RunEvent):
    """Chunks whose rows were read are written once the stream has passed a position."""

    tables: tuple[str, ...]
    """The tables that wait."""
    reasons: tuple[str, ...]
    """Why, without repeats."""
    wanted: str
    """The position that the stream has to pass."""
    position: str
    """Where the stream is."""

    @property
    def sentence(self) -> str:
        names = ", ".join(self.tables[:_NAMED])
        more = f" and {len(self.tables) - _NAMED} more" if len(self.tables) > _NAMED else ""
        return (
            f"{names}{more}: rows that were read are written when the stream has passed {self.wanted} "
            f"({'; '.join(self.reasons)}); it is at {self.position}"
        )


@dataclass(frozen=True, slots=True)
class ReplicaWait(RunEvent):
    """Chunks are read from a replica, which must have all that its source had when the copy began."""

    replica: str
    """Its address."""
    source: str
    """The name of its source server."""
    seconds: float | None = None
    """How long it took; None while the copy still waits."""

    @property
    def sentence(self) -> str:
        what = f"replica {self.replica} of source server {self.source}"
        if self.seconds is not None:
            return f"{what} has it after {self.seconds:.0f} s"
        return f"the copy waits for {what}: it must have all that its source had when the copy began"


@dataclass(frozen=True, slots=True)
class KeylessRowsStaged(RunEvent):
    """The rows of a table without a key are staged, all of them in one transaction."""

    table: str
    """The logical table."""
    rows: int
    """How many."""
    at_the_start: bool
    """As they are where the stream begins; else as they are now."""

    @property
    def sentence(self) -> str:
        where = "where the stream begins" if self.at_the_start else "now"
        return f"{self.table} has no key: {self.rows} rows staged, as they are {where}"


@dataclass(frozen=True, slots=True)
class SnapshotComplete(RunEvent):
    """All rows are copied, and the stream has passed the high watermark."""

    resumed: bool = False
    """Whether an earlier attempt, of this run or of another one, had copied them."""

    @property
    def sentence(self) -> str:
        return "snapshot complete"


@dataclass(frozen=True, slots=True)
class IndexesMissing(RunEvent):
    """The run ends here by its `--until`, before indexes are built."""

    tables: int
    """Physical tables without their deferred indexes."""

    @property
    def sentence(self) -> str:
        return f"{self.tables} tables lack their indexes: run --until caught-up or forever builds them"


@dataclass(frozen=True, slots=True)
class IndexProgress(RunEvent):
    """Deferred indexes of a table are built."""

    table: str
    """The logical table."""
    built: int
    """Physical tables that have them."""
    total: int
    """All its physical tables."""
    indexes: tuple[str, ...] = ()
    """Their names, when building begins; else empty."""

    @property
    def sentence(self) -> str:
        if self.indexes:
            names, left = ", ".join(self.indexes), self.total - self.built
            return f"indexes of {self.table}: building {names} in {left} of {self.total} tables"
        return f"indexes of {self.table}: {self.built} of {self.total} tables"


@dataclass(frozen=True, slots=True)
class TablesToRecopy(RunEvent):
    """An operator has ordered that tables are copied again (`--recopy`)."""

    tables: tuple[str, ...]

    @property
    def sentence(self) -> str:
        return f"to be copied again: {', '.join(self.tables)}: their rows on the shards are removed first"


@dataclass(frozen=True, slots=True)
class EarlierRows(RunEvent):
    """Rows were in a target database before the copy: the spec, or a recopy, says what becomes of them."""

    table: str
    """The logical table."""
    database: str
    """The target database."""
    fate: Literal["kept", "removing", "removed"]
    rows: int | None = None
    """How many; None where they are kept: nobody has counted them."""
    names: str = ""
    """The physical tables."""

    @property
    def sentence(self) -> str:
        where = f"{self.table} in {self.database}"
        if self.fate == "kept":
            return f"{where}: existing rows are kept"
        fate = "are being removed, which cannot be undone" if self.fate == "removing" else "removed"
        return f"{where}: {self.rows} rows of {self.names} {fate}"


@dataclass(frozen=True, slots=True)
class LookupTablesFilled(RunEvent):
    """Lookup tables say from here on where rows belong."""

    tables: tuple[str, ...]
    """The tables whose rows the lookup tables list."""

    @property
    def sentence(self) -> str:
        names = ", ".join(self.tables)
        return f"rows are routed by {names} from here on: the lookup tables were filled from the source"
