"""The plan as plain data and back: what stands in `manifest.json`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from shardwright.compiler.catalogue import ColumnType, UniqueKey
from shardwright.compiler.plan import CopiedColumn, DdlChange, Plan, SourceColumn, SourceName, TablePlan


def plan_data(plan: Plan) -> dict[str, Any]:
    """Everything of the plan except the SQL of its steps, which stands in files of its own."""
    data = asdict(plan)
    del data["steps"]
    return data


def fingerprint(plan: Plan) -> str:
    """Covers the tables, the topology and every step's SQL; not the tool's version, not the DDL changes."""
    digest = hashlib.sha256()
    data = plan_data(plan)
    for part in ("migration", "dialect", "databases", "suffixes", "tables"):
        digest.update(repr((part, data[part])).encode())
    for step in plan.steps:
        for statement in step.statements:
            digest.update(repr((step.table, step.name.value, statement.name, statement.sql)).encode())
    return digest.hexdigest()[:16]


def table_from_data(data: Mapping[str, Any]) -> TablePlan:
    values = dict(data)
    values["sources"] = tuple(SourceName(**item) for item in data["sources"])
    values["source_columns"] = tuple(
        SourceColumn(item["name"], _type(item["type"]), item["nullable"]) for item in data["source_columns"]
    )
    values["columns"] = tuple(CopiedColumn(**{**item, "type": _type(item["type"])}) for item in data["columns"])
    values["key"] = tuple(data["key"])
    values["unique_keys"] = tuple(UniqueKey(item["name"], tuple(item["columns"])) for item in data["unique_keys"])
    values["shard_key"] = tuple(data["shard_key"])
    return TablePlan(**values)


def ddl_from_data(data: Mapping[str, Any]) -> DdlChange:
    return DdlChange(**data)


def _type(data: Mapping[str, Any]) -> ColumnType:
    return ColumnType(**{**data, "labels": tuple(data["labels"])})
