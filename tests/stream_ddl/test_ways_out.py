"""What the messages about DDL in the stream tell an operator to do, done to the letter: it ends equal (hazards E14,
E15, E17).
"""

from __future__ import annotations

import re
from pathlib import Path

import pymysql
import pytest

from tests.servers.testbed import Arena
from tests.stream_ddl.conftest import DdlLab, MakeLab
from tests.support.case import SHARDS, SUFFIXES, Case
from tests.support.dead_letters import on_every_parent
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

SHADOW = (
    "CREATE TABLE shadow LIKE parent",
    "INSERT INTO shadow VALUES (1, 0, 'n1', 'NEW'), (2, 2, 'n2', ''), (9, 3, 'n9', 'NEW'), (4, 3, 'n4', '')",
)
"""Of 1..4: one is other, one moved, one is gone, one came, one is the same."""


def skip_place(made: DdlLab, *, code: str, ends: int = 0, saying: str = "") -> str:
    """A run that stops with `code`, and the command that it prints last, copied as it stands. Returns the first run's
    words."""
    said = made.run(code=6, saying=code)
    assert "ddl: apply" not in said, said
    commands = re.findall(r"shardwright run --allow (\S+)$", said, re.MULTILINE)
    assert commands, said
    made.run(code=ends, saying=saying, allow=commands[-1])
    return said


def repair(made: DdlLab) -> None:
    job, result = made.lab.job, made.project / "RESULT"
    job.call("verify", "--env", ENVIRONMENT, "--report", f"json={result}", expect=1)
    job.call("repair", str(result), "--delete-extra", "--run", "--env", ENVIRONMENT)
    made.lab.require_equal()


@pytest.mark.long
def test_e17_a_table_that_was_replaced_by_another_one_stops_under_apply_and_repair_brings_the_rows(
    make_lab: MakeLab,
) -> None:
    made = make_lab("{format: binlog, ddl: apply}")
    lab = made.lab
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    made.run()
    lab.write_all((*SHADOW, "RENAME TABLE parent TO older, shadow TO parent"))
    said = skip_place(made, code="SW8552")
    assert "4 rows went away as lab.older, 4 came, 1 of them are the same" in said
    lab.write("UPDATE parent SET note = 'later' WHERE id = 9")
    made.run()
    repair(made)
    lab.write("CREATE TABLE _parent_gho LIKE parent", "ALTER TABLE _parent_gho ADD COLUMN x int NOT NULL DEFAULT 5")
    lab.write("INSERT INTO _parent_gho (id, place, name, note) SELECT * FROM parent")
    lab.write("RENAME TABLE parent TO _parent_del, _parent_gho TO parent")
    assert "swapped by gh-ost" in made.run(code=5, saying="SW8548")
    made.in_schema(
        "DEFAULT '',\n  PRIMARY KEY (`id`),", "DEFAULT '',\n  `x` int NOT NULL DEFAULT 5,\n  PRIMARY KEY (`id`),"
    )
    made.run()
    lab.require_equal()


@pytest.mark.long
def test_e17_the_same_in_two_statements_stops_at_both_under_stop(make_lab: MakeLab) -> None:
    made = make_lab("{format: binlog}")
    lab = made.lab
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    made.run()
    lab.write_all((*SHADOW, "ALTER TABLE parent RENAME TO older", "ALTER TABLE shadow RENAME TO parent"))
    lab.write("UPDATE parent SET note = 'later' WHERE id = 9", "TRUNCATE TABLE child")
    places = set()
    for ends in (6, 6, 0):
        said = made.run(code=6, saying="SW8542")
        places.add(made.place(said))
        made.run(code=ends, allow=f"SW8114@{made.place(said)}")
    assert len(places) == 3
    repair(made)


@pytest.mark.long
def test_e15_a_renamed_column_and_one_that_no_one_can_read_continue_with_a_newer_plan(make_lab: MakeLab) -> None:
    made = make_lab("{format: binlog}")
    lab = made.lab
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    made.run()

    lab.write("ALTER TABLE parent RENAME COLUMN note TO remark", "UPDATE parent SET remark = 'later' WHERE id = 2")
    on_every_parent(lab, "RENAME COLUMN note TO remark")
    skip_place(made, code="SW8114", ends=5, saying="SW8548")
    made.in_schema("`note` varchar(100)", "`remark` varchar(100)")
    made.run()
    lab.require_equal()
    made.lab.job.call("verify", "--env", ENVIRONMENT)
    lab.write("ALTER TABLE parent ADD COLUMN x int NOT NULL DEFAULT 5 /*!50000 COMMENT 'for some servers' */")
    on_every_parent(lab, "ADD COLUMN x int NOT NULL DEFAULT 5")
    skip_place(made, code="SW8114")
    lab.write("UPDATE parent SET x = 6 WHERE id = 3")
    made.in_schema(
        "DEFAULT '',\n  PRIMARY KEY (`id`),", "DEFAULT '',\n  `x` int NOT NULL DEFAULT 5,\n  PRIMARY KEY (`id`),"
    )
    made.run()
    lab.require_equal()
    made.lab.job.call("verify", "--env", ENVIRONMENT)


@pytest.mark.long
def test_e14_what_the_targets_did_not_get_is_named_and_brought(make_lab: MakeLab) -> None:
    made = make_lab("{format: binlog, ddl: apply}")
    lab = made.lab
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    made.run()
    lab.write(
        "ALTER TABLE parent ADD COLUMN x int NOT NULL DEFAULT 5, ADD INDEX (place), ALTER COLUMN note SET DEFAULT '-'"
    )
    said = made.run(code=5, saying="SW8548")
    assert "Not on the targets: INDEX" in said and "the DEFAULT of note" not in said
    made.in_schema(
        "`note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',\n  PRIMARY KEY (`id`),",
        "`note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '-',\n  `x` int NOT NULL DEFAULT 5,\n"
        "  PRIMARY KEY (`id`),\n  KEY `place` (`place`),",
    )
    made.run(code=6, saying="SW8402")
    lab.job.call("ddl", "new", "--env", ENVIRONMENT, expect=3)
    made.compile()
    lab.job.call("ddl", "apply", "--env", ENVIRONMENT, "--allow", "SW8420,SW8421")
    made.run()
    lab.require_equal()


@pytest.mark.long
def test_e14_source_tables_of_one_table_are_changed_one_after_the_other(arena: Arena, tmp_path: Path) -> None:
    """SW8545, SW8113: step over each, import again, compile, run."""
    columns, add = (
        "(id INT PRIMARY KEY, code VARCHAR(20) NOT NULL) DEFAULT CHARSET=utf8mb4",
        "ADD x INT NOT NULL DEFAULT 5",
    )
    case = Case(
        arena,
        tmp_path,
        'tables:\n  - {table: "item_?", expect: 2, to: item, sharding: by_id}',
        setup=(
            *(f"CREATE TABLE item_{source} {columns}" for source in (0, 1)),
            *(f"INSERT INTO item_{source} VALUES ({source + 2}, 'a'), ({source + 4}, 'b')" for source in (0, 1)),
        ),
        stream="{format: binlog, ddl: apply}",
    )
    case.plan()
    case.run()
    case.write(f"ALTER TABLE item_0 {add}", f"ALTER TABLE item_1 {add}")
    case.write("INSERT INTO item_0 VALUES (10, 'c', 6)", "UPDATE item_1 SET x = 7 WHERE id = 3")
    for database in SHARDS:
        with case.arena.shard(database) as connection, connection.cursor() as cursor:
            for suffix in SUFFIXES:
                cursor.execute(f"ALTER TABLE item{suffix} {add}")
    said = case.run(code=6, saying="SW8545").err
    for ends in ("SW8545", "SW8113"):
        said = case.run("--allow", re.findall(r"run --allow (\S+)", said)[-1], code=6, saying=ends).err
    case.plan()
    case.run(saying="explains")
    case.verify(saying="verdict: equal")
    rows = sorted(case.source.query("SELECT * FROM shop.item_0 UNION ALL SELECT * FROM shop.item_1"))
    assert sorted(row for _, _, row in case.shard_rows("item")) == rows


@pytest.mark.long
def test_e14_unique_keys_come_at_the_source_and_go(make_lab: MakeLab) -> None:
    made = make_lab("{format: binlog, ddl: apply}")
    lab = made.lab
    lab.fill({1: 0, 2: 1, 3: 2, 5: 0})
    made.run()
    lab.write("ALTER TABLE parent ADD UNIQUE KEY two (name, place)", "UPDATE parent SET note = 'later' WHERE id = 2")
    assert "a unique key is added, not on the targets" in made.run()
    lab.write(
        "ALTER TABLE parent DROP KEY two, ADD KEY by_place (place)", "UPDATE parent SET note = 'then' WHERE id = 3"
    )
    made.run()
    lab.require_equal()
    made.lab.job.call("verify", "--env", ENVIRONMENT)
    lab.write("ALTER TABLE parent DROP KEY name", "UPDATE parent SET name = 'n1' WHERE id IN (2, 5)")
    lab.write(
        "INSERT INTO parent VALUES (6, 0, 'n1', ''), (7, 0, 'n5', '')", "UPDATE parent SET name = 'n5' WHERE id = 1"
    )
    on_every_parent(lab, "DROP KEY name")
    skip_place(made, code="SW8544")
    lab.require_equal()
    lab.write("UPDATE parent SET name = 'all', place = 2", "DELETE FROM parent WHERE id IN (1, 6)")
    made.run()
    lab.require_equal()
    made.lab.job.call("verify", "--env", ENVIRONMENT)


@pytest.mark.in_turn
@pytest.mark.parametrize("policy", ["stop", "apply"])
def test_n18_an_alter_in_two_phases_counts_where_it_commits(make_lab: MakeLab, policy: str) -> None:
    made = make_lab(f"{{format: binlog, ddl: {policy}}}")
    lab = made.lab
    with lab.arena.source.connect("lab") as connection, connection.cursor() as cursor:
        cursor.execute("SHOW VARIABLES LIKE 'binlog_alter_two_phase'")
        if not cursor.fetchall():
            pytest.skip("MariaDB only: from 10.8 on")
    lab.fill({1: 0, 2: 1, 3: 2, 4: 2})
    made.run()
    two_phases = "SET SESSION binlog_alter_two_phase = ON"
    with pytest.raises(pymysql.err.IntegrityError):
        lab.write(two_phases, "ALTER TABLE parent DROP COLUMN note, ADD UNIQUE KEY u (place)")
    lab.write("UPDATE parent SET note = 'kept' WHERE id = 1")
    made.run()
    assert made.columns(0, "parent_0")[-1] == "note"
    lab.require_equal()
    lab.write(two_phases, "ALTER TABLE parent DROP COLUMN note")
    if policy == "apply":
        made.run(code=5, saying="SW8548")
        assert "note" not in made.columns(0, "parent_0")
    else:
        assert "SW8114@" in made.run(code=6, saying="SW8114")
