"""Random statements of both servers' grammars against a run that follows: after each one the shards are as the
source, or the run has stopped and says why. SHARDWRIGHT_ROUNDS statements (`make nightly`: 500); the seed is printed,
the statements since the start are told.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pymysql
import pytest

from tests.field.random_statements import draw
from tests.servers import forks
from tests.servers.testbed import Arena
from tests.support.case import SOURCE, UNLIMITED, Case
from tests.support.job import kill_tree
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.long]

ROUNDS = int(os.environ.get("SHARDWRIGHT_ROUNDS", "40"))
_FOLLOWED = ("item", "pair")
TABLES = "tables:\n" + "\n".join(f"  - {{table: {name}, sharding: by_id}}" for name in (*_FOLLOWED, "mark"))
_IGNORED = ("side", "shadow")
_UNLIMITED = f"{UNLIMITED}, sql_mode = DEFAULT"
_COLUMNS = "(id INT PRIMARY KEY, code VARCHAR(40) NULL, v INT NULL) DEFAULT CHARSET=utf8mb4"


def test_e14_f3_whatever_is_done_at_the_source_the_shards_are_equal_or_the_run_stops_by_name(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    case = Case(arena, tmp_path, TABLES, setup=_fresh(), ignored=_IGNORED)
    globals_then = _globals(case)
    done, stops = 0, Counter[str]()
    while done < ROUNDS:
        reported: list[tuple[str, ...]] = [(policy := dice.choice(("stop", "apply")),)]
        _plan(case, ddl=policy)
        with _follow(case) as process:
            _wait(case, process, mark=0, reported=reported)
            while process.poll() is None and done < ROUNDS:
                done += 1
                reported.append(draw(dice, done))
                _say(case, reported)
                _mark(case, done)
                _wait(case, process, mark=done, reported=reported)
        if process.returncode != -9:
            stops[_require_named_stop(case, process, reported)] += 1
        _put_back(case, globals_then)
        _start_over(case)
    print(f"{done} rounds, stopped: {dict(stops)}")


def _plan(case: Case, *, ddl: str) -> None:
    """What the run does with DDL of the log is the spec's to say."""
    spec = re.sub(
        r"stream: \{.*?\}", f"stream: {{format: binlog, ddl: {ddl}}}", case.spec_file.read_text(encoding="utf-8")
    )
    case.spec_file.write_text(spec, encoding="utf-8")
    case.plan()


def _fresh() -> Iterator[str]:
    for name in (*_FOLLOWED, *_IGNORED, "mark"):
        yield f"CREATE TABLE {name} {_COLUMNS}"
    values = ", ".join(f"({number}, 'c{number}', {number % 10})" for number in range(1, 120))
    for name in (*_FOLLOWED, *_IGNORED):
        yield f"INSERT INTO {name} VALUES {values}"
    yield "UPDATE shadow SET v = 77"
    yield "INSERT INTO mark VALUES (0, NULL, 0)"


def _say(case: Case, reported: list[tuple[str, ...]]) -> None:
    """One session. A statement that the server refuses ends it; what it did before stands."""
    try:
        with case.source.connect(SOURCE) as connection, connection.cursor() as cursor:
            for statement in reported[-1]:
                cursor.execute(statement)
            connection.commit()
    except pymysql.err.MySQLError as error:
        reported[-1] = (*reported[-1], f"-- {error}")


def _mark(case: Case, number: int) -> None:
    try:
        with case.source.connect() as connection, connection.cursor() as cursor:
            cursor.execute("SET SESSION binlog_format = ROW, binlog_row_image = FULL, autocommit = 1")
            for read_only in ("transaction_read_only", "tx_read_only"):
                try:
                    cursor.execute(f"SET SESSION {read_only} = 0")
                except pymysql.err.MySQLError:
                    continue
            cursor.execute(f"INSERT INTO {SOURCE}.mark VALUES (%s, NULL, 0)", (number,))
            connection.commit()
    except pymysql.err.MySQLError as error:
        assert error.args[0] in (1049, 1146), error  # the database was dropped


def _wait(case: Case, process: subprocess.Popen[bytes], *, mark: int, reported: list[tuple[str, ...]]) -> None:
    """Until the run has ended, or has brought the mark and everything before it."""
    end, arrived = time.monotonic() + PATIENCE, None
    while process.poll() is None:
        if arrived is None and _rows_on_shards(case, "mark").get(repr((mark, None, 0))):
            arrived = time.monotonic()
        differing = [name for name in _FOLLOWED if _rows_at_source(case, name) != _rows_on_shards(case, name)]
        if arrived and not differing:
            return
        patient = arrived is None or time.monotonic() < arrived + 20
        assert patient and time.monotonic() < end, f"{differing} differ, and the run says nothing. {_history(reported)}"
        time.sleep(0.1)


def _rows_at_source(case: Case, table: str) -> Counter[str] | None:
    """None where the table no longer has what the plan reads: the run has to stop."""
    try:
        with case.source.connect(SOURCE) as connection, connection.cursor() as cursor:
            cursor.execute(_UNLIMITED)
            cursor.execute("SET NAMES utf8mb4")
            cursor.execute(f"SELECT id, code, v FROM {table}")
            return Counter(map(repr, cursor.fetchall()))
    except pymysql.err.MySQLError:
        return None


def _rows_on_shards(case: Case, table: str) -> Counter[str]:
    try:
        return Counter(repr(row) for _, _, row in case.shard_rows(table, "id, code, v"))
    except pymysql.err.MySQLError:
        return Counter({"not there yet": 1})


@contextmanager
def _follow(case: Case) -> Iterator[subprocess.Popen[bytes]]:
    with (case.project.parent / "run.log").open("wb") as log:
        process = forks.start(case.project, "run", "--env", "test", "--until", "forever", out=log)
    try:
        yield process
    finally:
        kill_tree(process)
        process.wait()


def _require_named_stop(case: Case, process: subprocess.Popen[bytes], reported: list[tuple[str, ...]]) -> str:
    said = (case.project.parent / "run.log").read_text(encoding="utf-8")
    found = re.findall(r"error (SW\d{4}): ", said)
    assert process.returncode in (5, 6) and found and "SW9000" not in found and "Traceback" not in said, (
        f"it ended with {process.returncode}:\n{said}\n{_history(reported)}"
    )
    print(found[-1], "after", reported[-1])
    return str(found[-1])


def _history(reported: list[tuple[str, ...]]) -> str:
    return "Since the start:\n" + "\n".join("; ".join(statements) for statements in reported)


def _globals(case: Case) -> dict[str, str]:
    with case.source.connect() as connection, connection.cursor() as cursor:
        cursor.execute(_UNLIMITED)
        cursor.execute("SHOW GLOBAL VARIABLES")
        return {str(name): str(value) for name, value in cursor.fetchall()}


def _put_back(case: Case, then: dict[str, str]) -> None:
    with case.source.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION autocommit = 1")
        for name, value in _globals(case).items():
            if then.get(name) not in (None, value):
                try:
                    cursor.execute(
                        f"SET GLOBAL {name} = %s", (int(then[name]) if then[name].isdigit() else then[name],)
                    )
                except pymysql.err.MySQLError:
                    continue  # one that counts, or that only the server sets


def _start_over(case: Case) -> None:
    with case.source.connect() as connection, connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {SOURCE}")
        cursor.execute(f"CREATE DATABASE {SOURCE} DEFAULT CHARACTER SET utf8mb4")
    case.drop_targets()
    case.write(*_fresh())
