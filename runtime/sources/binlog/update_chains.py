"""How successive updates of a row become one event before they are decoded. Of the image that an update replaces, only
the columns that matter are kept.

Runs in Spark tasks. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from shardwright.runtime.sources.binlog.damaged import UNREADABLE
from shardwright.runtime.sources.binlog.events import UPDATES, LogEvent
from shardwright.runtime.sources.binlog.followed import FollowedTable, first_image_at, require_end, unreadable
from shardwright.runtime.sources.binlog.row_decoder import Image, ReadImage

MOST_ROWS = 50_000
MOST_BYTES = 64 << 20
"""The most bytes of log events that are kept. An event counts whole, even when all of its rows but one were left
out."""


class UpdatedRow(NamedTuple):
    """An update: row number `row` of `event`, which has at least `rows` rows."""

    table: FollowedTable
    event: LogEvent
    epoch: int
    row: int
    rows: int
    before: Image
    after: Image


Chain = tuple[LogEvent, int, int, int, int]
"""The last of successive updates that left a row's identity and place as they were: event, epoch, row, and where the
row's second image begins and ends. The image that the first of them replaced has the same values, as far as they
matter. A plain tuple, since one is made for every update."""


@dataclass
class UpdateChains:
    """Holds chains, by table and row, until they are taken out."""

    _open: dict[int, tuple[FollowedTable, dict[object, Chain]]] = field(default_factory=dict)
    """By the identity of the table's decoder (another one once the table was changed)."""
    _rows: int = 0
    _bytes: int = 0

    @staticmethod
    def takes(event: LogEvent, table: FollowedTable) -> bool:
        return event.kind in UPDATES and table.decoder.skim is not None

    @property
    def full(self) -> bool:
        return self._rows >= MOST_ROWS or self._bytes >= MOST_BYTES

    def add(self, event: LogEvent, table: FollowedTable, epoch: int) -> list[UpdatedRow]:
        """Add the updates of an event. Returns those that belong to no chain: they change the key or the place."""
        skim, data = table.decoder.skim, event.data
        assert skim is not None
        _, chains = self._open.setdefault(id(table.decoder), (table, {}))
        at, row, end, known = first_image_at(event, table), 0, len(data), len(chains)
        moved: list[tuple[int, int, int]] = []
        try:
            while at < end:
                middle, before = skim(data, at)
                after_end, after = skim(data, middle)
                if before == after:
                    chains[before] = (event, epoch, row, middle, after_end)
                else:
                    moved.append((row, at, middle))
                at, row = after_end, row + 1
        except UNREADABLE as error:
            raise unreadable(event, table, error) from error
        require_end(event, table, at)
        self._bytes += end
        self._rows += len(chains) - known
        return [_moved(event, table, epoch, places) for places in moved]

    def take(self) -> Iterator[tuple[FollowedTable, Sequence[Chain]]]:
        """Every chain, by table: one update. No chain is held afterwards."""
        held, self._open, self._rows, self._bytes = self._open, {}, 0, 0
        for table, chains in held.values():
            yield table, list(chains.values())


def decoded(table: FollowedTable, chain: Chain) -> UpdatedRow:
    event, epoch, row, at, _ = chain
    after = _read(table.decoder.read_image, event, table, at)
    replaced = table.decoder.replaced
    assert replaced is not None, "chains have been made by the columns that matter"
    before = tuple(value if place in replaced.columns else None for place, value in enumerate(after))
    return UpdatedRow(table, event, epoch, row, row + 1, before, after)


def _moved(event: LogEvent, table: FollowedTable, epoch: int, places: tuple[int, int, int]) -> UpdatedRow:
    row, first, second = places
    before = _read(table.decoder.read_replaced, event, table, first)
    after = _read(table.decoder.read_image, event, table, second)
    if table.decoder.key_of(before) != table.decoder.key_of(after):
        before = _read(table.decoder.read_image, event, table, first)
    return UpdatedRow(table, event, epoch, row, row + 1, before, after)


def _read(read: ReadImage, event: LogEvent, table: FollowedTable, at: int) -> Image:
    try:
        return read(event.data, at)[1]
    except UNREADABLE as error:
        raise unreadable(event, table, error) from error
