"""A database that no spec speaks of yet, from files or from a server: what `advise` and `init` look at.

Runs in the process of the command; reads the files, and the source server where an environment is named.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from shardwright.compiler.advise.advice import Advice, advise
from shardwright.compiler.advise.questions import columns_to_measure
from shardwright.compiler.advise.references import find_references
from shardwright.compiler.advise.source import LoggedWrites, SchemaText, SourceDatabase, make_source
from shardwright.compiler.advise.spec_text import Target
from shardwright.compiler.advise.statistics import BadStatistics, Statistics, read_statistics
from shardwright.compiler.project.project import Project
from shardwright.compiler.schema.dump import read_script
from shardwright.compiler.workload.statement import WorkloadStatement
from shardwright.runtime.cli.statement_files import read_statements
from shardwright.runtime.failures import InputAtFault

if TYPE_CHECKING:
    from pymysql.connections import Connection

_SYSTEM: Final = ("information_schema", "performance_schema", "mysql", "sys")
_DEFAULT_NAME: Final = "app"


@dataclass(frozen=True, slots=True)
class DatabaseToShard:
    """A database, and where its rows may go. `schema` is the text of a schema file for it."""

    source: SourceDatabase
    target: Target
    schema: str
    notes: tuple[str, ...]
    """What the reader has to know of how the schema was read."""

    def advise(self, most: int) -> Advice:
        return advise(self.source, self.target, most=most)


def read_database_to_shard(arguments: argparse.Namespace, project: Project) -> DatabaseToShard:
    """By --env or --schema, --database, --statements, --statistics and --shards. Raises InputAtFault (SW5210, SW5220,
    SW5221), and what connecting raises."""
    statements = [one for file in arguments.statements for one in read_statements(file)]
    statistics = None if arguments.statistics is None else _read_statistics(arguments.statistics)
    if arguments.env is not None:
        return _from_server(arguments, project, statements, statistics)
    return _from_file(arguments, statements, statistics or {})


def _read_statistics(file: str) -> Statistics:
    try:
        return read_statistics(Path(file).read_text("utf-8"))
    except OSError as error:
        raise InputAtFault("SW5220", f"cannot read {file}: {error.strerror}") from None
    except (BadStatistics, UnicodeDecodeError) as error:
        raise InputAtFault("SW5220", f"cannot read the statistics in {file}: {error}") from None


# -- from a file -------------------------------------------------------------------------------------------------------


def _from_file(
    arguments: argparse.Namespace, statements: Sequence[WorkloadStatement], statistics: Statistics
) -> DatabaseToShard:
    path = Path(arguments.schema)
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise InputAtFault("SW5220", f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputAtFault("SW5220", f"cannot read {path}: it is no UTF-8") from None
    script = read_script(text, dialect=arguments.dialect)
    if not script.tables:
        raise InputAtFault("SW5221", f"{path} has no CREATE TABLE statement")
    notes = []
    if script.without_collation:
        notes.append(
            f"{script.without_collation} tables name no collation: they have this server's default here, and "
            "`shardwright import` writes what they really have"
        )
    notes += [f"not taken from {path}: {statement}" for statement in script.left_out]
    name = arguments.database or _plain(path.stem) or _DEFAULT_NAME
    schema = SchemaText(name, arguments.dialect, _schema_file(name), script.text)
    source = make_source(schema, statistics=statistics, statements=statements)
    return DatabaseToShard(source, Target.with_numbers(name, arguments.shards or 4), script.text, tuple(notes))


def _schema_file(database: str) -> str:
    return f"schema/{_plain(database) or _DEFAULT_NAME}.sql"


def _plain(name: str) -> str:
    """The name with letters, digits, '_' and '-' alone."""
    return re.sub(r"[^\w-]+", "_", name).strip("_")


# -- from a server -----------------------------------------------------------------------------------------------------


def _from_server(
    arguments: argparse.Namespace,
    project: Project,
    statements: Sequence[WorkloadStatement],
    statistics: Statistics | None,
) -> DatabaseToShard:
    from shardwright.runtime.cli.source_schema import database_schema
    from shardwright.runtime.rehearsal.advice.statistics import measure_tables
    from shardwright.runtime.rehearsal.advice.workload import PLACE, read_digests

    with connect_source(arguments, project) as (connection, dialect, targets):
        database = arguments.database or _only_database(connection)
        text = database_schema(connection, database)
        if not text:
            raise InputAtFault("SW5221", f"database {database} has no table that this account may see")
        notes: list[str] = []
        known = list(statements) or list(read_digests(connection, database))
        schema = SchemaText(database, dialect, _schema_file(database), text)
        source = make_source(schema, statistics=statistics or {}, statements=known)
        if statistics is None:
            columns = columns_to_measure(source, find_references(source))
            source = source.with_statistics(measure_tables(connection, database, columns, note=notes.append))
        if not known:
            brings = "--statements FILE brings a workload"
            if source.has_row_counts:
                brings = f"the rows that user_statistics counts are taken instead; {brings}"
            notes.append(f"{PLACE} shows no statement of {database} to this account: {brings}")
        if getattr(arguments, "log", None):
            source = replace(source, logged=_read_log(arguments, project, connection, source, notes))
    target = targets if arguments.shards is None and targets is not None else None
    return DatabaseToShard(source, target or Target.with_numbers(database, arguments.shards or 4), text, tuple(notes))


def _read_log(
    arguments: argparse.Namespace,
    project: Project,
    connection: Connection[Any],
    source: SourceDatabase,
    notes: list[str],
) -> LoggedWrites | None:
    from shardwright.compiler.advise.log_counter import key_columns
    from shardwright.runtime.cli.connecting import environment_of
    from shardwright.runtime.mysql.endpoint import endpoint_of
    from shardwright.runtime.rehearsal.advice.log import read_log

    endpoint = endpoint_of(environment_of(project, arguments).source, os.environ, dialect="mysql")
    keys = key_columns(source)
    return read_log(
        connection,
        endpoint,
        source.name,
        source.tables,
        keys,
        files=arguments.log,
        within=arguments.seconds,
        note=notes.append,
    )


@contextmanager
def connect_source(
    arguments: argparse.Namespace, project: Project
) -> Iterator[tuple[Connection[Any], str, Target | None]]:
    """A connection to the environment's source, the kind of its server, and the databases of its shards. No statement
    takes longer than --seconds."""
    from shardwright.runtime.cli.connecting import environment_of
    from shardwright.runtime.mysql.dialect import is_of_mariadb
    from shardwright.runtime.mysql.endpoint import endpoint_of
    from shardwright.runtime.mysql.servers import connect, server_version
    from shardwright.runtime.mysql.transactions import query

    environment = environment_of(project, arguments)
    names = tuple(environment.shards)
    connection = connect(endpoint_of(environment.source, os.environ, dialect="mysql"))
    try:
        dialect = "mariadb" if is_of_mariadb(server_version(connection)) else "mysql"
        limit = "max_statement_time = %s" if dialect == "mariadb" else "max_execution_time = %s"
        seconds = arguments.seconds if dialect == "mariadb" else arguments.seconds * 1000
        query(connection, f"SET SESSION {limit}", (seconds,))
        yield connection, dialect, Target(list(names), names) if names else None
    finally:
        connection.close()


def _only_database(connection: Connection[Any]) -> str:
    from shardwright.runtime.mysql.transactions import query

    found = [str(name) for (name,) in query(connection, "SHOW DATABASES")]
    own = [name for name in found if name.lower() not in _SYSTEM and not name.startswith("shardwright")]
    if len(own) == 1:
        return own[0]
    listed = ", ".join(own[:10]) or "none that this account may see"
    raise InputAtFault("SW5221", f"name the database with --database: there are {listed}")


def print_notes(database: DatabaseToShard, *, quiet: bool) -> None:
    for note in () if quiet else database.notes:
        print(f"note: {note}", file=sys.stderr)
