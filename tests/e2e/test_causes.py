"""Each cause that logs show really happens, on real servers, and `verify` names it in every report."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.causes.explain import explain_causes
from shardwright.runtime.cli.connecting import deployment
from shardwright.runtime.cli.legs import read_legs
from shardwright.runtime.mysql.grants import quote_account
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from shardwright.runtime.verify.cause import Cause
from shardwright.runtime.verify.result import Mismatch, MismatchKind, TableResult, VerifyResult
from tests.servers.testbed import Arena, Server
from tests.support.case import Case, place_of
from tests.support.job import ENVIRONMENT
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.server, pytest.mark.spark]

_TABLES = "tables:\n  - {table: item, sharding: by_id}\n  - {table: note, sharding: by_id}"
_COLUMNS = "(id INT PRIMARY KEY, code VARCHAR(20) NOT NULL) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci"
WORDS = {3: "foreign writer", 4: "foreign writer", 5: "lost", 6: "unexplained", 7: "collation or trailing space"}


@pytest.mark.in_turn
def test_h7_causes_that_the_logs_show(arena: Arena, tmp_path: Path) -> None:
    rows = ", ".join(f"({number}, 'c{number}')" for number in range(1, 20))
    case = Case(
        arena,
        tmp_path,
        _TABLES,
        setup=[
            line.format(name)
            for name in ("item", "note")
            for line in ("CREATE TABLE {} " + _COLUMNS, f"INSERT INTO {{}} VALUES {rows}")
        ],
    )
    for number in range(1, 9):
        _have_another_table(case, number)
    case.plan()
    case.run()
    case.write("UPDATE item SET code = 'later' WHERE id IN (5, 8)", "UPDATE note SET code = 'later' WHERE id = 8")
    case.run()
    thread = _on_shard(case, 3, "UPDATE {} SET code = 'theirs' WHERE id = 3")
    _on_shard(case, 4, "DELETE FROM {} WHERE id = 4")
    _on_shard(case, 99, "INSERT INTO {} VALUES (99, 'theirs')")
    _on_shard(case, 7, "UPDATE {} SET code = 'C7 ' WHERE id = 7")
    _on_shard(case, 5, "DELETE FROM {} WHERE id = 5", logged=False)
    _on_shard(case, 6, "UPDATE {} SET code = 'nobody' WHERE id = 6", logged=False)
    blind = case.verify("--causes", "2", code=1).out  # our account may not read the shards' logs
    assert "causes: shards: " in blind and "(2 unexplained; 1 collation" in blind and "lost" not in blind, blind
    _let_read_logs(arena)
    reports = [f"{form}={tmp_path / form}" for form in ("json", "jsonl", "html")]
    said = case.verify(*(word for report in reports for word in ("--report", report)), code=1).out
    found = _by_key(json.loads((tmp_path / "json").read_text("utf-8")))
    expected = {3: "foreign_writer", 4: "foreign_writer", 5: "lost", 6: "unexplained", 7: "collation"}
    assert {key: one["cause"] for key, one in found.items()} == {**expected, 99: "foreign_writer"}, said
    _require_writer(arena, found[3]["writer"], thread)
    assert (found[4]["writer"]["operation"], found[99]["writer"]["operation"]) == ("delete", "insert")
    assert found[7]["writer"] and not found[5]["writer"] and not found[6]["writer"]
    page = (tmp_path / "html").read_text("utf-8")
    for word in {*WORDS.values(), "last foreign writer: update at "}:
        assert word in said and word in page, word
    assert '"cause": "collation"' in (tmp_path / "jsonl").read_text("utf-8")
    advice = case.call("repair", str(tmp_path / "json"), "--env", ENVIRONMENT, "--dry-run", code=1).err
    assert "3 rows, foreign writer: the repair overwrites" in advice and "1 row, lost: " in advice
    _require_late_and_bounded(case)


def _require_late_and_bounded(case: Case) -> None:
    """A change that the stream has not read; and logs of which too little is read."""
    case.write("UPDATE item SET code = 'coming' WHERE id = 3", "DELETE FROM item WHERE id = 10")
    wrong = [Mismatch(MismatchKind.DIFFERENT, "item", (str(key),), ()) for key in (3, 5, 10)]
    table = TableResult("item", 19, (), 1, 1, tuple(wrong), (), None, 0.1)
    result = VerifyResult("field", "", (table, replace(table, table="note", mismatches=())), 0.1)
    asked = argparse.Namespace(project=str(case.project), migration=None, env=ENVIRONMENT)
    legs = tuple(read_legs(deployment(asked)))
    explained = explain_causes(result, legs, at_most=20)
    assert [one.cause for one in explained.tables[0].mismatches] == [Cause.LATE, Cause.LOST, Cause.LATE]
    assert explained.logs_not_read == ()
    for server in set(case.arena.placement.values()):
        server.query("FLUSH BINARY LOGS")
        wait_until("the older files are purged", partial(_purge, server))
    purged = explain_causes(result, legs, at_most=20)
    assert [one.cause for one in purged.tables[0].mismatches] == [Cause.LATE, Cause.UNEXPLAINED, Cause.LATE]
    bounded = explain_causes(result, legs, at_most=20, log_bytes=10)
    assert {one.cause for one in bounded.tables[0].mismatches} == {Cause.UNEXPLAINED}
    assert all("of a log of more than 10 bytes" in part for part in bounded.logs_not_read) and bounded.logs_not_read


def _purge(server: Server) -> bool:
    """MariaDB keeps a file for a moment after the next one has begun."""
    files = [str(row[0]) for row in server.query("SHOW BINARY LOGS")]
    server.query(f"PURGE BINARY LOGS TO '{files[-1]}'")
    return len(files) == 1


def _let_read_logs(arena: Arena) -> None:
    for server in set(arena.placement.values()):
        account = quote_account(f"{RUNTIME_USER}@{server.sandbox.account_host}")
        server.query(f"GRANT REPLICATION CLIENT, REPLICATION SLAVE ON *.* TO {account}")


def _on_shard(case: Case, id_: int, statement: str, *, logged: bool = True) -> int:
    """What somebody else does there; the number of the connection."""
    database, suffix = place_of(id_)
    with case.arena.shard(database) as connection, connection.cursor() as cursor:
        cursor.execute(f"SET SESSION sql_log_bin = {int(logged)}")
        assert cursor.execute(statement.format(f"item{suffix}")) == 1
        connection.commit()
        return int(connection.thread_id())


def _have_another_table(case: Case, id_: int) -> None:
    """The log has a table of the same name and of other columns, whose rows are none of the migration's."""
    database, suffix = place_of(id_)
    with case.arena.shard(database) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE item{suffix} (id INT PRIMARY KEY, code VARCHAR(9), since DATE)")
        cursor.execute(f"INSERT INTO item{suffix} VALUES ({id_}, 'other', '2026-01-01')")
        cursor.execute(f"DROP TABLE item{suffix}")


def _by_key(report: Mapping[str, Any]) -> dict[int, Any]:
    return {int(one["key"][0]): one for table in report["tables"] for one in table["mismatches"]}


def _require_writer(arena: Arena, writer: Mapping[str, Any], thread: int) -> None:
    database, suffix = place_of(3)
    server = arena.placement[database]
    assert (writer["operation"], writer["table"]) == ("update", f"{database}.item{suffix}")
    assert writer["server_id"] == server.query("SELECT @@server_id")[0][0]
    # MariaDB's log of rows does not have the connection.
    assert writer["thread"] == (None if server.sandbox.kind == "mariadb" else thread)
    assert writer["committed_at"] and writer["gtid"]
