"""The plan as plain data and back: what stands in `manifest.json`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from shardwright.compiler.plan.catalogue import ColumnType, UniqueKey
from shardwright.compiler.plan.invariant import Invariant, InvariantColumn
from shardwright.compiler.plan.plain_data import as_data
from shardwright.compiler.plan.plan import (
    CopiedColumn,
    DdlChange,
    DdlForm,
    EventGroup,
    Loss,
    ParentLink,
    Plan,
    ReadColumn,
    SourceColumn,
    StreamDdl,
    TablePlan,
)
from shardwright.specs.spec.stream_format import StreamFormat

_NAME_LISTS = ("source_databases", "source_tables", "suffixes")


def plan_data(plan: Plan, tables: Iterator[Any], books: Iterator[Any]) -> dict[str, Any]:
    """Everything of the plan except the SQL of its steps, which stands in files of its own, and what is made of the rest.
    `tables` and `books` are theirs (`table_data`), each made when it is asked for: together they take more memory than the
    plan's tables.

    Lists of names that many tables share (`_NAME_LISTS`) stand once, in `name_lists`; a table holds their index.
    """
    data: dict[str, Any] = as_data(replace(plan, steps=(), tables=(), books=(), aspects={}))
    del data["steps"], data["aspects"]
    if plan.stream_ddl == StreamDdl():
        del data["stream_ddl"]
    if plan.stream == StreamFormat():
        del data["stream"]
    if plan.when_one_fails == "go_on":
        del data["when_one_fails"]
    if not plan.quarantine:
        del data["quarantine"]
    if not plan.existing_rows:
        del data["existing_rows"]
    if not plan.deferred_indexes:
        del data["deferred_indexes"]
    if not plan.invariants:
        del data["invariants"]
    if not plan.stays:
        del data["stays"]
    for change in data["ddl"]:
        for mark in ("catches_up", "own"):
            if not change[mark]:
                del change[mark]
    return {**data, "tables": tables, "books": books, "name_lists": list(name_lists(plan))}


def name_lists(plan: Plan) -> Mapping[tuple[str, ...], int]:
    """Each list of names that tables share, and its index."""
    shared = (getattr(table, field) for table in plan.applied for field in _NAME_LISTS)
    return {names: index for index, names in enumerate(dict.fromkeys(shared))}


def table_data(table: TablePlan, lists: Mapping[tuple[str, ...], int]) -> dict[str, Any]:
    data: dict[str, Any] = as_data(replace(table, source_databases=(), source_tables=(), suffixes=()))
    for field in _NAME_LISTS:
        data[field] = lists[getattr(table, field)]
    return data


def fingerprint(plan: Plan) -> str:
    """Covers the tables, the topology and every step's SQL; not the tool's version, not the DDL changes."""
    tables = [(table.logical, sorted(plan.aspects[table.logical].items())) for table in plan.tables]
    books = [(book.logical, sorted(plan.aspects[book.logical].items())) for book in plan.books]
    whole = repr((plan.migration, plan.dialect, plan.databases, tables, books))
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def table_from_data(data: Mapping[str, Any], name_lists: Sequence[tuple[str, ...]]) -> TablePlan:
    values = dict(data)
    for field in _NAME_LISTS:
        values[field] = name_lists[data[field]]
    values["source_columns"] = tuple(
        SourceColumn(item["name"], _type(item["type"]), item["nullable"]) for item in data["source_columns"]
    )
    values["columns"] = tuple(CopiedColumn(**{**item, "type": _type(item["type"])}) for item in data["columns"])
    values["reads"] = tuple(ReadColumn(**{**item, "type": _type(item["type"])}) for item in data["reads"])
    values["losses"] = tuple(Loss(**item) for item in data["losses"])
    values["key"] = tuple(data["key"])
    values["unique_keys"] = tuple(UniqueKey(item["name"], tuple(item["columns"])) for item in data["unique_keys"])
    values["shard_key"] = tuple(data["shard_key"])
    values["event_groups"] = tuple(EventGroup(item["name"], tuple(item["columns"])) for item in data["event_groups"])
    if parent := data["parent"]:
        values["parent"] = ParentLink(**{**parent, "via": tuple(parent["via"])})
    return TablePlan(**values)


def ddl_from_data(data: Mapping[str, Any]) -> DdlChange:
    forms = {kind: DdlForm(**data[kind]) for kind in ("mysql", "mariadb")}
    return DdlChange(**{**data, **forms})


def invariant_from_data(data: Mapping[str, Any]) -> Invariant:
    columns = tuple(InvariantColumn(**item) for item in data["columns"])
    return Invariant(**{**data, "tables": tuple(data["tables"]), "columns": columns})


def stream_ddl_from_data(data: Mapping[str, Any]) -> StreamDdl:
    return StreamDdl(data["policy"], tuple(data["ignored"]))


def _type(data: Mapping[str, Any]) -> ColumnType:
    return ColumnType(**{**data, "labels": tuple(data.get("labels", ()))})
