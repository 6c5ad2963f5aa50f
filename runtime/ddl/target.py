"""One physical table that a change has to reach, and what its shard records of it.

Pure. Used in the driver.
"""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.compiler.plan.plan import DdlChange, with_suffix
from shardwright.runtime.ledger.ddl_record import Entry, sha256


@dataclass(frozen=True, slots=True)
class Target:
    """One physical table that a change has to reach."""

    database: str
    """The shard's database."""
    suffix: str
    """What the physical table has behind the logical name."""
    entry: Entry
    """The row of the shard's record."""

    @property
    def table(self) -> str:
        """The name of the physical table."""
        return self.entry.table

    def __str__(self) -> str:
        return f"{self.database}.{self.table}"


def entry_for(change: DdlChange, *, migration: str, table: str, suffix: str) -> Entry:
    return Entry(migration, change.file, change.ordinal, table, sha256(with_suffix(change.template, suffix)))
