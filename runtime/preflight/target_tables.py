"""Target tables that stand in the way of a migration that has not begun: other columns than the plan's, or no tables at all. A run looks
at every clause of them when it makes its tables; here only what the catalogue lists is compared, so that nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.catalogue import Column
from shardwright.compiler.plan import Plan, SourceColumn, SourceName, StepName, TablePlan, with_suffix
from shardwright.compiler.schema_file import read_schema
from shardwright.runtime.ddl.definition import table_names
from shardwright.runtime.ddl.record import read_record
from shardwright.runtime.preflight.check import Fault
from shardwright.runtime.preflight.listed_table import ListedTable, full_type, read_listed
from shardwright.specs.diagnostics import Findings

_WAY_OUT = "rename or drop it, or let `shardwright ddl new` write what leads it there"


def tables_in_the_way(connection: Connection[Any], plan: Plan, shard: int) -> Iterator[Fault]:
    """`connection` is in the shard's database. A table that the migration has made or changed itself is left to the run."""
    existing = table_names(connection)
    ours = {name.lower() for _, _, name in read_record(connection, plan.migration)}
    for table in plan.tables:
        names = [table.logical + suffix for suffix in plan.parts(table)] if shard in plan.shards(table) else []
        standing = [name for name in names if name.lower() in existing and name.lower() not in ours]
        columns = _columns(plan, table) if standing else ()
        for name in standing:
            listed = read_listed(connection, SourceName(plan.databases[shard], name))
            if difference := _difference(columns, listed):
                found = f"target table in the way: {plan.databases[shard]}.{name} {difference}"
                yield Fault("SW8402", found, _WAY_OUT)


def _columns(plan: Plan, table: TablePlan) -> tuple[Column, ...]:
    statement = with_suffix(plan.step(table.logical, StepName.CREATE_TABLE).statements[0].sql, "")
    read = read_schema(statement, file=table.logical, findings=Findings())
    return next((found.columns for found in read.values()), ())


def _difference(planned: tuple[Column, ...], listed: ListedTable) -> str | None:
    if listed.kind != "BASE TABLE":
        return f"is a {listed.kind.lower()}"
    found = {column.name.lower(): column for column in listed.columns}
    for column in planned:
        live = found.pop(column.name.lower(), None)
        if live is None:
            return f"stands there and lacks column {column.name}"
        told = [_told(item, listed) for item in (live, column)]
        if told[0] != told[1]:
            return f"stands there and its column {column.name} is {told[0]}, {told[1]} in the plan"
    return f"stands there and has the column {next(iter(found.values())).name}, which the plan lacks" if found else None


def _told(column: Column | SourceColumn, listed: ListedTable) -> str:
    return f"{full_type(column.type, listed.collations).sql} {'NULL' if column.nullable else 'NOT NULL'}"
