"""From plans to a lock."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping

from shardwright.compiler.lock.definition import Lock, MigrationLock
from shardwright.compiler.plain_data import as_data
from shardwright.compiler.plan import Plan, StepName, TablePlan

ASPECT_OF_FIELD: Mapping[str, str] = {
    "source_databases": "source",
    "source_tables": "source",
    "source_columns": "source",
    "columns": "columns",
    "reads": "columns",
    "losses": "columns",
    "key": "keys",
    "unique_keys": "keys",
    "distribution": "sharding",
    "database": "sharding",
    "suffixes": "sharding",
    "shard_key": "sharding",
}
"""What a reviewer calls the parts of a table's plan; what is not listed here are its `settings`."""


def lock_of(plans: Iterable[Plan], *, kept: Mapping[str, MigrationLock] | None = None) -> Lock:
    """The lock of these plans, with the migrations in `kept` that are none of them. At least one plan."""
    plans = tuple(plans)
    migrations = {**(kept or {}), **{plan.migration: _migration(plan) for plan in plans}}
    return Lock(plans[0].tool_version, plans[0].sqlglot_version, migrations)


def _migration(plan: Plan) -> MigrationLock:
    sql: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for step in plan.steps:
        aspect = "target" if step.name is StepName.CREATE_TABLE else "sql"
        for statement in step.statements:
            sql[step.table][aspect] += [step.name.value, statement.name, statement.sql]
    return MigrationLock(
        plan=plan.fingerprint,
        tables={
            table.logical: {aspect: _digest(parts) for aspect, parts in (_settings(table) | sql[table.logical]).items()}
            for table in plan.tables
        },
        ddl={
            file: _digest([change.template for change in plan.ddl if change.file == file])
            for file in dict.fromkeys(change.file for change in plan.ddl)
        },
    )


def _settings(table: TablePlan) -> dict[str, list[str]]:
    aspects: dict[str, list[str]] = defaultdict(list)
    for name, value in as_data(table).items():
        if name != "logical":
            aspects[ASPECT_OF_FIELD.get(name, "settings")].append(f"{name}={value!r}")
    return aspects


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]
