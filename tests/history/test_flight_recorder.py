"""The flight recorder keeps what batches decided about a key, and `explain-row` says it when the source's log is gone."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.servers.testbed import Arena, Server
from tests.support.case import SHARDS, Case, place_of
from tests.support.job import ENVIRONMENT
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.server, pytest.mark.spark]

KEPT = 3
SPEC = f"flight_recorder: {{rows: {KEPT}}}\ntables:\n  - {{table: item, sharding: by_id, version_column: v}}"
SETUP = (
    "CREATE TABLE item (id INT PRIMARY KEY, code VARCHAR(20), v INT NOT NULL)",
    "INSERT INTO item VALUES (1, '', 1), (2, '', 1), (3, '', 1), (4, '', 1)",
)


@pytest.mark.in_turn
def test_a3_decisions_outlast_the_log_and_a_kill(arena: Arena, tmp_path: Path) -> None:
    case = Case(arena, tmp_path, SPEC, setup=SETUP)
    case.plan()
    case.run()
    case.write("UPDATE item SET code = 'a', v = 2 WHERE id = 1")
    case.run()
    case.write("UPDATE item SET code = 'b', v = 3 WHERE id = 1", "INSERT INTO item VALUES (7, '', 1)")
    case.kill_at("before-mark-staged")
    case.run()
    for version in (4, 5):
        case.write(f"UPDATE item SET code = 'c', v = {version} WHERE id = 1")
        case.run()
    case.write("DELETE FROM item WHERE id = 2", "UPDATE item SET id = 30 WHERE id = 3")
    _on_shard(case, 4, "UPDATE {} SET v = 100 WHERE id = 4")
    case.write("UPDATE item SET code = 'late', v = 2 WHERE id = 4")
    case.run()

    known = _explain(case, 1)
    assert [one["decision"]["basis"] for one in known["changes"]][-KEPT:] == ["recorded"] * KEPT
    batches = [one["batch"] for one in known["changes"]][-KEPT:]
    assert batches == sorted(set(batches)) and not known["recorded"]

    _lose_log(case.source)
    after = _explain(case, 1)
    assert [one["batch"] for one in after["recorded"]] == batches and not after["changes"]
    assert {(one["decision"], one["why"], one["place"]) for one in after["recorded"]} == {
        ("update", "the row is there", "{}.item{}".format(*place_of(1)))
    }
    assert _decisions(case, 2) == [("delete", "the row is there")]
    assert _decisions(case, 3) == [("delete", "the row is there")]
    assert _decisions(case, 30) == [("insert", "a new row")]
    assert _decisions(case, 7) == [("insert", "a new row")]
    assert _decisions(case, 4) == [("skip", "newer on the target")]
    assert _decisions(case, 5) == []
    said = case.call("explain-row", "--env", ENVIRONMENT, "--table", "item", "--key", "id=4").out
    assert "recorded: skip in {}.item{}: newer on the target, batch".format(*place_of(4)) in said
    _require_bounded(case)


def test_nothing_is_kept_without_a_flight_recorder(arena: Arena, tmp_path: Path) -> None:
    case = Case(arena, tmp_path, SPEC.partition("\n")[2], setup=SETUP)
    case.plan()
    case.run()
    case.write("UPDATE item SET code = 'a', v = 2 WHERE id = 1")
    case.run()
    assert _decisions(case, 1) == []
    # It may be turned on, and its number changed, while the migration runs.
    case.spec_file.write_text(f"flight_recorder: {{rows: 1}}\n{case.spec_file.read_text('utf-8')}", "utf-8")
    case.call("compile")
    for version in (3, 4):
        case.write(f"UPDATE item SET v = {version} WHERE id = 1")
        case.run()
    _lose_log(case.source)
    assert _decisions(case, 1) == [("update", "the row is there")]


def _explain(case: Case, id_: int) -> dict[str, Any]:
    out = case.call("explain-row", "--env", ENVIRONMENT, "--table", "item", "--key", f"id={id_}", "--format", "json")
    found: dict[str, Any] = json.loads(out.out)
    return found


def _decisions(case: Case, id_: int) -> list[tuple[str, str]]:
    return [(one["decision"], one["why"]) for one in _explain(case, id_)["recorded"]]


def _require_bounded(case: Case) -> None:
    for database in SHARDS:
        kept = case.arena.placement[database].query(
            "SELECT COUNT(*) FROM _shardwright_decision GROUP BY key_digest ORDER BY 1 DESC", database=database
        )
        assert kept and all(number <= KEPT for (number,) in kept)


def _on_shard(case: Case, id_: int, statement: str) -> None:
    database, suffix = place_of(id_)
    case.arena.placement[database].query(statement.format(f"item{suffix}"), database=database)


def _lose_log(source: Server) -> None:
    source.query("FLUSH BINARY LOGS")
    wait_until("the older files are purged", partial(_purge, source))


def _purge(server: Server) -> bool:
    files = [str(row[0]) for row in server.query("SHOW BINARY LOGS")]
    server.query(f"PURGE BINARY LOGS TO '{files[-1]}'")
    return len(files) == 1
