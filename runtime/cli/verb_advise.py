"""`advise`: by which key should a database be sharded that is not sharded yet, and what goes wrong with each?

Runs in the process of the command; reads the source where an environment is named, and writes the files that are asked
for.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from shardwright.compiler.advise.advice import Advice, JudgedDesign
from shardwright.compiler.advise.forms import as_data, as_text, name_key
from shardwright.compiler.advise.statistics import statistics_text
from shardwright.compiler.project.project import Project, find_project
from shardwright.runtime.cli.database_to_shard import DatabaseToShard, print_notes, read_database_to_shard
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cli.project_output import write_project_files
from shardwright.runtime.cli.reporting import write_file, write_private_file
from shardwright.runtime.failures import InputAtFault
from shardwright.specs.findings.wording import did_you_mean


def execute(arguments: argparse.Namespace) -> int:
    project = find_project(arguments.project)
    unsharded = read_database_to_shard(arguments, project)
    print_notes(unsharded, quiet=arguments.quiet)
    if arguments.write_statistics is not None:
        write_file(statistics_text(unsharded.source.statistics), Path(arguments.write_statistics))
    advice = unsharded.advise(arguments.keys)
    chosen = None if arguments.key is None else _find(advice, arguments.key)
    design = chosen or next(iter(advice.designs), None)
    if arguments.write_spec is not None:
        _write_spec(project, unsharded, design, Path(arguments.write_spec), quiet=arguments.quiet)
    if arguments.html is not None:
        from shardwright.runtime.rehearsal.advice.html_page import as_html

        write_private_file(as_html(advice, design), Path(arguments.html))
    if arguments.format == "json":
        print(json.dumps(as_data(advice), indent=2, ensure_ascii=False))
    else:
        print(as_text(advice, chosen, everything=arguments.all))
    return Exit.DONE if advice.designs else Exit.INPUT_AT_FAULT


def _find(advice: Advice, key: str) -> JudgedDesign:
    found = advice.find(key)
    if found is None:
        names = [name_key(advice, one) for one in advice.designs]
        hint = did_you_mean(key, names) or f"looked at: {', '.join(names)}"
        raise InputAtFault("SW5222", f"no design has the key {key}; {hint}; --keys N looks at more")
    return found


def _write_spec(
    project: Project, unsharded: DatabaseToShard, design: JudgedDesign | None, path: Path, *, quiet: bool
) -> None:
    """The spec, and its schema file. Raises InputAtFault (SW5222, SW5223)."""
    if design is None:
        raise InputAtFault("SW5222", "nothing compiles by any key: there is no spec to write")
    files = files_to_write(project, unsharded, design, path)
    for file in files:
        if file.exists():
            raise InputAtFault("SW5223", f"nothing was written: {project.display_path(file)} exists already")
    write_project_files(project, files)
    for file in () if quiet else files:
        print(f"written {project.display_path(file)}", file=sys.stderr)


def files_to_write(
    project: Project, unsharded: DatabaseToShard, design: JudgedDesign, path: Path
) -> Mapping[Path, str]:
    schema = project.root / unsharded.source.file
    files = {path if path.is_absolute() else Path.cwd() / path: design.spec_text(unsharded.source)}
    if not (schema.exists() and schema.read_text("utf-8") == unsharded.schema):
        files[schema] = unsharded.schema
    return files
