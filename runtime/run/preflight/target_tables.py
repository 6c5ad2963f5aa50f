"""Do target tables that exist already fit the plan, and do they hold rows? Runs in the driver; reads the shards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.catalogue import Column, ColumnType, SourceTable
from shardwright.compiler.plan.plan import Plan, StepName, TablePlan, with_suffix
from shardwright.compiler.plan.summary import few
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.compiler.schema.column_type import type_words
from shardwright.compiler.schema.file import read_schema
from shardwright.runtime.ddl.tables.definition import default_collations, table_names
from shardwright.runtime.ledger.databases import tables_of_others
from shardwright.runtime.ledger.ddl_record import read_record
from shardwright.runtime.mysql.check import Check, Fault, Verdict, judge_faults
from shardwright.runtime.run.existing_rows import REMOVED, find_existing_rows, objections
from shardwright.runtime.run.preflight.context import Context
from shardwright.runtime.run.preflight.listed_table import ListedTable, full_type, read_listed, read_unique_keys
from shardwright.specs.findings.diagnostics import Findings

_NAME = "existing data"
_LATER = {
    "keep": ("are kept", "the stream's later changes are applied to them; verify names those that only the target has"),
    "replace": ("will be removed", "existing_rows: keep or refuse, when they are needed"),
}


def check_existing_rows(context: Context, connection: Connection[Any], shard: int, where: str) -> Iterator[Check]:
    """The rows in one target database, which `connection` is in, of a migration that has not begun."""
    found = list(find_existing_rows(context.plan, connection, shard))
    may_remove = not context.demands.protected or REMOVED in context.demands.allowed
    owners = tables_of_others(context.plan, context.servers) if found else {}
    every = (objections(item, may_remove=may_remove, owners=owners) for item in found)
    faults = [Fault(*objection) for objected in every for objection in objected]
    if faults or not found:
        otherwise = f"none in {context.plan.databases[shard]}"
        yield from judge_faults(_NAME, where, iter(faults), otherwise=otherwise)
        return
    for item in found:
        becomes, way_out = _LATER[item.policy]
        said = f"rows of {item.database}.{few(item.names)} {becomes}"
        yield Check(_NAME, where, Verdict.WARNING, said, way_out)


_REMEDY = "rename or drop it, or generate a DDL file that changes it (`shardwright ddl new`)"


def tables_in_the_way(connection: Connection[Any], plan: Plan, shard: int) -> Iterator[Fault]:
    """Tables of the shard, whose database `connection` is in, that differ from the plan.

    A table that the migration itself has made or changed is left to the run.
    """
    foreign = table_names(connection) - {name.lower() for _, _, name in read_record(connection, plan.migration)}
    existing = []
    for table in plan.tables:
        names = [table.logical + suffix for suffix in plan.parts(table)] if shard in plan.shards(table) else []
        if present := [name for name in names if name.lower() in foreign]:
            existing.append((table, present))
    collations = default_collations(connection) if existing else {}
    for table, names in existing:
        planned = _definition_in_plan(plan, table)
        for name in names:
            place = SourceName(plan.databases[shard], name)
            listed = read_listed(connection, place)
            difference = _difference(planned.columns, listed, collations)
            if difference := difference or _key_difference(planned, read_unique_keys(connection, place)):
                found = f"target table in the way: {plan.databases[shard]}.{name} {difference}"
                yield Fault("SW8402", found, _REMEDY)


def _definition_in_plan(plan: Plan, table: TablePlan) -> SourceTable:
    statement = with_suffix(plan.step(table.logical, StepName.CREATE_TABLE).statements[0].sql, "")
    (planned,) = read_schema(statement, file=table.logical, findings=Findings()).values()
    return planned


def _difference(planned: tuple[Column, ...], listed: ListedTable, collations: Mapping[str, str]) -> str | None:
    """How the table differs, in words. Its columns may have any order."""
    if listed.kind != "BASE TABLE":
        return f"is a {listed.kind.lower()}"
    if listed.engine.lower() != "innodb":
        return f"exists and its engine is {listed.engine}, should be InnoDB"
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


def _key_difference(planned: SourceTable, unique: Mapping[str, tuple[str, ...]]) -> str | None:
    """A unique key that only one side has: with it, two of the plan's rows collide, or without it a row comes in twice.

    Keys over prefixes and expressions are left to `run`.
    """
    wanted = {"PRIMARY": planned.primary_key} if planned.primary_key else {}
    wanted |= {key.name: key.columns for key in planned.unique_keys}
    here, there = ({_fold(columns): name for name, columns in keys.items()} for keys in (unique, wanted))
    for columns in sorted(there.keys() - here.keys()):
        return f"exists and lacks the unique key {there[columns]} ({', '.join(columns)})"
    for columns in sorted(here.keys() - there.keys()):
        return f"exists and has the unique key {here[columns]} ({', '.join(columns)}), which the plan lacks"
    return None


def _fold(columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(column.lower() for column in columns)


def _definition(kind: ColumnType, nullable: bool) -> str:
    return f"{type_words(kind)} {'NULL' if nullable else 'NOT NULL'}"
