"""Small plans for the DDL tests: made by the real compiler passes from a schema file, without a spec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from shardwright.compiler.columns.mapping import MappedColumn, as_copied
from shardwright.compiler.ddl.routing.catching_up import creates_of
from shardwright.compiler.ddl.routing.changes import read_changes
from shardwright.compiler.ddl.target.keys import defer_indexes
from shardwright.compiler.ddl.target.target_table import WantedTable, target_table
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import (
    BARE,
    INDEXES,
    CopiedColumn,
    GeneratedColumn,
    Plan,
    Statement,
    Step,
    StepName,
    TablePlan,
)
from shardwright.compiler.plan.table_parts import (
    CopyEverywhere,
    DistributionKind,
    LedgerTables,
    Placement,
    RowKey,
    SourceColumn,
    SourceTables,
)
from shardwright.compiler.schema.file import read_schema
from shardwright.compiler.sql import sql_text
from shardwright.specs.findings.diagnostics import Findings

FOLDER = Path(__file__).parent
DATABASES = tuple(f"order_db_{number}" for number in range(4))
SUFFIXES = tuple(f"_{number}" for number in range(4))
WIDE_DATABASES = tuple(f"order_db_{number}" for number in range(16))
WIDE_SUFFIXES = tuple(f"_{number}" for number in range(16))
STAGE = "CREATE TABLE IF NOT EXISTS `_sw_stage_{}` (`sw_batch` BIGINT NOT NULL PRIMARY KEY) ENGINE=InnoDB"


def read_tables(text: str, file: str = "schema/shop.sql") -> Mapping[str, SourceTable]:
    findings = Findings()
    tables = read_schema(text, file=file, findings=findings)
    assert findings.items == []
    return tables


def copy_columns(
    source: SourceTable, *, without: tuple[str, ...] = (), rename: Mapping[str, str] | None = None
) -> tuple[CopiedColumn, ...]:
    return tuple(
        CopiedColumn(column.name, (rename or {}).get(column.name, column.name), column.type, column.nullable, position)
        for position, column in enumerate(source.columns)
        if column.name not in without and not column.generated
    )


def map_columns(
    source: SourceTable, *, without: tuple[str, ...] = (), rename: Mapping[str, str] | None = None
) -> tuple[MappedColumn, ...]:
    return tuple(map(as_copied, copy_columns(source, without=without, rename=rename)))


def columns_to_generate(source: SourceTable, *, without: tuple[str, ...] = ()) -> tuple[GeneratedColumn, ...]:
    return tuple(
        GeneratedColumn(column.name, column.name, column.expression)
        for column in source.columns
        if column.generated and column.name not in without
    )


def table_plan(source: SourceTable, distribution: DistributionKind = "sharded") -> TablePlan:
    return TablePlan(
        logical=source.name,
        weight=0,
        source=SourceTables(
            databases=("shop",),
            tables=(source.name,),
            columns=tuple(SourceColumn(c.name, c.type, c.nullable) for c in source.columns),
        ),
        columns=copy_columns(source),
        identity=RowKey(columns=source.primary_key, unique_keys=source.unique_keys),
        placement=Placement(suffixes=SUFFIXES, shard_key=source.primary_key)
        if distribution == "sharded"
        else CopyEverywhere(suffixes=("",)),
        ours=LedgerTables(
            stage=f"_sw_stage_{source.name}", tombstone=f"_sw_gone_{source.name}", stash=f"_sw_park_{source.name}"
        ),
    )


def shop_tables() -> dict[str, TablePlan]:
    """`orders` on every suffix, `region` once in each database."""
    sources = read_tables((FOLDER / "shop.sql").read_text(encoding="utf-8"))
    return {
        "orders": table_plan(sources["orders"]),
        "region": table_plan(sources["region"], "broadcast"),
    }


def shop_plan(files: Mapping[str, str], *, schema: str | None = None, defer: bool = False) -> Plan:
    """4 databases x 4 tables of `orders`, `region` in each, and the changes of `files`. `defer`: indexes are built
    after the copy."""
    sources = read_tables(schema or (FOLDER / "shop.sql").read_text(encoding="utf-8"))
    tables = {name: table_plan(sources[name], "sharded" if name == "orders" else "broadcast") for name in sources}
    findings = Findings()
    steps = []
    deferred: dict[str, tuple[str, ...]] = {}
    for name, source in sources.items():
        create = target_table(
            source,
            WantedTable(
                logical=name,
                columns=tuple(map(as_copied, tables[name].columns)),
                key=source.primary_key,
                generated=columns_to_generate(source),
            ),
            findings=findings,
        )
        statements = [Statement("create", "", sql_text.to_sql(create, "mysql"))]
        found = defer_indexes(create, logical=name) if defer else None
        if found is not None:
            deferred[name] = found.names
            statements.append(Statement(BARE, "", sql_text.to_sql(found.bare, "mysql")))
            statements.append(Statement(INDEXES, "", sql_text.to_sql(found.add, "mysql")))
        steps.append(Step(name, StepName.CREATE_TABLE, tuple(statements)))
        steps.append(Step(name, StepName.BOOKKEEPING, (Statement("stage", "", STAGE.format(name)),)))
    changes = read_changes(files, tables=tables, findings=findings, creates=creates_of(steps))
    findings.raise_errors()
    return Plan(
        migration="orders-split",
        dialect="mysql",
        tool_version="0",
        sqlglot_version="0",
        databases=DATABASES,
        tables=tuple(tables.values()),
        steps=tuple(steps),
        ddl=changes,
        fingerprint="0" * 16,
        deferred_indexes=deferred,
    )


def wide_plan(files: Mapping[str, str]) -> Plan:
    """The same tables on 16 databases x 16 tables."""
    plan = shop_plan(files)
    tables = tuple(
        table
        if table.placement.has_copies
        else replace(table, placement=replace(table.placement, suffixes=WIDE_SUFFIXES))
        for table in plan.tables
    )
    return replace(plan, databases=WIDE_DATABASES, tables=tables)
