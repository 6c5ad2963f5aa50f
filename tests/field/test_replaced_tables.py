"""A followed table that another one replaces, and a column that gets another name: what leaves no row events is
proved, or stops by name, and what the message advises ends with equal rows (hazard E17).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import SHARDS, SUFFIXES, Case

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

TABLES = "tables:\n  - {table: report, sharding: by_id}"
SETUP = (
    "CREATE TABLE report (id INT PRIMARY KEY, v VARCHAR(20), n INT) DEFAULT CHARSET=utf8mb4",
    "INSERT INTO report VALUES (1, 'old', 1), (2, 'old', 2), (3, 'old', 3)",
    "CREATE TABLE report_shadow LIKE report",
)
OTHER_ROWS = "INSERT INTO report_shadow VALUES (1, 'NEW', 10), (2, 'NEW', 20), (9, 'NEW', 90)"
AFTERWARDS = ("UPDATE report SET n = n + 1 WHERE id = 2", "INSERT INTO report VALUES (10, 'NEW', 100)")


def _place(said: str) -> str:
    found = re.findall(r"--allow (SW8114@\S+:\d+)(?:[\s)]|$)", said)
    assert found, said
    return str(found[-1])


def _skip_and_repair(case: Case, said: str, folder: Path) -> None:
    """What the messages say, word by word."""
    case.run("--allow", _place(said))
    result = folder / "result.json"
    case.verify("--report", f"json={result}", code=1)
    case.call("repair", str(result), "--env", "test", "--delete-extra", "--run")
    case.verify(saying="equal")
    case.require_equal("report")


def _on_targets(case: Case, change: str) -> None:
    for database in SHARDS:
        with case.arena.shard(database) as connection, connection.cursor() as cursor:
            for suffix in SUFFIXES:
                cursor.execute(f"ALTER TABLE report{suffix} {change}")


@pytest.mark.long
def test_e17_a_swap_with_other_rows_stops_under_apply_and_can_be_repaired(arena: Arena, tmp_path: Path) -> None:
    case = Case(arena, tmp_path, TABLES, setup=SETUP, stream="{format: binlog, ddl: apply}", ignored=("report_*",))
    case.plan()
    case.run()
    case.write(OTHER_ROWS, "RENAME TABLE report TO report_old, report_shadow TO report", *AFTERWARDS)
    said = case.run(code=6, saying="SW8552").err
    assert {row[1:] for _, _, row in case.shard_rows("report")} == {("old", 1), ("old", 2), ("old", 3)}
    case.run(code=6, saying="SW8552")
    _skip_and_repair(case, said, tmp_path)


@pytest.mark.long
def test_e17_a_swap_of_two_statements_stops_at_the_second_one(arena: Arena, tmp_path: Path) -> None:
    case = Case(arena, tmp_path, TABLES, setup=SETUP, ignored=("report_*",))
    case.plan()
    case.run()
    case.write(
        OTHER_ROWS, "ALTER TABLE report RENAME TO report_old", "ALTER TABLE report_shadow RENAME TO report", *AFTERWARDS
    )
    first = case.run(code=6, saying="SW8542").err
    second = case.run("--allow", _place(first), code=6, saying="SW8542").err
    assert _place(first) != _place(second)
    _skip_and_repair(case, second, tmp_path)


def test_e17_a_swap_with_the_same_rows_passes_and_a_renamed_column_is_skipped(arena: Arena, tmp_path: Path) -> None:
    case = Case(arena, tmp_path, TABLES, setup=SETUP, stream="{format: binlog, ddl: apply}", ignored=("report_*",))
    case.plan()
    case.run()
    case.write(
        "UPDATE report SET n = 7 WHERE id = 1",
        "INSERT INTO report_shadow SELECT * FROM report",
        "RENAME TABLE report TO report_old, report_shadow TO report",
        "DROP TABLE report_old",  # as pt-online-schema-change does
    )
    case.run(saying="swapped by a RENAME of two tables")
    case.write(*AFTERWARDS, "ALTER TABLE report CHANGE v word VARCHAR(30)", "INSERT INTO report VALUES (11, 'word', 1)")
    said = case.run(code=6, saying="SW8543").err
    _on_targets(case, "CHANGE v word VARCHAR(30)")
    case.run("--allow", _place(said), code=5, saying="SW8548")
    case.plan()
    case.run()
    case.require_equal("report")
    case.verify(saying="equal")


@pytest.mark.long
def test_e17_a_renamed_column_is_skipped_as_the_message_says(arena: Arena, tmp_path: Path) -> None:
    case = Case(arena, tmp_path, TABLES, setup=SETUP, ignored=("report_*",))
    case.plan()
    case.run()
    case.write("ALTER TABLE report RENAME COLUMN v TO word", "INSERT INTO report VALUES (11, 'word', 1)")
    said = case.run(code=6, saying="SW8114").err
    said = case.run("--allow", _place(said), code=5, saying="SW8548").err
    _on_targets(case, "RENAME COLUMN v TO word")
    case.plan()
    case.run()
    case.require_equal("report")
    case.verify(saying="equal")


@pytest.mark.long
def test_e17_a_dropped_table_stops_the_stream_by_name_and_the_others_continue_behind_it(
    arena: Arena, tmp_path: Path
) -> None:
    tables = TABLES + "\n  - {table: note, sharding: by_id}"
    note = ("CREATE TABLE note (id INT PRIMARY KEY) DEFAULT CHARSET=utf8mb4", "INSERT INTO note VALUES (1), (2)")
    case = Case(arena, tmp_path, tables, setup=(*SETUP, *note), ignored=("report_*",))
    case.plan()
    case.run()
    case.write("UPDATE report SET n = 7", "DROP TABLE note", "UPDATE report SET n = 8 WHERE id = 1")
    said = case.run(code=6, saying="SW8542").err
    assert "warning: " in said and "shop.note does not exist any more: the stream stops at the DROP TABLE" in said
    assert {row[2] for _, _, row in case.shard_rows("report")} == {7}, "what came before is applied"
    case.run("--allow", _place(said))
    case.write("CREATE VIEW note AS SELECT id FROM report", "CREATE TABLE newcomer (id INT PRIMARY KEY)")
    case.run(saying="shop.note does not exist any more")
    case.require_equal("report")
    assert len(case.shard_rows("note")) == 2
    case.verify("--table", "report", saying="equal")
    case.write("DROP VIEW note")
    case.verify("--timeout", "3", code=8, saying="shop.note")
