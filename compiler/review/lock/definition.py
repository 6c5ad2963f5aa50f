"""What a lock holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

FORMAT = 1


@dataclass(frozen=True, slots=True)
class MigrationLock:
    """`plan` is the plan's fingerprint. `tables` maps a logical table to the digests of its aspects ("columns" -> ...),
    `ddl` a DDL file to the digest of what it was read as."""

    plan: str
    tables: Mapping[str, Mapping[str, str]]
    ddl: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Lock:
    tool_version: str
    sqlglot_version: str
    migrations: Mapping[str, MigrationLock]
