"""A statement that comes back to the source is the one trigger that the record names, or it is not executed (S1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shardwright.runtime.cutover.source_triggers import SourceTrigger

SOUND = SourceTrigger(
    "shop",
    "users",
    "t1",
    "app@%",
    "CREATE DEFINER=`app`@`%` TRIGGER t1 AFTER UPDATE ON users FOR EACH ROW SET @a = 1",
    "STRICT_TRANS_TABLES",
    "utf8mb4",
    "utf8mb4_general_ci",
)


@pytest.mark.parametrize(
    "statement",
    [
        SOUND.statement,
        "CREATE DEFINER=`app`@`%` TRIGGER `t1` before insert ON `shop`.`users`\n  for each row\nBEGIN SET @a = 1; END",
        "CREATE DEFINER=`app`@`%` TRIGGER shop.t1 /* why */ AFTER DELETE ON Users -- here\n FOR EACH ROW FOLLOWS t0 SET @a=1",
        "CREATE DEFINER=`app`@`%` TRIGGER IF NOT EXISTS t1 AFTER UPDATE ON users FOR EACH ROW SET @a = 1",
    ],
)
def test_s1_what_servers_print_is_taken(statement: str) -> None:
    assert replace(SOUND, statement=statement).why_not() is None


def test_s1_quotes_are_those_of_the_triggers_mode() -> None:
    quoted = 'CREATE DEFINER="app"@"%" TRIGGER "t1" AFTER UPDATE ON "users" FOR EACH ROW SET @a = 1'
    assert replace(SOUND, statement=quoted, sql_mode="PIPES_AS_CONCAT,ANSI_QUOTES").why_not() is None
    assert replace(SOUND, statement=quoted).why_not() is not None


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("DROP DATABASE shop", "is not one CREATE DEFINER TRIGGER"),
        ("CREATE TRIGGER t1 AFTER UPDATE ON users FOR EACH ROW SET @a = 1", "is not one CREATE DEFINER TRIGGER"),
        ("GRANT ALL ON *.* TO app; " + SOUND.statement, "is not one CREATE DEFINER TRIGGER"),
        (SOUND.statement.replace("TRIGGER", "EVENT"), "is not one CREATE DEFINER TRIGGER"),
        (SOUND.statement.replace(" t1", " /*!50000 t1 */"), "is not one CREATE DEFINER TRIGGER"),
        (SOUND.statement.replace(" t1", " /*M! t1 */"), "is not one CREATE DEFINER TRIGGER"),
        (SOUND.statement.partition(" FOR")[0], "is not one CREATE DEFINER TRIGGER"),
        ("", "is not one CREATE DEFINER TRIGGER"),
        (SOUND.statement.replace("`app`@`%`", "`root`@`localhost`"), r"has another definer \(root@localhost\)"),
        (SOUND.statement.replace(" t1", " t_evil"), "creates another trigger"),
        (SOUND.statement.replace(" t1", " hr.t1"), "creates another trigger"),
        (SOUND.statement.replace("ON users", "ON hr.users"), "creates another trigger"),
        (SOUND.statement.replace("ON users", "ON pay"), "creates another trigger"),
    ],
)
def test_s1_anything_else_is_refused_by_name(statement: str, why: str) -> None:
    found = replace(SOUND, statement=statement).why_not()
    assert found is not None and why.replace("\\", "") in found, found
