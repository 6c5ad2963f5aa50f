"""Which log is read, and how. This is apart from the code that reads it, so that finding a range needs no Arrow.

Pure. Made in the driver; used in Spark tasks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shardwright.compiler.ddl.logged.new_tables import NOTHING_MEANT, MeantTables
from shardwright.compiler.plan.catalogue import Column
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.sources.binlog.before_columns import EVERYTHING, BeforeColumns

Tables = Mapping[str, tuple[Column, ...]]
"""Captured table ("database.table") -> all its columns, in the server's order."""
Orders = Mapping[str, tuple[int, ...]]
"""Captured table -> the indexes of the columns that make an image, in the image's order."""
Own = frozenset[tuple[str, str]]
"""Whose own writes are no changes: a database of this server that has a ledger, and a migration."""


@dataclass(frozen=True, slots=True)
class Log:
    """A server's log and how it is read. A log travels pickled in a function, so the password is never in a plan or in
    Spark's settings."""

    endpoint: Endpoint
    """The server."""
    tables: Tables
    """The captured tables."""
    replaced: Mapping[str, BeforeColumns] = field(default_factory=lambda: EVERYTHING)
    """By table: which columns matter of the images that updates replace; all where a table is absent."""
    own: Own = frozenset()
    """Whose transactions are left out."""
    orders: Orders = field(default_factory=dict)
    """Which columns an image has, and in which order; all in the server's order where a table is absent."""
    meant: MeantTables = NOTHING_MEANT
    """Names that new tables must not get unseen."""
    only_own: bool = False
    """Instead of what applications have changed, what transactions of `own` have."""
