"""Target tables that conflict with a migration that has not begun: they have other columns than the plan's, or are no tables.

Only what information_schema lists is compared. `run` compares every clause when it creates its tables, with a probe table;
this runs in the driver, reads one target database, and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.catalogue import Column, ColumnType
from shardwright.compiler.column_type import type_words
from shardwright.compiler.plan import Plan, SourceName, StepName, TablePlan, with_suffix
from shardwright.compiler.schema_file import read_schema
from shardwright.runtime.ddl.definition import default_collations, table_names
from shardwright.runtime.ddl.record import read_record
from shardwright.runtime.preflight.check import Fault
from shardwright.runtime.preflight.listed_table import ListedTable, full_type, read_listed
from shardwright.specs.diagnostics import Findings

_REMEDY = "rename or drop it, or let `shardwright ddl new` write what leads it there"


def tables_in_the_way(connection: Connection[Any], plan: Plan, shard: int) -> Iterator[Fault]:
    """`connection` is in the shard's database. A table that the migration has made or changed itself is left to the run."""
    foreign = table_names(connection) - {name.lower() for _, _, name in read_record(connection, plan.migration)}
    existing = []
    for table in plan.tables:
        names = [table.logical + suffix for suffix in plan.parts(table)] if shard in plan.shards(table) else []
        if present := [name for name in names if name.lower() in foreign]:
            existing.append((table, present))
    collations = default_collations(connection) if existing else {}
    for table, names in existing:
        columns = _columns(plan, table)
        for name in names:
            listed = read_listed(connection, SourceName(plan.databases[shard], name))
            if difference := _difference(columns, listed, collations):
                found = f"target table in the way: {plan.databases[shard]}.{name} {difference}"
                yield Fault("SW8402", found, _REMEDY)


def _columns(plan: Plan, table: TablePlan) -> tuple[Column, ...]:
    statement = with_suffix(plan.step(table.logical, StepName.CREATE_TABLE).statements[0].sql, "")
    read = read_schema(statement, file=table.logical, findings=Findings())
    return next((found.columns for found in read.values()), ())


def _difference(planned: tuple[Column, ...], listed: ListedTable, collations: Mapping[str, str]) -> str | None:
    """The order of columns is free on the targets."""
    if listed.kind != "BASE TABLE":
        return f"is a {listed.kind.lower()}"
    found = {column.name.lower(): column for column in listed.columns}
    for column in planned:
        live = found.pop(column.name.lower(), None)
        if live is None:
            return f"exists and lacks column {column.name}"
        has, wanted = full_type(live.type, collations), full_type(column.type, collations)
        if (has, live.nullable) != (wanted, column.nullable):
            here, there = _definition(has, live.nullable), _definition(wanted, column.nullable)
            return f"exists and its column {column.name} is {here}, {there} in the plan"
    return f"exists and has the column {next(iter(found.values())).name}, which the plan lacks" if found else None


def _definition(kind: ColumnType, nullable: bool) -> str:
    return f"{type_words(kind)} {'NULL' if nullable else 'NOT NULL'}"
