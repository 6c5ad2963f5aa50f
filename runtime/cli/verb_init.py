"""`init`: which files make a project that validates and compiles at once?

Runs in the process of the command; writes the new project's files.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from shardwright.runtime.failures import InputAtFault, RuntimeFailure
from shardwright.specs.files.project_files import FileRefused, make_folder
from shardwright.specs.shape import SCHEMA_NAMES, schema_text

_RENAMED = {"gitignore": ".gitignore"}
"""A package may hold no file whose name begins with a dot."""


def execute(arguments: argparse.Namespace) -> int:
    root = Path(arguments.folder)
    wanted = starter_files()
    there = [path for path in wanted if os.path.lexists(root / path)]
    if there:
        raise RuntimeFailure("SW8052", f"nothing was written: {root} holds {', '.join(there)} already")
    for path, text in wanted.items():
        _write(root / path, text, root=root)
    if not arguments.quiet:
        for path in wanted:
            print(f"written {root / path}", file=sys.stderr)
        here = "" if arguments.folder == "." else f"cd {root} && "
        print(f"now run `{here}shardwright compile`, and put your tables in place of the example's", file=sys.stderr)
    return 0


def starter_files() -> Mapping[str, str]:
    """Every file of a new project by its path."""
    found = dict(_below(files("shardwright.runtime.cli").joinpath("starter"), ""))
    schemas = {f".shardwright/{name}.v1.schema.json": schema_text(name) for name in SCHEMA_NAMES}
    return dict(sorted({**found, **schemas}.items()))


def _below(folder: Traversable, prefix: str) -> list[tuple[str, str]]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _below(entry, f"{prefix}{entry.name}/")
        else:
            found.append((prefix + _RENAMED.get(entry.name, entry.name), entry.read_text("utf-8")))
    return found


def _write(path: Path, text: str, *, root: Path) -> None:
    try:
        make_folder(path.parent, root=root)
        with path.open("x", encoding="utf-8", newline="\n") as file:  # does not follow a link
            file.write(text)
    except FileRefused as refused:
        raise InputAtFault("SW8013", f"{path} {refused.reason}") from None
    except OSError as error:
        raise RuntimeFailure("SW8053", f"cannot write {path}: {error.strerror}") from None
