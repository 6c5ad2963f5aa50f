"""The lock of plans, and whether a lock file is what the plans make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from shardwright.compiler.plan.digests import digest
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.review.lock.definition import Lock, MigrationLock
from shardwright.compiler.review.lock.text import place_of
from shardwright.specs.findings.diagnostics import Diagnostic

_DIGITS = 12


def lock_of(plans: Iterable[Plan], *, kept: Mapping[str, MigrationLock] | None = None) -> Lock:
    """The lock of these plans, with the migrations in `kept` that are none of them. At least one plan."""
    plans = tuple(plans)
    migrations = {**(kept or {}), **{plan.migration: _locked_migration(plan) for plan in plans}}
    return Lock(plans[0].tool_version, plans[0].sqlglot_version, migrations)


def _locked_migration(plan: Plan) -> MigrationLock:
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


_HINT = "run `shardwright compile` and commit it"


def stale(text: str, *, locked: Lock, current: Lock, file: str) -> tuple[Diagnostic, ...]:
    """One finding for every table, DDL file and version in which `locked`, read from `text`, differs from `current`."""

    def finding(message: str, *names: str) -> Diagnostic:
        return Diagnostic("SW8802", message, place_of(text, *names, file=file), hint=_HINT)

    found = [finding(message, name) for name, message in _versions(locked, current)]
    for name in sorted(locked.migrations.keys() | current.migrations.keys()):
        old, new = locked.migrations.get(name), current.migrations.get(name)
        if old is None or new is None:
            what = "is not in the lock" if old is None else "is in the lock, but no spec makes it"
            found.append(finding(f"migration '{name}' {what}", "migrations", name))
        elif old != new:
            found += [finding(message, "migrations", name, *names) for names, message in _migration(name, old, new)]
    return tuple(found)


def _versions(locked: Lock, current: Lock) -> Iterator[tuple[str, str]]:
    if locked.sqlglot_version != current.sqlglot_version:
        yield "sqlglot_version", f"compiled with sqlglot {locked.sqlglot_version}, here is {current.sqlglot_version}"
    if locked.tool_version != current.tool_version:
        yield "tool_version", f"compiled with shardwright {locked.tool_version}, this is {current.tool_version}"


def _migration(name: str, old: MigrationLock, new: MigrationLock) -> Iterator[tuple[tuple[str, ...], str]]:
    told = False
    for table in sorted(old.tables.keys() | new.tables.keys()):
        before, after = old.tables.get(table), new.tables.get(table)
        if before != after:
            told = True
            yield ("tables", table), f"table '{table}' of {name} {_words(before, after)}"
    for file in sorted(old.ddl.keys() | new.ddl.keys()):
        if old.ddl.get(file) != new.ddl.get(file):
            told = True
            what = "is new" if file not in old.ddl else "is gone" if file not in new.ddl else "is another than"
            yield (
                ("ddl", file),
                f"DDL file '{file}' of {name} {what}{' the one locked' if what.endswith('than') else ''}",
            )
    if not told:
        yield ("plan",), f"the plan of {name} is another: its topology or its order changed"


def _words(before: Mapping[str, str] | None, after: Mapping[str, str] | None) -> str:
    if before is None or after is None:
        return "is new" if before is None else "is gone"
    changed = [aspect for aspect in sorted(before.keys() | after.keys()) if before.get(aspect) != after.get(aspect)]
    return f"is not as locked: {', '.join(changed)} changed"
