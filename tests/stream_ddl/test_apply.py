"""DDL of the source in the stream, brought to every shard where it stands (hazards E14-E19), or stopped at."""

from __future__ import annotations

import pytest

from tests.stream_ddl.conftest import MakeLab
from tests.stream_ddl.test_definitions import schema_of_source
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

ADD_X = "ALTER TABLE parent ADD COLUMN x int NOT NULL DEFAULT 5 AFTER place"
X_IN_SCHEMA = ("`place` int unsigned NOT NULL,", "`place` int unsigned NOT NULL,\n  `x` int NOT NULL DEFAULT 5,")


def test_e14_a_column_is_added_where_it_is_in_the_log_and_the_next_plan_continues(make_lab: MakeLab) -> None:
    made = make_lab("{format: binlog, ddl: apply}")
    lab = made.lab
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    made.run()
    lab.write("UPDATE parent SET note = 'before' WHERE id = 1", "UPDATE parent SET place = 3 WHERE id = 2")
    lab.write("UPDATE child SET place = 3 WHERE id = 2")
    lab.write("ALTER TABLE child ADD INDEX by_note (note(10)), ALGORITHM=INPLACE")
    lab.write(ADD_X)
    lab.write("UPDATE parent SET x = 7, note = 'after' WHERE id = 1", "INSERT INTO parent VALUES (5, 1, 8, 'n5', '')")
    said = made.run(code=5, saying="SW8548")
    assert "column x is added" in said
    assert all(
        made.columns(place, f"parent_{place // 2}") == ["id", "place", "x", "name", "note"] for place in range(4)
    )
    assert lab.at(0, "SELECT x, note FROM parent_0 WHERE id = 1") == [(5, "before")], "what lies before is applied"
    assert lab.at(0, "SHOW INDEX FROM child_0 WHERE Key_name = 'by_note'")
    made.run(code=6, saying="SW8547")
    made.in_schema(*X_IN_SCHEMA)
    made.in_schema("PRIMARY KEY (`id`,`line`)", "PRIMARY KEY (`id`,`line`),\n  KEY `by_note` (`note`(10))")
    made.run()
    lab.require_equal()
    assert lab.at(0, "SELECT x, note FROM parent_0 WHERE id = 1") == [(7, "after")]
    assert {"stream DDL: apply", "plan adopted"} <= set(made.audit())


def test_a1_e17_a_truncate_empties_the_targets_where_it_is_in_the_log(make_lab: MakeLab) -> None:
    """Rows of before are gone, those of behind it are there; a run was killed while it deleted."""
    made = make_lab("{format: binlog, ddl: apply}")
    lab = made.lab
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    made.run()
    lab.write("UPDATE child SET note = 'before' WHERE id = 1", "INSERT INTO child VALUES (9, 1, 2, '')")
    lab.write("TRUNCATE TABLE child")
    lab.write("INSERT INTO child VALUES (2, 1, 3, 'moved'), (3, 2, 2, ''), (7, 1, 0, 'new')")
    lab.write("UPDATE child SET place = 1 WHERE id = 3")
    made.run(code=-9, failpoints="after-rows-emptied=kill")
    said = made.run()
    assert "lab.child is emptied (TRUNCATE): " in said
    lab.require_equal()
    assert "stream DDL: apply" in made.audit()
    made.lab.job.call("verify", "--env", ENVIRONMENT)


def test_e15_a_column_gets_another_name_where_it_is_in_the_log(make_lab: MakeLab) -> None:
    made = make_lab("{format: binlog, ddl: apply}")
    lab = made.lab
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    made.run()
    lab.write("UPDATE parent SET note = 'before', name = 'x' WHERE id = 1")
    lab.write("ALTER TABLE parent CHANGE note remark varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT ''")
    lab.write("UPDATE parent SET remark = 'after', place = 1 WHERE id = 2", "UPDATE parent SET name = 'y' WHERE id = 1")
    assert "column note gets the name remark" in made.run(code=5, saying="SW8548")
    assert all(made.columns(place, f"parent_{place // 2}")[-1] == "remark" for place in range(4))
    assert lab.at(0, "SELECT name, remark FROM parent_0 WHERE id = 1") == [("x", "before")]
    made.run(code=6, saying="SW8547")
    made.in_schema("`note` varchar(100)", "`remark` varchar(100)")
    made.run()
    lab.require_equal()
    lab.job.call("verify", "--env", ENVIRONMENT)


@pytest.mark.in_turn
def test_a1_c5_e14_types_character_sets_and_defaults_follow_at_their_place(make_lab: MakeLab) -> None:
    """A run is killed when a part of the targets has the statement; rows are written on both sides of each."""
    made = make_lab("{format: binlog, ddl: apply}")
    lab = made.lab
    schema_of_source(made)
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    made.run()
    lab.write("UPDATE child SET note = 'grün' WHERE id = 1", "UPDATE parent SET note = 'before' WHERE id = 1")
    lab.write("ALTER TABLE parent ALTER note SET DEFAULT 'new'", "INSERT INTO parent (id, place) VALUES (5, 1)")
    made.run()
    assert lab.at(1, "SELECT note FROM parent_0 WHERE id = 5") == [("new",)]
    schema_of_source(made)
    made.run()
    lab.write("ALTER TABLE child CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci")
    lab.write("UPDATE child SET note = 'blau 😀' WHERE id = 2", "UPDATE child SET place = 3 WHERE id = 1")
    made.run(code=-9, failpoints="after-stream-ddl-routed=kill")
    made.run(code=5, saying="SW8548")
    assert lab.at(0, "SELECT HEX(note) FROM child_0 WHERE id = 1")[0] == (b"gr\xc3\xbcn".hex().upper(),)
    schema_of_source(made)
    lab.write("ALTER TABLE parent MODIFY note varchar(12) NOT NULL DEFAULT 'short'")
    lab.write(
        "UPDATE parent SET note = 'twelve signs', place = 2 WHERE id = 2",
        "INSERT INTO parent (id, place) VALUES (6, 0)",
    )
    assert "column note is made narrower" in made.run(code=5, saying="SW8548")
    schema_of_source(made)
    made.run()
    lab.require_equal()
    lab.job.call("verify", "--env", ENVIRONMENT)
