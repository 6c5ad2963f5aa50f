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
from typing import Final

from shardwright.compiler.project.project import Project
from shardwright.runtime.failures import InputAtFault, RuntimeFailure
from shardwright.specs.files.project_files import FileRefused, make_folder
from shardwright.specs.shape import SCHEMA_NAMES, schema_text

_KEYS: Final = 3
"""So many keys are tried for a first spec. `advise` looks closer."""
_EXAMPLES: Final = ("schema/", "specs/", "tests/", "ddl/", "environments/")
"""Folders of the starter's example."""
_RENAMED = {"gitignore": ".gitignore"}
"""A package may hold no file whose name begins with a dot."""


def execute(arguments: argparse.Namespace) -> int:
    root = Path(arguments.folder)
    if arguments.env is None and arguments.schema is None:
        wanted, what = starter_files(), "put your tables in place of the example's"
    else:
        wanted, what = _files_of_proposal(arguments, root), "read the comments of the spec"
    there = [path for path in wanted if os.path.lexists(root / path)]
    if there:
        raise RuntimeFailure("SW8052", f"nothing was written: {root} holds {', '.join(there)} already")
    for path, text in wanted.items():
        _write(root / path, text, root=root)
    if not arguments.quiet:
        for path in wanted:
            print(f"written {root / path}", file=sys.stderr)
        here = "" if arguments.folder == "." else f"cd {root} && "
        print(f"now run `{here}shardwright compile`, and {what}", file=sys.stderr)
    return 0


def _files_of_proposal(arguments: argparse.Namespace, root: Path) -> Mapping[str, str]:
    """Of a project for the tables of a server or a file: schema, a proposed spec, and environments where there are none
    yet. Raises InputAtFault (SW5221, SW5222), and what connecting raises."""
    from shardwright.runtime.cli.database_to_shard import print_notes, read_database_to_shard

    if arguments.env is not None and not (root / "environments" / f"{arguments.env}.yaml").exists():
        at = root / "environments" / f"{arguments.env}.yaml"
        raise InputAtFault("SW5224", f"{at} does not exist: it says where the source is, so write it first")
    unsharded = read_database_to_shard(arguments, Project(root))
    print_notes(unsharded, quiet=arguments.quiet)
    design = next(iter(unsharded.advise(_KEYS).designs), None)
    if design is None:
        raise InputAtFault("SW5222", "no key was found by which the tables can be placed: write the spec by hand")
    source = unsharded.source
    starter = starter_files()
    files = {path: text for path, text in starter.items() if not path.startswith(_EXAMPLES)}
    files[source.file] = unsharded.schema
    files[f"specs/{Path(source.file).stem}.yaml"] = design.spec_text(source)
    if arguments.env is None:
        examples = {path: text for path, text in starter.items() if path.startswith("environments/")}
        files |= {path: _with_shards(text, source.name, len(unsharded.target.names)) for path, text in examples.items()}
    return dict(sorted(files.items()))


def _with_shards(environment: str, name: str, shards: int) -> str:
    """The starter's environment file for other target databases."""
    half = shards // 2
    ranges = {
        "order_db_{0..3}": (0, shards - 1),
        "order_db_{0..1}": (0, half - 1),
        "order_db_{2..3}": (half, shards - 1),
    }
    for example, (first, last) in ranges.items():
        own = f"{name}_{{{first}..{last}}}" if last > first else f"{name}_{first}"
        environment = environment.replace(f'"{example}"', f'"{own}"')
    return environment


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
