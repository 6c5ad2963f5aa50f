"""The books of a family of tables, as plans of tables: where the parent's rows stand, which children no chunk may bring back.

A book is a table on the first shard whose rows follow from the changes of another one. Staging, look-up, upsert and delete
treat it like any other table, so it advances with the batch: same stages, same ledger, same recovery (contract C1).
"""

from __future__ import annotations

from dataclasses import replace

from shardwright.compiler.plan.bookkeeping_names import PART, SHARD, bookkeeping_name
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import CopiedColumn, TablePlan


def places_book(parent: TablePlan) -> TablePlan:
    """Parent key -> database and table index of the row, as of the stream's position."""
    columns = (*parent.key_columns, _number(SHARD), _number(PART))
    return _book(parent, places_name(parent.logical), columns)


def departed_book(child: TablePlan) -> TablePlan:
    """Keys of a child's rows that were deleted or went to another parent while chunks are copied."""
    assert child.parent is not None
    return _book(child, child.parent.departed, child.key_columns)


def places_name(parent: str) -> str:
    return bookkeeping_name("_sw_place_", parent)


def departed_name(child: str) -> str:
    return bookkeeping_name("_sw_left_", child)


def _book(table: TablePlan, name: str, columns: tuple[CopiedColumn, ...]) -> TablePlan:
    return replace(
        table,
        logical=name,
        source_columns=(),
        columns=columns,
        unique_keys=(),
        distribution="single",
        database=0,
        suffixes=("",),
        shard_key=(),
        delete_policy="immediate",
        version_column=None,
        stage_table=bookkeeping_name("_sw_stage", name),
        tombstone_table="",
        park_table="",
        parent=None,
        reads=(),
        where=None,
        losses=(),
        stop_above=None,
        no_mysql_place=None,
        owner_table=None,
        event_groups=(),
        events_table=None,
        write="rows",
    )


def _number(name: str) -> CopiedColumn:
    return CopiedColumn(name, name, ColumnType("int"), nullable=False, position=0)
