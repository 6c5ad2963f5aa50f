"""How successive updates of a row become one event before they are decoded. Of the image that an update replaces, only
the columns that matter are kept.

Runs in Spark tasks. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
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


Chain = tuple[FollowedTable, LogEvent, int, FollowedTable, LogEvent, int, int, int]
"""Where the first replaced image is (the table as it was described then, event, place), the last update (table, event,
row, place of its second image), and the epoch. A plain tuple, since one is made for every update."""


@dataclass
class UpdateChains:
    """Holds chains, by table and row, until they are taken out."""

    _open: dict[str, dict[object, Chain]] = field(default_factory=dict)
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
        skim, data, chains = table.decoder.skim, event.data, self._open.setdefault(table.name, {})
        assert skim is not None
        at, row, end, known = first_image_at(event, table), 0, len(data), len(chains)
        moved: list[Chain] = []
        try:
            while at < end:
                middle, before = skim(data, at)
                after_end, after = skim(data, middle)
                if before == after:
                    chain = chains.get(before)
                    chains[before] = (
                        (table, event, at, table, event, row, middle, epoch)
                        if chain is None
                        else (*chain[:3], table, event, row, middle, epoch)
                    )
                else:
                    moved.append((table, event, at, table, event, row, middle, epoch))
                at, row = after_end, row + 1
        except UNREADABLE as error:
            raise unreadable(event, table, error) from error
        require_end(event, table, at)
        self._bytes += end
        self._rows += len(chains) - known
        return [decoded(chain) for chain in moved]

    def take(self) -> Iterator[Chain]:
        """Every chain: one update. No chain is held afterwards."""
        held, self._open, self._rows, self._bytes = self._open, {}, 0, 0
        for chains in held.values():
            yield from chains.values()


def decoded(chain: Chain) -> UpdatedRow:
    described, first, first_at, table, event, row, at, epoch = chain
    before = _read(described.decoder.read_replaced, first, described, first_at)
    after = _read(table.decoder.read_image, event, table, at)
    if described.decoder.key_of(before) != table.decoder.key_of(after):
        before = _read(described.decoder.read_image, first, described, first_at)
    return UpdatedRow(table, event, epoch, row, row + 1, before, after)


def _read(read: ReadImage, event: LogEvent, table: FollowedTable, at: int) -> Image:
    try:
        return read(event.data, at)[1]
    except UNREADABLE as error:
        raise unreadable(event, table, error) from error
