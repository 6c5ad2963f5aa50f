"""Which captured table a row event changes, and with which decoder its rows are read. A decoder is made when the log
first describes the table.

Used in the driver (scan) and in Spark tasks (read); through `may_hide` it reads the source server.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.damage import UNREADABLE, damage_refusal
from shardwright.runtime.sources.binlog.events import HEADER_SIZE, UPDATES, LogEvent, columns_at, images_at
from shardwright.runtime.sources.binlog.fields import Contradiction, Field, UnsupportedType, field_of
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.row_decoder import Image, RowDecoder, build_decoder
from shardwright.runtime.sources.binlog.table_map import TableMap, name_of, parse_table_map, table_id_of
from shardwright.specs.findings.remedies import IMPORT_AGAIN, START_OVER

_DUMMY_TABLE_IDS = (0xFFFFFF, 0xFFFF_FFFF_FFFF)  # a row event without rows, to close a statement


_BIGINT = 8
_OTHERWISE = f"The plan was compiled from another schema than that of this place in the log: {IMPORT_AGAIN}"


@dataclass(frozen=True, slots=True)
class CapturedTable:
    """A captured table. `decoder` reads images that have all columns."""

    name: str
    decoder: RowDecoder
    _variants: dict[int, CapturedTable] = field(default_factory=dict, repr=False, compare=False)
    """By the columns that images have."""

    def as_logged(self, event: LogEvent) -> CapturedTable:
        """The table with the decoder for this event's images, which may lack columns that the plan does not read:
        MariaDB 11.8 leaves generated columns out where rows are updated or deleted. Raises Refused when others are
        missing (E1), or when the event has another number of columns."""
        count, at = columns_at(event)
        if count != len(self.decoder.columns):
            raise Refused(
                "SW8116",
                f"the rows of {self.name} at {event.place} have {count} columns, their table "
                f"{len(self.decoder.columns)}",
            )
        full, size = (1 << count) - 1, (count + 7) // 8
        present = int.from_bytes(event.data[at : at + size], "little") & full
        if event.kind in UPDATES:
            after = int.from_bytes(event.data[at + size : at + 2 * size], "little") & full
            if present != after:
                raise self._partial(event, full & ~(present & after))
        if present == full:
            return self
        if present not in self._variants:
            missing = full & ~present
            if unread := missing & self.decoder.read_places:
                raise self._partial(event, unread)
            self._variants[present] = CapturedTable(self.name, self.decoder.without(missing))
        return self._variants[present]

    def _partial(self, event: LogEvent, missing: int) -> Refused:
        name = next(name for place, name in enumerate(self.decoder.columns) if missing >> place & 1)
        return Refused(
            "SW8111",
            f"the rows of {self.name} at {event.place} lack column {name}: the session that wrote them did not have "
            "binlog_row_image=FULL. Set it for the server and all sessions. (MariaDB 11.8 leaves generated columns "
            f"out whatever it says.) The values are lost: {START_OVER}",
        )


class CapturedTables:
    """Knows for each row event which captured table it changes. It forgets the tables' numbers at the end of each
    transaction, because the server uses them again (E20)."""

    def __init__(self, log: Log, may_hide: Callable[[TableMap], int] = lambda _table: 0) -> None:
        """`may_hide` asks the server how many hidden columns it may have in a table, behind all others."""
        self._log = log
        self._may_hide = may_hide
        self._folded = {name.casefold(): name for name in log.tables}
        self._by_id: dict[int, CapturedTable | None] = {}
        self._by_description: dict[bytes, CapturedTable | None] = {}

    def describe(self, event: LogEvent) -> None:
        """Take in a TABLE_MAP. Raises Refused when the table is not as in the catalogue."""
        description = event.data[HEADER_SIZE:]
        if description not in self._by_description:
            self._by_description[description] = self._table(event)
        self._by_id[table_id_of(event.data)] = self._by_description[description]

    def forget(self) -> None:
        self._by_id.clear()

    def table_of_rows(self, event: LogEvent) -> CapturedTable | None:
        """The captured table that a row event changes; None for any other table."""
        number = table_id_of(event.data)
        try:
            return self._by_id[number]
        except KeyError:
            if number in _DUMMY_TABLE_IDS:
                return None
            raise Refused(
                "SW8110",
                f"the rows at {event.place} belong to a table that was described earlier: reading must start at a "
                "transaction's begin. Resume from a position that Shardwright has recorded",
            ) from None

    def _table(self, event: LogEvent) -> CapturedTable | None:
        name = name_of(event)
        columns = self._log.tables.get(name)
        if columns is None:
            followed = self._folded.get(name.casefold())
            if followed is None:
                return None
            raise Refused(
                "SW8113",
                f"the log at {event.place} has table {name}, the schema {followed}: not every server distinguishes "
                "names that differ by case only, so they are refused",
            )
        described = parse_table_map(event)
        order = self._log.orders.get(name, tuple(range(len(columns))))  # an image has no hidden columns
        columns = (*columns, *self._server_columns(described, len(columns)))
        fields, names = _fields(described, columns, event), tuple(column.name for column in columns)
        decoder = build_decoder(names, fields, self._log.replaced.get(name), order)
        return CapturedTable(name, decoder)

    def _server_columns(self, described: TableMap, known: int) -> tuple[Column, ...]:
        """The server's hidden columns. At most as many as the server reports: others were added by a user."""
        behind = described.codes[known:]
        if not behind or any(code != _BIGINT for code in behind) or len(behind) > self._may_hide(described):
            return ()
        return tuple(
            Column(f"DB_ROW_HASH_{number}", ColumnType("bigint"), True, unreadable="the server's own")
            for number in range(1, len(behind) + 1)
        )


def _fields(described: TableMap, columns: tuple[Column, ...], event: LogEvent) -> tuple[Field, ...]:
    if len(described.codes) != len(columns):
        raise Refused(
            "SW8113",
            f"table {described.name} has {len(described.codes)} columns in the log at {event.place}, {len(columns)} in "
            f"the schema. {_OTHERWISE}",
        )
    fields = []
    for place, column in enumerate(columns):
        logged_name = described.names[place] if place < len(described.names) else column.name
        where = f"column {column.name} of table {described.name}, at {event.place}"
        if logged_name.lower() != column.name.lower():
            raise Refused(
                "SW8113",
                f"{where}: the log calls it {logged_name}. {_OTHERWISE}",
            )
        try:
            fields.append(field_of(described.codes[place], described.metadata[place], column))
        except UNREADABLE as error:
            raise damage_refusal(event, error) from error
        except Contradiction as why:
            raise Refused(
                "SW8113",
                f"{where}: {why}. {_OTHERWISE}",
            ) from None
        except UnsupportedType as why:
            raise Refused("SW8115", f"{where}: {why}") from None
    return tuple(fields)


def images_of(event: LogEvent, table: CapturedTable) -> list[Image]:
    """All row images of a row event in order; an update has two for each row, before and after."""
    data = event.data
    at = images_at(event)
    images: list[Image] = []
    try:
        read = table.decoder.read_updates if event.kind in UPDATES else table.decoder.read_rows
        at = read(data, at, images)
    except UNREADABLE as error:
        raise unreadable(event, table, error) from error
    require_end(event, table, at)
    return images


def require_end(event: LogEvent, table: CapturedTable, at: int) -> None:
    if at != len(event.data):
        raise Refused("SW8116", f"the rows of {table.name} at {event.place} do not end where their event does")


def unreadable(event: LogEvent, table: CapturedTable, error: Exception) -> Refused:
    column = table.decoder.column_at_fault(error.__traceback__)
    if column is None:
        return Refused("SW8116", f"a row of {table.name} at {event.place} cannot be read: {error}")
    return Refused(
        "SW8115", f"column {column} of table {table.name}, at {event.place}, has a value we cannot read: {error}"
    )
