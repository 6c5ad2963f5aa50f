"""`route`: in which database and table is the row of a key? Python answers; Spark and a server on request, and all must
agree.

Runs in the process of the command; `--in spark` starts a local Spark, `--in mysql` asks the first shard's server.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack

from shardwright.compiler.expressions.expression import NoMysqlForm
from shardwright.compiler.project.project import Project, find_project
from shardwright.compiler.sharding.function import ShardFunction, route
from shardwright.runtime.cli.named_keys import find_subject, keys_of_file
from shardwright.runtime.failures import InputAtFault, RuntimeFailure
from shardwright.runtime.rehearsal.route.bind import as_data, bind_sql, in_words
from shardwright.runtime.rehearsal.route.subject import Key, Subject, bucket_of, key_of, parse_pairs

Ask = Callable[[Key], tuple[int, int]]


def execute(arguments: argparse.Namespace) -> int:
    project = find_project(arguments.project)
    about = find_subject(project, arguments.table, arguments.migration)
    function = about.function
    if function is None:
        print(_without_function(about, arguments))
        return 0
    with ExitStack() as stack:
        engines = {
            name: _engine(name, about, function, project, arguments, stack) for name in sorted(set(arguments.engines))
        }
        for key in _keys(about, arguments):
            place = route(function, key)
            _expect_agreement(about, key, place, {name: ask(key) for name, ask in engines.items()})
            print(_answer_text(about, function, key, place, list(engines), arguments))
    return 0


def _without_function(about: Subject, arguments: argparse.Namespace) -> str:
    parent = about.table.placement.parent
    if parent is not None and (arguments.key or arguments.keys):
        message = f"'{about.table.logical}' is a co-located child table: ask for the place of its '{parent.parent}'"
        raise InputAtFault("SW5031", message)
    if arguments.format == "json":
        return json.dumps(as_data(about), ensure_ascii=False)
    return f"-- {in_words(about)}" if arguments.format == "sql" else in_words(about)


def _keys(about: Subject, arguments: argparse.Namespace) -> Iterator[Key]:
    if arguments.keys is None:
        yield key_of(about, parse_pairs(arguments.key))
        return
    if arguments.key:
        raise InputAtFault("SW5031", "--key and --keys: give one of them")
    yield from keys_of_file(about, arguments.keys)


def _engine(
    name: str,
    about: Subject,
    function: ShardFunction,
    project: Project,
    arguments: argparse.Namespace,
    stack: ExitStack,
) -> Ask:
    if name == "python":
        return lambda key: route(function, key)
    if name == "spark":
        from shardwright.runtime.spark.session import start_spark
        from shardwright.specs.environment.environment import SparkSettings

        spark = start_spark(SparkSettings(master="local[1]"), name="shardwright route")
        stack.callback(spark.stop)

        def in_spark(key: Key) -> tuple[int, int]:
            row = spark.sql(bind_sql(function, key, about.types, dialect="spark")).collect()[0]
            return int(row[0]), int(row[1])

        return in_spark
    return _on_server(about, function, project, arguments, stack)


def _on_server(
    about: Subject, function: ShardFunction, project: Project, arguments: argparse.Namespace, stack: ExitStack
) -> Ask:
    import pymysql

    from shardwright.runtime.cli.connecting import environment_of
    from shardwright.runtime.mysql.md5_component import error_text
    from shardwright.runtime.mysql.servers import servers_of

    if arguments.env is None:
        raise InputAtFault("SW5031", "--in mysql needs --env: a server to ask")
    if reason := function.no_mysql():
        raise InputAtFault("SW5031", f"--in mysql: MySQL cannot compute {reason}")
    environment = environment_of(project, arguments, databases=about.plan.databases)
    connection = servers_of(environment, about.plan, os.environ).connect_shard(0)
    stack.callback(connection.close)

    def on_server(key: Key) -> tuple[int, int]:
        statement = bind_sql(function, key, about.types, dialect="mysql")
        try:
            with connection.cursor() as cursor:
                cursor.execute(statement)
                [(database, table)] = cursor.fetchall()
        except pymysql.err.MySQLError as error:
            where = f"the server of {about.plan.databases[0]}"
            raise RuntimeFailure("SW5032", f"{where} does not say the place: {error_text(error, statement)}") from error
        return int(database), int(table)

    return on_server


def _expect_agreement(about: Subject, key: Key, place: tuple[int, int], answers: Mapping[str, tuple[int, int]]) -> None:
    wrong = {name: answer for name, answer in answers.items() if answer != place}
    if wrong:
        others = ", ".join(f"{name} says {_indexes(answer)}" for name, answer in wrong.items())
        message = f"{_key_text(key)} of '{about.table.logical}': python says {_indexes(place)}, {others}"
        raise RuntimeFailure("SW5030", message)


def _indexes(place: tuple[int, int]) -> str:
    return f"database {place[0]} and table {place[1]}"


def _answer_text(
    about: Subject,
    function: ShardFunction,
    key: Key,
    place: tuple[int, int],
    engines: Sequence[str],
    arguments: argparse.Namespace,
) -> str:
    spark = bind_sql(function, key, about.types, dialect="spark") if arguments.format != "text" else ""
    try:
        mysql = bind_sql(function, key, about.types, dialect="mysql") if arguments.format != "text" else ""
    except NoMysqlForm as reason:
        mysql = f"-- MySQL cannot compute {reason}"
    bucket = bucket_of(about.bucket, key) if about.bucket is not None else None
    if arguments.format == "sql":
        return f"-- {_key_text(key)}: {about.place(*place)}\n-- Spark\n{spark};\n-- MySQL\n{mysql};"
    if arguments.format == "json":
        shown = {name: value.hex() if isinstance(value, bytes) else value for name, value in key.items()}
        answer = {"table": about.table.logical, "key": shown, "place": about.place(*place), "database": place[0],
                  "part": place[1], "bucket": bucket, "asked": ["python", *(e for e in engines if e != "python")],
                  "spark_sql": spark, "mysql_sql": mysql}  # fmt: skip
        return json.dumps(answer, ensure_ascii=False)
    asked = " ".join(["python", *(engine for engine in engines if engine != "python")])
    within = "" if bucket is None else f"  bucket {bucket}"
    return f"{_key_text(key)}  {about.place(*place)}{within}  ({asked})"


def _key_text(key: Key) -> str:
    return ", ".join(f"{name}={v.hex() if isinstance(v, bytes) else v}" for name, v in key.items())
