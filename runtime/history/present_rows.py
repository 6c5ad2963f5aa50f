"""What do both sides have of one key now, column by column?

Runs in the process of the command; reads the source and all shards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.history.facts import HeldRow
from shardwright.runtime.mysql.keys import Key
from shardwright.runtime.mysql.raw_connection import raw_connection
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.sources.rows_by_key import Image, images_by_key
from shardwright.runtime.verify.answers import RowHash
from shardwright.runtime.verify.keys import reportable, row_values
from shardwright.runtime.verify.sessions import Sessions
from shardwright.runtime.verify.shard_end import ShardEnd, shard_ends
from shardwright.runtime.verify.source_end import SourceEnd

_LONG: Final = re.compile(r"\d+ bytes, SHA-256 [0-9a-f]{64}")
"""A long value, as the plan's statements print it."""


@dataclass(frozen=True, slots=True)
class PresentRow:
    """A row with its values as they are: not to be printed. `fact` may be."""

    held: RowHash
    key: Key
    """As the server spells it."""
    values: tuple[str | None, ...]
    """In the order of the plan's columns."""
    fact: HeldRow

    def has(self, image: Mapping[str, str | None], table: TablePlan) -> bool:
        """Whether the row is as that image of the log, by the columns that are copied as they are."""
        return all(
            image.get(column.source) == value
            for column, value in zip(table.columns, self.values, strict=True)
            if column.mapping == "copied" and not (value and _LONG.fullmatch(value))
        )


@dataclass(frozen=True, slots=True)
class PresentRows:
    """The rows of one key."""

    read_side: tuple[PresentRow, ...]
    write_side: tuple[PresentRow, ...]

    @property
    def spellings(self) -> frozenset[Key]:
        """How the servers spell the key."""
        return frozenset(row.key for row in (*self.read_side, *self.write_side))


def read_present_rows(plan: Plan, table: TablePlan, key: Key, sessions: Sessions) -> PresentRows:
    """The write side is read first: what the read side has more was changed since, and the log has it."""
    written = tuple(row for end in shard_ends(plan, table, sessions) for row in _rows(end, table, key, sessions))
    return PresentRows(tuple(_rows(SourceEnd(plan, table, sessions), table, key, sessions)), written)


def _rows(end: SourceEnd | ShardEnd, table: TablePlan, key: Key, sessions: Sessions) -> Iterator[PresentRow]:
    for spelt, found in end.keys([key]).items():
        for held in found:
            values = row_values(held, spelt, sessions)
            if values is None:
                continue  # it went between the two statements
            pairs = zip(table.columns, values, strict=True)
            shown = {column.target: reportable(column, value) for column, value in pairs}
            yield PresentRow(held, spelt, values, HeldRow(held.place, shown, held.hash, held.misplaced))


def read_image(plan: Plan, servers: Servers, table: TablePlan, key: Key, *, places: list[str]) -> Image | None:
    """The image of the key's row on the read side, whether the row filter accepts it or not. `places`: the tables that
    may have it. None where none has it."""
    for name in table.sources:
        if str(name) in places:
            with raw_connection(servers.source_of(name.database), name.database) as reader:
                found = images_by_key(reader, plan, table.logical, source=str(name), keys=[key])
            if found:
                return found[0]
    return None
