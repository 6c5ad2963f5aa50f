"""A lock as text and back. One table a line, so that two branches which change different tables merge."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from shardwright.compiler.review.lock.definition import FORMAT, Lock, MigrationLock
from shardwright.specs.findings.span import Span


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
            migrations={name: _migration(item) for name, item in data["migrations"].items()},
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


def _migration(data: Mapping[str, Any]) -> MigrationLock:
    tables = {name: dict(aspects) for name, aspects in data["tables"].items()}
    return MigrationLock(str(data["plan"]), tables, dict(data["ddl"]))


def _one_a_line(items: Mapping[str, Any]) -> list[str]:
    lines = [f"    {_key(name)}: {json.dumps(value, sort_keys=True)}" for name, value in sorted(items.items())]
    return [line + "," for line in lines[:-1]] + lines[-1:]


def _key(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
