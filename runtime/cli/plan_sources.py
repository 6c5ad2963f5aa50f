"""From which files each plan was compiled, so that a verb can say that they were changed since. Runs in the command line; writes
`.sources.json` beside the plans."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from shardwright.runtime.cli.checking import CheckedSpec
from shardwright.runtime.cli.project import Project

_FILE = ".sources.json"


def remember_sources(project: Project, checked: Iterable[CheckedSpec], output: Path) -> None:
    """The texts that were compiled, by path below the project folder, and the DDL folder, in which a new file may come."""
    record = _read(output)
    for item in checked:
        if item.spec is None or item.compiled is None:
            continue
        record[item.compiled.plan.migration] = {
            "files": {os.path.relpath(file, project.root): _digest(text) for file, text in sorted(item.texts.items())},
            "ddl": item.spec.ddl,
        }
    fresh = output / f"{_FILE}.new"
    fresh.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    fresh.replace(output / _FILE)


def changed_since(project: Project, migration: str) -> tuple[str, ...]:
    """The files that are not what the plan in `build` was compiled from. Empty where that is not known, as for a plan that came without its
    project's files."""
    known = _read(project.root / "build").get(migration)
    if not isinstance(known, dict):
        return ()
    files: dict[str, str] = known.get("files", {})
    changed = [name for name, digest in files.items() if _digest_of(project.root / name) != digest]
    folder = known.get("ddl")
    if isinstance(folder, str) and (project.root / folder).is_dir():
        found = sorted((project.root / folder).glob("*.sql"))
        changed += [name for file in found if (name := os.path.relpath(file, project.root)) not in files]
    return tuple(changed)


def _read(output: Path) -> dict[str, object]:
    try:
        record = json.loads((output / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _digest_of(file: Path) -> str | None:
    try:
        return _digest(file.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.replace("\r\n", "\n").encode("utf-8", "surrogateescape")).hexdigest()
