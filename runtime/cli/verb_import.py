"""`import`: write the schema file from the live source, so that it can be reviewed and committed."""

from __future__ import annotations

import argparse
import fnmatch
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler import sql_text as sql
from shardwright.compiler.source_tables import stems
from shardwright.runtime.cli.project import Project, find_project
from shardwright.runtime.cli.source_triggers import source_triggers
from shardwright.runtime.connections import address_of, connect
from shardwright.runtime.failures import Refused
from shardwright.runtime.transactions import query
from shardwright.specs.model import Spec
from shardwright.specs.read_environment import read_environment
from shardwright.specs.read_spec import read_spec
from shardwright.specs.suppressions.carry import carry_over

_COUNTER = re.compile(r" AUTO_INCREMENT=\d+")
_TABLES = (
    "SELECT table_name FROM information_schema.tables WHERE table_schema = %s AND table_type = 'BASE TABLE' "
    "ORDER BY table_name"
)


def execute(arguments: argparse.Namespace) -> int:
    project = find_project(arguments.project)
    for file in tuple(Path(path) for path in arguments.paths) or project.spec_files():
        spec = read_spec(project.shown(file))
        environment = read_environment(project.shown(project.environment_file(arguments.env)))
        connection = connect(
            address_of(environment.sources[environment.source_of(spec.source.databases[0])], os.environ)
        )
        try:
            text = schema_text(connection, spec)
        finally:
            connection.close()
        _write(project, spec, text, quiet=arguments.quiet)
    return 0


def schema_text(connection: Connection[Any], spec: Spec) -> str:
    """CREATE TABLE of every source table the spec names, sorted by name, each with its triggers; the parts of a split
    table once, when they are alike. Raises Refused (SW8126) when a table is missing."""
    database = spec.source.databases[0]
    names = [str(row[0]) for row in query(connection, _TABLES, (database,))]
    stem_of = stems(spec.source.tables_suffix)
    called = {name: {name, stem_of(name) or name} for name in names}
    for entry in spec.tables:
        if not entry.is_pattern and not any(entry.table in known for known in called.values()):
            raise Refused("SW8126", f"table {database}.{entry.table} does not exist on the source")
    parts = [f"-- Written by `shardwright import` from database {database}. Review and commit.\n"]
    families: dict[str, dict[str, str]] = {}
    for name in names:
        if any(fnmatch.fnmatchcase(known, entry.table) for entry in spec.tables for known in called[name]):
            families.setdefault(stem_of(name) or name, {})[name] = _create(connection, database, name)
    triggers = source_triggers(connection, database)
    for tables in families.values():
        for name, text in _described(tables).items():
            parts += [text, *triggers.get(name, ())]
    return "\n".join(parts)


def _create(connection: Connection[Any], database: str, name: str) -> str:
    statement = f"SHOW CREATE TABLE {sql.table(name, database=database).sql(dialect='mysql')}"
    return _COUNTER.sub("", str(query(connection, statement)[0][1]))


def _described(tables: Mapping[str, str]) -> Mapping[str, str]:
    """By name, one statement for all when they differ by name only, else each."""
    shapes = {create.partition("(")[2] for create in tables.values()}
    (first, create), *others = tables.items()
    if len(shapes) > 1 or not others:
        return {name: f"{create};\n" for name, create in tables.items()}
    return {first: f"-- {len(tables)} tables like this one, from {first} to {others[-1][0]}.\n{create};\n"}


def _write(project: Project, spec: Spec, text: str, *, quiet: bool) -> None:
    path = project.root / spec.source.schema
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    text, lost = carry_over(before, text)
    changed = before != text
    if changed:
        path.write_text(text, encoding="utf-8")
    for comment in lost:
        print(f"{project.shown(path)}: the line it spoke about is gone, and so is '{comment}'", file=sys.stderr)
    if not quiet:
        tables, triggers = text.count("CREATE TABLE "), text.count("\nCREATE TRIGGER ")
        what = "written" if changed else "unchanged"
        seen = f"{triggers} triggers" if triggers else "no triggers that this account may see"
        print(f"{project.shown(path)} {what}: {tables} tables, {seen}; now run `shardwright compile`", file=sys.stderr)
