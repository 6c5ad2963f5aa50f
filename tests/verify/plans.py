"""Plans made by hand, so that these tests depend on the verify steps alone."""

from __future__ import annotations

from collections.abc import Sequence

import sqlglot

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import CopiedColumn, DistributionKind, Plan, TablePlan
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
    return TablePlan(
        logical=logical,
        source_databases=(SOURCE,),
        source_tables=tuple(sources or (logical,)),
        source_columns=(),
        columns=tuple(columns),
        key=tuple(key),
        unique_keys=(),
        weight=0,
        distribution=distribution,
        database=database,
        suffixes=SUFFIXES if distribution == "sharded" else ("",),
        shard_key=(),
        delete_policy="immediate",
        stop_above=None,
        version_column=None,
        stage_table="_sw_stage",
        tombstone_table="_sw_tombstone",
        stash_table="_sw_park",
        owner_table=None,
        event_groups=(),
        events_table=None,
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
