"""From plans to a lock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shardwright.compiler.plan.digests import digest
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.review.lock.definition import Lock, MigrationLock

_DIGITS = 12


def lock_of(plans: Iterable[Plan], *, kept: Mapping[str, MigrationLock] | None = None) -> Lock:
    """The lock of these plans, with the migrations in `kept` that are none of them. At least one plan."""
    plans = tuple(plans)
    migrations = {**(kept or {}), **{plan.migration: _migration(plan) for plan in plans}}
    return Lock(plans[0].tool_version, plans[0].sqlglot_version, migrations)


def _migration(plan: Plan) -> MigrationLock:
    return MigrationLock(
        plan=plan.fingerprint,
        tables={
            table.logical: {aspect: whole[:_DIGITS] for aspect, whole in plan.aspects[table.logical].items()}
            for table in plan.tables
        },
        ddl={
            file: digest(change.template for change in plan.ddl if change.file == file)[:_DIGITS]
            for file in dict.fromkeys(change.file for change in plan.ddl)
        },
    )
