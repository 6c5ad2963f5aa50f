"""From which files was a plan compiled, and was one changed since? Every verb that connects asks.

Runs in the command line; reads the project's files, writes `.sources.json` beside the plans.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from shardwright.compiler.project.project import Project
from shardwright.specs.files.project_files import (
    SQL_BYTES,
    FileRefused,
    files_in,
    read_file,
    read_own_text,
    with_newlines,
    write_file,
)

_FILE = ".sources.json"


@dataclass(frozen=True, slots=True)
class CompiledFiles:
    """What one plan was compiled from."""

    texts: Mapping[str, str]
    """By path."""
    ddl: str | None
    """The folder in which a new file may come."""


def record_files(project: Project, compiled: Mapping[str, CompiledFiles], output: Path) -> None:
    """By migration. Paths are recorded from the project folder."""
    record = _record_in(output)
    for migration, files in compiled.items():
        record[migration] = {
            "files": {os.path.relpath(file, project.root): _digest(text) for file, text in sorted(files.texts.items())},
            "ddl": files.ddl,
        }
    write_file(output / _FILE, json.dumps(record, indent=1, sort_keys=True) + "\n", root=output)


def files_compiled_from(project: Project, migration: str) -> tuple[str, ...]:
    """Their paths from the project folder, sorted. Empty where that is not known, as for a plan that came without its
    project's files."""
    known = _record_in(project.own("build")).get(migration)
    return tuple(sorted(known.get("files", {}))) if isinstance(known, dict) else ()


def files_changed_since(project: Project, migration: str) -> tuple[str, ...]:
    """The files that are not what the plan in `build` was compiled from. Empty where that is not known, as for a plan
    that came without its project's files."""
    known = _record_in(project.own("build")).get(migration)
    if not isinstance(known, dict):
        return ()
    files: dict[str, str] = known.get("files", {})
    # A spec that the operator named elsewhere is not looked for: this record may have come with a checkout.
    ours = [name for name in files if project.root_of(project.root / name) is not None]
    changed = [name for name in ours if _digest_of(project, name) != files[name]]
    folder = known.get("ddl")
    if isinstance(folder, str):
        found = _ddl_files(project, folder)
        changed += [name for file in found if (name := os.path.relpath(file, project.root)) not in files]
    return tuple(changed)


def _ddl_files(project: Project, folder: str) -> tuple[Path, ...]:
    try:
        return files_in(project.root / folder, ".sql", root=project.root)
    except FileRefused:
        return ()


def _record_in(output: Path) -> dict[str, object]:
    try:
        record = json.loads(read_own_text(output / _FILE, root=output))
    except (FileRefused, OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _digest_of(project: Project, name: str) -> str | None:
    """None for a file that cannot be read, or is not to be."""
    try:
        content = read_file(project.root / name, root=project.root, limit=SQL_BYTES)
    except (FileRefused, OSError, ValueError):
        return None
    return _digest(content.decode("utf-8", "replace"))


def _digest(text: str) -> str:
    return hashlib.sha256(with_newlines(text).encode("utf-8", "surrogateescape")).hexdigest()
