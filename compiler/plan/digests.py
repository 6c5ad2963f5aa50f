"""Digests of one table's plan by what a reviewer calls its parts: they decide about the plan's fingerprint, and
the lock has them, cut short. Each table's are made beside its steps; `compile` does not look at the SQL again for
either.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shardwright.compiler.plan.plain_data import as_data
from shardwright.compiler.plan.plan import BARE, INDEXES, Step, StepName, TablePlan

ASPECT_OF_FIELD: Mapping[str, str] = {
    "source.databases": "source",
    "source.tables": "source",
    "source.columns": "source",
    "source.reads": "columns",
    "columns": "columns",
    "identity": "keys",
    "placement": "sharding",
    "placement.is_read": "sql",
    "placement.parent": "settings",
    "placement.no_mysql": "settings",
}
"""Of a part of the table, or of one of its fields. What is not listed here are the table's `settings`."""


_NO_ROW_DEPENDS_ON = frozenset({"logical", "way_back", "generated", "placement.partitions"})
"""What the target's servers compute, and how a table is divided, is in its CREATE TABLE."""
_WHEN_INDEXES_ARE_BUILT = frozenset({BARE, INDEXES})
"""What they come to is the target's CREATE TABLE, and no row is another for it."""


_PARTS = frozenset({"source", "identity", "placement", "ours", "writes", "deletes"})


def aspects(table: TablePlan, steps: Iterable[Step]) -> Mapping[str, str]:
    """Aspect -> SHA-256 in hexadecimal digits, of the table's plan but its name, and of the SQL of its steps, apart
    from those that say who may write a row."""
    parts: dict[str, list[str]] = defaultdict(list)
    for name, value in _fields_of(table):
        if name not in _NO_ROW_DEPENDS_ON:
            aspect = ASPECT_OF_FIELD.get(name) or ASPECT_OF_FIELD.get(name.partition(".")[0], "settings")
            parts[aspect].append(f"{name}={value!r}")
    for step in steps:
        if step.name in (StepName.WRITERS, StepName.CONFLICT):
            continue
        aspect = "target" if step.name is StepName.CREATE_TABLE else "sql"
        for statement in step.texts:
            if statement.name not in _WHEN_INDEXES_ARE_BUILT:
                sql = statement.sql
                if aspect == "target" and table.placement.partitions == "keep":
                    sql = sql.rpartition(" PARTITION BY ")[0]
                parts[aspect] += (step.name.value, statement.name, sql)
    return {aspect: digest(texts) for aspect, texts in parts.items()}


def _fields_of(table: TablePlan) -> Iterator[tuple[str, Any]]:
    """The fields of its parts one by one, with their paths."""
    for name, value in as_data(table).items():
        if name in _PARTS:
            yield from ((f"{name}.{field}", one) for field, one in value.items())
        else:
            yield name, value


def all_aspects(tables: Iterable[TablePlan], steps: Iterable[Step]) -> Mapping[str, Mapping[str, str]]:
    """Those of many tables, by logical name."""
    by_table: dict[str, list[Step]] = defaultdict(list)
    for step in steps:
        by_table[step.table].append(step)
    return {table.logical: aspects(table, by_table[table.logical]) for table in tables}


def digest(texts: Iterable[str]) -> str:
    """SHA-256 in hexadecimal digits of texts, each told from the next."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()
