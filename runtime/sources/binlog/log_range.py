"""Which log is read and which range of it. This is apart from the code that reads it, so that finding a range needs no
Arrow.

Pure. Made in the driver; used in Spark tasks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shardwright.compiler.plan.catalogue import Column
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.binlog.replaced import Replaced


@dataclass(frozen=True, slots=True)
class LogRange:
    """A range of the log of source `log`, between two transaction boundaries."""

    log: str
    start: LogPosition
    end: LogPosition


@dataclass(frozen=True, slots=True)
class Log:
    """A server's log and the captured tables in it ("database.table" -> all columns). `replaced` says which columns
    matter of the images that updates replace, where these are not all. A log travels pickled in a function, so the
    password is never in a plan or in Spark's settings."""

    connection: Endpoint
    tables: Mapping[str, tuple[Column, ...]]
    replaced: Mapping[str, Replaced] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    """Migrations whose own writes are no changes."""
