"""What the last `compile` was made from and what it left: with both unchanged, it need not be done again.

Inputs are compared by content: every file in every folder that a file was read from, so that a new DDL file or a
second spec counts; the tool's own source files; the versions of Python and sqlglot; the command's arguments. Outputs
are compared as make and git do it: by name, size and times. A plan edited by hand with its times put back would go
unnoticed here, but not by `run`, which compares digests. `compile --check` never asks this record.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from shardwright.compiler.project.project import Project
from shardwright.compiler.review.report.result import RunResult
from shardwright.specs.files.project_files import SQL_BYTES, FileRefused, read_file, read_own_text, write_file
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity, Span

_FILE = ".compiled.json"
_CLOCK_TICK = 20_000_000
"""Nanoseconds by which a file's time may lag behind the clock."""
_PARTS = ("shardwright.specs", "shardwright.compiler", "shardwright.runtime")


@dataclass(frozen=True, slots=True)
class Compilation:
    """One call of `compile`: `output` is the folder of all plans, `lock` the file it also writes, `arguments` what else
    decides about the result."""

    output: Path
    lock: Path
    arguments: tuple[str, ...]


def recall(compilation: Compilation) -> RunResult | None:
    """The result of the last compilation when doing it again would change nothing."""
    try:
        record = json.loads(read_own_text(compilation.output / _FILE, root=compilation.output))
        if record["outputs"] != _outputs(compilation, record["folders"]):
            return None
        if record["inputs"] != _inputs(compilation, record["read"]):
            return None
        return _result(record["result"])
    except (FileRefused, OSError, ValueError, KeyError, TypeError):
        return None


def remember(
    compilation: Compilation, result: RunResult, *, read: Iterable[str], folders: Iterable[str], started: int
) -> None:
    """`read` are the files and folders the result was made from, `folders` the plans' names below the output folder.
    What was changed since `started` (nanoseconds of the clock) may have been read before the change: nothing is
    recorded."""
    places = sorted({os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path) or ".") for path in read})
    names = sorted(folders)
    newest = max(entry.stat().st_mtime_ns for place in places for entry in os.scandir(place))
    if newest >= started - _CLOCK_TICK:
        (compilation.output / _FILE).unlink(missing_ok=True)
        return
    record = {
        "inputs": _inputs(compilation, places),
        "outputs": _outputs(compilation, names),
        "read": places,
        "folders": names,
        "result": asdict(result),
    }
    write_file(compilation.output / _FILE, json.dumps(record, sort_keys=True) + "\n", root=compilation.output)


def _inputs(compilation: Compilation, folders: Iterable[str]) -> str:
    digest = hashlib.sha256(repr((compilation.arguments, os.getcwd(), sys.version)).encode())
    project = Project(compilation.lock.parent)
    for folder in folders:
        for entry in sorted(os.scandir(folder), key=lambda item: item.name):
            if entry.name != _FILE:
                _add_input(digest, entry, project)
    for part in _PARTS:
        found = find_spec(part)
        for place in (found.submodule_search_locations if found else None) or ():
            for folder, below, files in os.walk(place):
                below[:] = sorted(name for name in below if name != "__pycache__")
                for name in sorted(files):
                    if name.endswith((".py", ".json")):
                        _add(digest, os.path.join(folder, name))
    found = find_spec("sqlglot")
    if found is not None and found.origin is not None:
        _add(digest, os.path.join(os.path.dirname(found.origin), "_version.py"))
    return digest.hexdigest()


def _add_input(digest: Any, entry: os.DirEntry[str], project: Project) -> None:
    """A file's content. Of what is too large to be an input, or not the project's, the name and what the folder knows
    of it; what stands in a folder below is no input."""
    state = entry.stat(follow_symlinks=False)
    if stat.S_ISDIR(state.st_mode):
        return
    try:
        content = read_file(entry.path, root=project.root_of(Path(entry.path)), limit=SQL_BYTES)
    except (FileRefused, OSError):
        content = f"{state.st_mode} {state.st_size} {state.st_mtime_ns}".encode()
    _add_content(digest, entry.path, content)


def _add(digest: Any, path: str) -> None:
    """A file of the tool's own."""
    with open(path, "rb") as file:
        _add_content(digest, path, file.read())


def _add_content(digest: Any, path: str, content: bytes) -> None:
    digest.update(f"{len(content)} {path}\n".encode("utf-8", "surrogateescape"))
    digest.update(content)


def _outputs(compilation: Compilation, names: Iterable[str]) -> str:
    """Of the names, sizes and times of all files in the folders, and of the lock."""
    lock = compilation.lock.stat()
    digest = hashlib.sha256(f"{lock.st_size} {lock.st_mtime_ns} {lock.st_ctime_ns}\n".encode())
    folders = [str(compilation.output / name) for name in names]
    for folder in folders:  # grows while it is walked
        for entry in sorted(os.scandir(folder), key=lambda item: item.name):
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
                continue
            state = entry.stat(follow_symlinks=False)
            digest.update(f"{entry.path} {state.st_size} {state.st_mtime_ns} {state.st_ctime_ns}\n".encode())
    return digest.hexdigest()


def _result(data: Mapping[str, Any]) -> RunResult:
    findings = tuple(_diagnostic(item) for item in data["findings"])
    return RunResult(data["command"], tuple(data["specs"]), findings, data["details"])


def _diagnostic(data: Mapping[str, Any]) -> Diagnostic:
    notes = tuple(Note(item["text"], Span(**item["span"]) if item["span"] else None) for item in data["notes"])
    return Diagnostic(**{**data, "span": Span(**data["span"]), "severity": Severity(data["severity"]), "notes": notes})
