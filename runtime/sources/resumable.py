"""Where the stream continues in a source whose server may be replaced by another one.

Runs in the driver; reads source servers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from shardwright.runtime.sources.binlog.rewind import EarlierPlace
from shardwright.runtime.sources.position import PositionPart, StreamPosition
from shardwright.runtime.sources.source import Sources, StreamSource


@dataclass(frozen=True, slots=True)
class Resumed:
    """Where the stream continues. `decisions` (lines of the audit) is empty where it continues as recorded.
    `copied_until`: a position of the new server behind all that was copied before; None where none is needed."""

    position: PositionPart
    copied_until: PositionPart | None
    decisions: tuple[str, ...]


@runtime_checkable
class Resumable(Protocol):
    """A source whose server may be replaced by another one."""

    @property
    def name(self) -> str: ...

    def identity(self) -> str: ...

    def resumed(
        self, recorded: Any, copied: Sequence[Any], earlier: Sequence[EarlierPlace], *, without: Collection[str] = ()
    ) -> Resumed:
        """`copied`: positions behind `recorded` up to which rows have been copied. `earlier`: places that the stream
        has passed and may go back to, newest first. `without`: codes of questions about transactions
        that the present server lacks, which an operator has answered."""
        ...

    def at_position(self, part: Any) -> StreamSource:
        """The source as it gives positions that have an order with `part`."""
        ...


def sources_at(sources: Sources, position: StreamPosition) -> Sources:
    """The sources, giving positions that have an order with `position`."""
    return [
        source.at_position(position.parts[source.name])
        if isinstance(source, Resumable) and source.name in position.parts
        else source
        for source in sources
    ]
