"""`shardwright.lock`: what it holds, its text and back, and where it is out of date. Reads and writes the file in the
project's folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shardwright.compiler.plan.digests import digest
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.plan.refusals import PlanRefused, ProjectRefused
from shardwright.compiler.project.project import Project
from shardwright.specs.files.project_files import FileRefused, read_own_text, write_file
from shardwright.specs.findings.diagnostics import Diagnostic, Span

FORMAT = 1


@dataclass(frozen=True, slots=True)
class MigrationLock:
    """`plan` is the plan's fingerprint. `tables` maps a logical table to the digests of its aspects ("columns" -> ...),
    `ddl` a DDL file to the digest of what it was read as."""

    plan: str
    tables: Mapping[str, Mapping[str, str]]
    ddl: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Lock:
    tool_version: str
    sqlglot_version: str
    migrations: Mapping[str, MigrationLock]


class LockUnreadable(Exception):
    """The text is no lock of a format that this version knows; `line` counts from 1."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def lock_text(lock: Lock) -> str:
    """Deterministic JSON, ending in a line break."""
    head = {"format": FORMAT, "sqlglot_version": lock.sqlglot_version, "tool_version": lock.tool_version}
    lines = ["{", *(f" {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()), ' "migrations": {']
    migrations = sorted(lock.migrations.items())
    for number, (name, migration) in enumerate(migrations, start=1):
        lines += [f"  {_key(name)}: {{", f'   "plan": {json.dumps(migration.plan)},']
        lines += ['   "ddl": {', *_one_a_line(migration.ddl), "   },"]
        lines += ['   "tables": {', *_one_a_line(migration.tables), "   }"]
        lines.append("  }" if number == len(migrations) else "  },")
    return "\n".join([*lines, " }", "}"]) + "\n"


def parse_lock(text: str) -> Lock:
    """Raises LockUnreadable."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        hint = "a merge left its marks" if "<<<<<<<" in text else error.msg
        raise LockUnreadable(f"it is not JSON: {hint}", error.lineno) from None
    try:
        if data["format"] != FORMAT:
            raise LockUnreadable(f"it has format {data['format']}, this version reads format {FORMAT}")
        return Lock(
            tool_version=str(data["tool_version"]),
            sqlglot_version=str(data["sqlglot_version"]),
            migrations={name: _parse_migration(item) for name, item in data["migrations"].items()},
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise LockUnreadable(f"it lacks what a lock holds ({error})") from None


def place_of(text: str, *names: str, file: str) -> Span:
    """Where the innermost of nested keys stands; the last one found when one is missing."""
    lines, at, name = text.splitlines(), 0, ""
    for wanted in names:
        mark = f"{_key(wanted)}: "
        found = next((number for number in range(at, len(lines)) if lines[number].lstrip().startswith(mark)), None)
        at, name = (at, name) if found is None else (found, wanted)
    column = len(lines[at]) - len(lines[at].lstrip()) + 1
    return Span(file, at + 1, column, max(1, len(_key(name)) if name else 1))


def _parse_migration(data: Mapping[str, Any]) -> MigrationLock:
    tables = {name: dict(aspects) for name, aspects in data["tables"].items()}
    return MigrationLock(str(data["plan"]), tables, dict(data["ddl"]))


def _one_a_line(items: Mapping[str, Any]) -> list[str]:
    lines = [f"    {_key(name)}: {json.dumps(value, sort_keys=True)}" for name, value in sorted(items.items())]
    return [line + "," for line in lines[:-1]] + lines[-1:]


def _key(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


_DIGITS = 12


def lock_of(plans: Iterable[Plan], *, kept: Mapping[str, MigrationLock] | None = None) -> Lock:
    """The lock of these plans, with the migrations in `kept` that are none of them. At least one plan."""
    plans = tuple(plans)
    migrations = {**(kept or {}), **{plan.migration: _lock_migration(plan) for plan in plans}}
    return Lock(plans[0].tool_version, plans[0].sqlglot_version, migrations)


def _lock_migration(plan: Plan) -> MigrationLock:
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
    found = False
    for table in sorted(old.tables.keys() | new.tables.keys()):
        before, after = old.tables.get(table), new.tables.get(table)
        if before != after:
            found = True
            yield ("tables", table), f"table '{table}' of {name} {_words(before, after)}"
    for file in sorted(old.ddl.keys() | new.ddl.keys()):
        if old.ddl.get(file) != new.ddl.get(file):
            found = True
            what = "is new" if file not in old.ddl else "is gone" if file not in new.ddl else "is another than"
            yield (
                ("ddl", file),
                f"DDL file '{file}' of {name} {what}{' the one locked' if what.endswith('than') else ''}",
            )
    if not found:
        yield ("plan",), f"the plan of {name} is another: its topology or its order changed"


def _words(before: Mapping[str, str] | None, after: Mapping[str, str] | None) -> str:
    if before is None or after is None:
        return "is new" if before is None else "is gone"
    changed = [aspect for aspect in sorted(before.keys() | after.keys()) if before.get(aspect) != after.get(aspect)]
    return f"is not as locked: {', '.join(changed)} changed"


def write_lock(project: Project, plans: Sequence[Plan], *, whole: bool) -> bool:
    """Whether the file changed. `whole` says that `plans` are all the project has: what else the lock holds goes."""
    before, kept = _text(project), {}
    if not whole and before is not None:
        try:
            kept = dict(parse_lock(before).migrations)
        except LockUnreadable:
            kept = {}
    text = lock_text(lock_of(plans, kept=kept))
    if before == text:
        return False
    write_file(_path(project), text, root=project.root)
    return True


def check_lock(project: Project, plans: Sequence[Plan], *, whole: bool) -> tuple[Diagnostic, ...]:
    """What is not current about the lock; empty when it is what `plans` make."""
    text, shown = _text(project), project.display_path(_path(project))
    if text is None:
        hint = "run `shardwright compile` and commit it"
        return (Diagnostic("SW8801", "this project has no shardwright.lock", Span(shown, 1, 1), hint=hint),)
    try:
        locked = parse_lock(text)
    except LockUnreadable as error:
        return (Diagnostic("SW8803", f"the lock cannot be read: {error.message}", Span(shown, error.line, 1)),)
    kept = {} if whole else locked.migrations
    return stale(text, locked=locked, current=lock_of(plans, kept=kept), file=shown)


def require_locked(project: Project, plan: Plan) -> None:
    """What runs is what was reviewed: where the project has a lock, it has to name this very plan. Raises PlanRefused
    (SW8014)."""
    text = _text(project)
    if text is None:
        return
    file = project.display_path(_path(project))
    way_out = "run `shardwright compile`, look at the difference, and commit the lock"
    try:
        locked = parse_lock(text).migrations.get(plan.migration)
    except LockUnreadable as error:
        raise PlanRefused("SW8014", f"{file}:{error.line} cannot be read: {error.message}: {way_out}") from None
    if locked is None:
        raise PlanRefused(
            "SW8014", f"{file} does not name migration {plan.migration}, whose plan is in build/: {way_out}"
        )
    if locked.plan != plan.fingerprint:
        message = f"the plan of {plan.migration} in build/ is {plan.fingerprint}, and {file} names {locked.plan}"
        raise PlanRefused("SW8014", f"{message}: {way_out}")


def _text(project: Project) -> str | None:
    """None: there is no lock. Raises ProjectRefused (SW8013)."""
    path = _path(project)
    try:
        return read_own_text(path, root=project.root)
    except FileNotFoundError:
        return None
    except FileRefused as refused:
        raise ProjectRefused("SW8013", f"{project.display_path(path)} {refused.reason}") from None
    except OSError as error:
        raise ProjectRefused("SW8013", f"cannot read {project.display_path(path)}: {error.strerror}") from None
    except UnicodeDecodeError:
        return ""


def _path(project: Project) -> Path:
    return project.own("shardwright.lock")
