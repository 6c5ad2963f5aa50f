"""A partitioned source, with targets that are not partitioned and with targets that are partitioned alike: what the
source does to its partitions while an application writes, and how retention jobs go on (hazards E17, E19).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import SHARDS, SUFFIXES, Case
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

COLUMNS = "(id INT NOT NULL, day DATE NOT NULL, v INT NOT NULL, PRIMARY KEY (id, day)) DEFAULT CHARSET=utf8mb4"
RANGES = """
PARTITION BY RANGE (TO_DAYS(day)) (
  PARTITION p1 VALUES LESS THAN (TO_DAYS('2026-02-01')), PARTITION p2 VALUES LESS THAN (TO_DAYS('2026-03-01')))
"""
BY_DAY = "PARTITION BY RANGE COLUMNS (day) (PARTITION p1 VALUES LESS THAN ('2026-02-01'), PARTITION rest VALUES LESS THAN (MAXVALUE))"
SETUP = (
    f"CREATE TABLE dropped {COLUMNS} {RANGES}",
    f"CREATE TABLE kept {COLUMNS} {RANGES}",
    f"CREATE TABLE renamed {COLUMNS} {BY_DAY}",
    *(f"INSERT INTO {t} VALUES (1, '2026-01-05', 1), (2, '2026-02-05', 2)" for t in ("dropped", "kept", "renamed")),
)
TABLES = """
tables:
  - {table: dropped, sharding: by_id}
  - {table: kept, sharding: by_id, partitions: keep}
  - {table: renamed, sharding: by_id, partitions: keep, columns: {rename: {day: made_on}}}
"""
NEXT_MONTH = "ADD PARTITION (PARTITION p3 VALUES LESS THAN (TO_DAYS('2026-04-01')))"
IN_WEEKS = (
    "REORGANIZE PARTITION p3 INTO (PARTITION p3a VALUES LESS THAN (TO_DAYS('2026-03-15')), "
    "PARTITION p3 VALUES LESS THAN (TO_DAYS('2026-04-01')))"
)
SPLIT = "REORGANIZE PARTITION rest INTO (PARTITION p2 VALUES LESS THAN ('2026-03-01'), PARTITION rest VALUES LESS THAN (MAXVALUE))"


def partitions(case: Case, table: str) -> set[tuple[str, ...]]:
    """The partitions of each physical table: one element where all have the same."""
    found = set()
    for database in SHARDS:
        for suffix in SUFFIXES:
            with case.arena.shard(database) as connection, connection.cursor() as cursor:
                cursor.execute(
                    "SELECT partition_name FROM information_schema.partitions WHERE table_schema = DATABASE() "
                    "AND table_name = %s AND partition_name IS NOT NULL ORDER BY partition_ordinal_position",
                    (f"{table}{suffix}",),
                )
                found.add(tuple(str(name) for (name,) in cursor.fetchall()))
    return found


def on_targets(case: Case, table: str, change: str) -> None:
    for database in SHARDS:
        with case.arena.shard(database) as connection, connection.cursor() as cursor:
            for suffix in SUFFIXES:
                cursor.execute(f"ALTER TABLE {table}{suffix} {change}")


def _command(said: str) -> str:
    """What the message says to give to `--allow`."""
    found = re.findall(r"run --allow (\S+)$", said, re.MULTILINE)
    assert found, said
    return str(found[-1])


def require_equal(case: Case) -> None:
    for table in ("dropped", "kept"):
        case.require_equal(table)
    rows = case.source.query("SELECT id, day, v FROM renamed", database="shop")
    assert sorted(row for _, _, row in case.shard_rows("renamed", "id, made_on, v")) == sorted(rows)


@pytest.mark.long
def test_e17_partitions_that_come_are_skipped_or_kept_alike_and_one_that_goes_stops(
    arena: Arena, tmp_path: Path
) -> None:
    case = Case(arena, tmp_path, TABLES, setup=SETUP, stream="{format: binlog, ddl: apply}")
    case.plan()
    with case.call_in_background("run", "--env", ENVIRONMENT, "--until", "forever", saying="snapshot complete"):
        case.wait_until_caught_up()
        assert partitions(case, "dropped") == {()}
        assert partitions(case, "kept") == {("p1", "p2")}
        for number, change in enumerate((NEXT_MONTH, IN_WEEKS), start=1):
            for table in ("dropped", "kept"):
                case.write(
                    f"INSERT INTO {table} VALUES ({10 * number}, '2026-01-31', 0)",
                    f"ALTER TABLE {table} {change}",
                    f"INSERT INTO {table} VALUES ({10 * number + 1}, '2026-03-2{number}', 0)",
                    f"UPDATE {table} SET v = v + 1",
                )
        case.write(f"ALTER TABLE renamed {SPLIT}", "UPDATE renamed SET v = 5 WHERE id = 2")
        for upkeep in ("ANALYZE PARTITION p1", "REBUILD PARTITION p1", "OPTIMIZE PARTITION p2"):
            case.write(f"ALTER TABLE kept {upkeep}", "UPDATE kept SET v = v + 1 WHERE id = 1")
        case.wait_until_caught_up()
    assert partitions(case, "dropped") == {()}
    assert partitions(case, "kept") == {("p1", "p2", "p3a", "p3")}
    assert partitions(case, "renamed") == {("p1", "p2", "rest")}
    require_equal(case)
    case.verify(saying="equal")
    case.call("ddl", "status", "--env", ENVIRONMENT)
    case.plan()  # the schema file has the new partitions: the plan stays the same one
    case.run()

    case.write("ALTER TABLE dropped DROP PARTITION p1", "UPDATE dropped SET v = 9")
    said = case.run(code=6, saying="dropped gets or loses the rows of a partition").err
    case.run("--allow", _command(said))
    result = tmp_path / "result.json"
    case.verify("--report", f"json={result}", code=1, saying="extra")
    case.call("repair", str(result), "--env", ENVIRONMENT, "--delete-extra", "--run")
    case.verify(saying="equal")
    require_equal(case)


@pytest.mark.long
def test_a_row_for_which_the_targets_have_no_partition_stops_by_name(arena: Arena, tmp_path: Path) -> None:
    """The schema file is older than the source's newest partition, in the copy and then in the stream."""
    tables = "tables:\n  - {table: kept, sharding: by_id, partitions: keep}"
    case = Case(arena, tmp_path, tables, setup=[line for line in SETUP if "kept" in line])
    case.plan()
    case.write(f"ALTER TABLE kept {NEXT_MONTH}", "INSERT INTO kept VALUES (7, '2026-03-05', 7)")
    case.run(code=6, saying="has no partition for value")
    on_targets(case, "kept", NEXT_MONTH)
    case.run()
    case.require_equal("kept")
    april = "ADD PARTITION (PARTITION p4 VALUES LESS THAN (TO_DAYS('2026-05-01')))"
    case.write(f"ALTER TABLE kept {april}", "INSERT INTO kept VALUES (8, '2026-04-05', 8)")
    case.run("--allow", _command(case.run(code=6, saying="SW8114").err), code=6, saying="has no partition for value")
    on_targets(case, "kept", april)
    case.run()
    case.require_equal("kept")


@pytest.mark.long
def test_e17_a_kill_between_a_partition_and_its_record_is_repaired(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case(arena, tmp_path, TABLES, setup=SETUP, stream="{format: binlog, ddl: apply}")
    case.plan()
    case.run()
    case.write(f"ALTER TABLE kept {NEXT_MONTH}", "INSERT INTO kept VALUES (3, '2026-03-05', 3)")
    with case.arena.shard(SHARDS[0]) as connection, connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE kept{SUFFIXES[0]} {NEXT_MONTH}")  # an operator was there before
    monkeypatch.setenv("SHARDWRIGHT_FAILPOINTS", "after-stream-ddl-routed=error")
    case.run(code=5)
    monkeypatch.delenv("SHARDWRIGHT_FAILPOINTS")
    for database in SHARDS:
        with case.arena.shard(database) as connection, connection.cursor() as cursor:
            sql = "UPDATE _shardwright_ddl SET state = 'started' WHERE file LIKE 'stream %'"
            assert cursor.execute(sql) == len(SUFFIXES)
    case.run()
    assert partitions(case, "kept") == {("p1", "p2", "p3")}
    require_equal(case)
    case.write("ALTER TABLE kept REMOVE PARTITIONING", "INSERT INTO kept VALUES (4, '2026-02-07', 4)")
    said = case.run(code=6, saying="SW8553").err
    on_targets(case, "kept", "REMOVE PARTITIONING")
    case.run("--allow", _command(said))
    case.verify(saying="equal")


@pytest.mark.in_turn
def test_e17_a_retention_job_is_skipped_for_good_and_its_rows_are_removed_when_it_suits(
    arena: Arena, tmp_path: Path
) -> None:
    tables = "tables:\n  - {table: dropped, sharding: by_id}\n  - {table: kept, sharding: by_id, partitions: keep}"
    ignored = '["ALTER TABLE dropped DROP PARTITION *", "TRUNCATE TABLE kept"]'
    case = Case(
        arena,
        tmp_path,
        tables,
        setup=[line for line in SETUP if "renamed" not in line],
        stream=f"{{format: binlog, ignore_ddl: {ignored}}}",
    )
    case.plan()
    case.run()
    case.write(
        f"ALTER TABLE dropped {NEXT_MONTH}",
        "ALTER TABLE dropped DROP PARTITION p1",
        "TRUNCATE TABLE kept",
        "INSERT INTO kept VALUES (7, '2026-02-08', 7)",
        "INSERT INTO dropped VALUES (8, '2026-03-08', 8)",
    )
    case.run(saying="passed over")
    assert {row[0] for _, _, row in case.shard_rows("dropped")} == {1, 2, 8}
    result = tmp_path / "result.json"
    case.verify("--report", f"json={result}", code=1, saying="extra")
    case.call("repair", str(result), "--env", ENVIRONMENT, "--delete-extra", "--run")
    case.verify(saying="equal")
    case.require_equal("dropped")
    case.require_equal("kept")
    case.write(f"ALTER TABLE kept {NEXT_MONTH}")
    case.run(code=6, saying="SW8114")
