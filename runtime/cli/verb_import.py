"""`import`: write the schema file from the live source, so that it can be reviewed and committed."""

from __future__ import annotations

import argparse
import fnmatch
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import sqlglot
from pymysql.connections import Connection
from sqlglot.tokenizer_core import TokenType

from shardwright.compiler import sql_text as sql
from shardwright.compiler.source_tables import stems
from shardwright.runtime.cli.project import Project, find_project
from shardwright.runtime.cli.source_triggers import source_triggers
from shardwright.runtime.connections import address_of, connect
from shardwright.runtime.failures import InputAtFault, Refused
from shardwright.runtime.transactions import query
from shardwright.specs.model import Spec, TableSpec
from shardwright.specs.read_environment import read_environment
from shardwright.specs.read_spec import read_spec
from shardwright.specs.suppressions.carry import carry_over

_TABLES = "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = %s ORDER BY table_name"
_BASE = "BASE TABLE"
_VERSIONED = "SYSTEM VERSIONED"


def execute(arguments: argparse.Namespace) -> int:
    project = find_project(arguments.project)
    for file in tuple(Path(path) for path in arguments.paths) or project.spec_files():
        spec = read_spec(project.shown(file))
        file_of_environment = project.environment_file(arguments.env)
        environment = read_environment(project.shown(file_of_environment), named=file_of_environment.stem)
        connection = connect(
            address_of(environment.sources[environment.source_of(spec.source.databases[0])], os.environ)
        )
        try:
            shared = _sharing(project, spec)
            text = schema_text(connection, spec, shared)
            forgotten = _forgotten(connection, shared)
        finally:
            connection.close()
        _write(project, spec, text, quiet=arguments.quiet)
        if forgotten:
            shown = ", ".join(forgotten[:10]) + (f" and {len(forgotten) - 10} more" if len(forgotten) > 10 else "")
            raise InputAtFault(
                "SW2019",
                f"{project.shown(project.root / spec.source.schema)} is written, but no spec moves or ignores {len(forgotten)} of the "
                f"source's tables: {shown}. Add them to the spec's tables, or say that they stay: ignore_tables: [{forgotten[0]}]",
            )
    return 0


def _sharing(project: Project, spec: Spec) -> tuple[Spec, ...]:
    """The project's specs that read the same schema file, this one first: the file has the tables of all of them."""
    others = (read_spec(project.shown(file)) for file in project.spec_files())
    return (spec, *(other for other in others if other.source.schema == spec.source.schema and other.file != spec.file))


def _forgotten(connection: Connection[Any], specs: Sequence[Spec]) -> list[str]:
    """Tables of the source that none of these specs moves, leaves out or ignores."""
    mentioned = [
        *(item for each in specs for item in each.ignore_tables),
        *(item for each in specs for entry in each.tables for item in (entry.table, *entry.excepted)),
    ]
    stem_of = stems(specs[0].source.tables_suffix)
    return [
        name
        for name, kind in _tables(connection, specs[0].source.databases[0]).items()
        if kind in (_BASE, _VERSIONED)
        and not any(fnmatch.fnmatchcase(known, item) for known in {name, stem_of(name) or name} for item in mentioned)
    ]


def _tables(connection: Connection[Any], database: str) -> dict[str, str]:
    """What the database calls a table, view or sequence, and its kind."""
    return {str(name): str(kind).upper() for name, kind in query(connection, _TABLES, (database,))}


def schema_text(connection: Connection[Any], spec: Spec, shared: Sequence[Spec]) -> str:
    """CREATE TABLE of every source table that one of `shared` names, which are the spec and those that read the same file, sorted by name, each with its triggers; the parts of a split
    table once, when they are alike. Raises Refused (SW8126) when a table is missing."""
    database = spec.source.databases[0]
    kinds = _tables(connection, database)
    names = [name for name, kind in kinds.items() if kind == _BASE]
    stem_of = stems(spec.source.tables_suffix)
    called = {name: {name, stem_of(name) or name} for name in names}
    for entry in spec.tables:
        _refuse_versioned(database, entry, kinds)
        if not entry.is_pattern and not any(entry.table in known for known in called.values()):
            kind = kinds.get(entry.table)
            what = "does not exist on the source" if kind is None else f"is a {kind.lower()}, which has no rows to copy"
            raise Refused("SW8126", f"{database}.{entry.table} {what}")
    parts = [f"-- Written by `shardwright import` from database {database}. Review and commit.\n"]
    families: dict[str, dict[str, str]] = {}
    for name in names:
        entries = (entry for each in shared for entry in each.tables)
        if any(fnmatch.fnmatchcase(known, entry.table) for entry in entries for known in called[name]):
            families.setdefault(stem_of(name) or name, {})[name] = _create(connection, database, name)
    triggers = source_triggers(connection, database)
    for tables in families.values():
        for name, text in _described(tables).items():
            parts += [text, *triggers.get(name, ())]
    return "\n".join(parts)


def _refuse_versioned(database: str, entry: TableSpec, kinds: Mapping[str, str]) -> None:
    """A system-versioned table keeps old rows beside the present ones, and its log has columns that it does not show."""
    for name, kind in kinds.items():
        if kind == _VERSIONED and fnmatch.fnmatchcase(name, entry.table) and name not in entry.excepted:
            raise Refused(
                "SW8170",
                f"table {database}.{name} is system-versioned, which is not supported: leave it out, or drop the versioning at the "
                f"source (ALTER TABLE ... DROP SYSTEM VERSIONING)",
            )


def _create(connection: Connection[Any], database: str, name: str) -> str:
    statement = f"SHOW CREATE TABLE {sql.table(name, database=database).sql(dialect='mysql')}"
    return without_counter(str(query(connection, statement)[0][1]))


def without_counter(create: str) -> str:
    """The statement without the table's option AUTO_INCREMENT, which moves with every row."""
    depth = 0
    tokens = sqlglot.tokenize(create, dialect="mysql")
    for index, token in enumerate(tokens):
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        words = tokens[index : index + 3]
        if (
            depth == 0
            and token.text.upper() == "AUTO_INCREMENT"
            and token.token_type is not TokenType.STRING
            and len(words) == 3
            and words[1].token_type is TokenType.EQ
            and words[2].token_type is TokenType.NUMBER
        ):
            return create[: token.start].rstrip(" ") + create[words[2].end + 1 :]
    return create


def _described(tables: Mapping[str, str]) -> Mapping[str, str]:
    """By name, one statement for all when they differ by name only, else each."""
    shapes = {_behind_name(create) for create in tables.values()}
    (first, create), *others = tables.items()
    if len(shapes) > 1 or not others:
        return {name: f"{create};\n" for name, create in tables.items()}
    return {first: f"-- {len(tables)} tables like this one, from {first} to {others[-1][0]}.\n{create};\n"}


def _behind_name(create: str) -> str:
    tokens = sqlglot.tokenize(create, dialect="mysql")
    return create[next(token.start for token in tokens if token.token_type is TokenType.L_PAREN) :]


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
