"""A log to read, and a stretch of it. Apart from what reads it, so that asking needs no Arrow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shardwright.compiler.plan.catalogue import Column
from shardwright.runtime.sources.binlog.connection import LogConnection
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.binlog.replaced import Replaced


@dataclass(frozen=True, slots=True)
class LogRange:
    """A stretch of the log of source `log` between two transaction boundaries."""

    log: str
    start: LogPosition
    end: LogPosition


@dataclass(frozen=True, slots=True)
class Log:
    """A server's log and the tables that are followed in it ("database.table" -> all columns). `replaced` says what matters of the
    images that updates replace, where that is not everything. It travels pickled in a function, so the password never stands in a plan
    or in Spark's settings."""

    connection: LogConnection
    tables: Mapping[str, tuple[Column, ...]]
    replaced: Mapping[str, Replaced] = field(default_factory=dict)
