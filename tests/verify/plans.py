"""Plans made by hand, so that these tests depend on the verify steps alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlglot

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import CopiedColumn, Plan, TablePlan
from shardwright.compiler.plan.table_parts import (
    CopyEverywhere,
    DistributionKind,
    LedgerTables,
    OneDatabase,
    Placement,
    RowKey,
    SourceTables,
)
from shardwright.compiler.steps.verify import elsewhere_than, verify_source, verify_target
from shardwright.compiler.steps.verify_statements import Place

DATABASES = ("part_0", "part_1")
SUFFIXES = ("_0", "_1")
SOURCE = "shop"

UTF8 = {"charset": "utf8mb4", "collation": "utf8mb4_bin"}
BIGINT = ColumnType("bigint")
INT = ColumnType("int")
NAME = ColumnType("varchar", length=60, **UTF8)


def column(name: str, kind: ColumnType, *, target: str | None = None, nullable: bool = False) -> CopiedColumn:
    return CopiedColumn(name, target or name, kind, nullable, 0)


def table(
    logical: str,
    columns: Sequence[CopiedColumn],
    key: Sequence[str],
    *,
    sources: Sequence[str] | None = None,
    distribution: DistributionKind = "sharded",
    database: int | None = None,
) -> TablePlan:
    names = SUFFIXES if distribution == "sharded" else ("",)
    placements: Mapping[str, Placement] = {
        "sharded": Placement(suffixes=names),
        "broadcast": CopyEverywhere(suffixes=names),
        "single": OneDatabase(database=database or 0, suffixes=names),
    }
    return TablePlan(
        logical=logical,
        weight=0,
        source=SourceTables(databases=(SOURCE,), tables=tuple(sources or (logical,)), columns=()),
        columns=tuple(columns),
        identity=RowKey(columns=tuple(key)),
        placement=placements[distribution],
        ours=LedgerTables(stage="_sw_stage", tombstone="_sw_tombstone", stash="_sw_park"),
    )


def place(shard_key: str) -> Place:
    """Two databases of two tables: crc32 of the column, as `home` computes it in Python."""
    database = sqlglot.parse_one(f"CRC32(`{shard_key}`) % 2", dialect="mysql")
    part = sqlglot.parse_one(f"(CRC32(`{shard_key}`) DIV 2) % 2", dialect="mysql")
    return database, part


def _source_name(table: TablePlan, target: str) -> str:
    return next(column.source or "" for column in table.columns if column.target == target)


def plan(*tables: tuple[TablePlan, str | None]) -> Plan:
    """Each table with the target column it is sharded by (None: broadcast or single)."""
    steps = [
        step
        for one, shard_key in tables
        for step in (
            verify_source(one, place=place(_source_name(one, shard_key)) if shard_key else None),
            verify_target(one, misplaced=elsewhere_than(place(shard_key)) if shard_key else None),
        )
    ]
    return Plan(
        migration="split",
        dialect="mysql",
        tool_version="0",
        sqlglot_version="0",
        databases=DATABASES,
        tables=tuple(one for one, _ in tables),
        steps=tuple(steps),
        ddl=(),
        fingerprint="0123456789abcdef",
    )
